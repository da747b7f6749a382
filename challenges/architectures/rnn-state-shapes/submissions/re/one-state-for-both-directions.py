# caught by: test_two_directions
"""One initial state for each layer, whatever the number of directions."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        if h0 is None:
            h0 = x.new_zeros(self.rnn.num_layers, x.shape[0], self.rnn.hidden_size)
        _, h_n = self.rnn(x, h0)
        return torch.cat(h_n[-self.directions :].unbind(0), -1)
