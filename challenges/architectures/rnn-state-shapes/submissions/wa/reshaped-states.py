# caught by: test_values_and_gradients[bidirectional]
"""Reshapes (2, B, H) to (B, 2H): sequences are mixed."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        _, h_n = self.rnn(x, h0)
        return h_n[-self.directions :].reshape(len(x), -1)
