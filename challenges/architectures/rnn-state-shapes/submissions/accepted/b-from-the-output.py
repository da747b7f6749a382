"""Forward half at the last step, backward half at the first; explicit zeros in the dtype of x."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.rnn = nn.RNN(features, hidden, num_layers=layers, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        steps = x.transpose(0, 1)
        count = self.rnn.num_layers * (1 + self.rnn.bidirectional)
        if h0 is None:
            h0 = torch.zeros(count, len(x), self.rnn.hidden_size, dtype=x.dtype, device=x.device)
        output = self.rnn(steps, h0)[0]
        forward, backward = output.split(self.rnn.hidden_size, -1) if self.rnn.bidirectional else (output, None)
        return forward[-1] if backward is None else torch.cat([forward[-1], backward[0]], dim=1)
