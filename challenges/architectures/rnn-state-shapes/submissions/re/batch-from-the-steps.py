# caught by: test_five_sequences_of_three_steps
"""As it came: the state has a row for each step."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        if h0 is None:
            h0 = x.new_zeros(self.rnn.num_layers * self.directions, x.shape[1], self.rnn.hidden_size)
        _, h_n = self.rnn(x, h0)
        return torch.cat(h_n[-self.directions :].unbind(0), -1)
