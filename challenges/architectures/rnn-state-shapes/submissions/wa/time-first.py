# caught by: test_a_sequence_alone
"""The layer reads the batch as time."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        _, h_n = self.rnn(x, h0)
        return torch.cat(h_n[-self.directions :].unbind(0), -1)[:1].expand(len(x), -1)
