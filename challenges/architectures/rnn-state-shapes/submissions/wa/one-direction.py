# caught by: test_two_directions
"""The last entry of h_n is the backward direction alone."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        _, h_n = self.rnn(x, h0)
        return h_n[-1]
