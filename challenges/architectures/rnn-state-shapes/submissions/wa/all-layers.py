# caught by: test_values_and_gradients[stacked]
"""The mean over all layers."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        _, h_n = self.rnn(x, h0)
        return h_n.unflatten(0, (-1, self.directions)).mean(0).transpose(0, 1).flatten(1)
