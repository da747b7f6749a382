# caught by: test_values_and_gradients[bidirectional]
"""The backward direction has seen one step at the last time."""

import torch
from torch import nn


class Summary(nn.Module):
    def __init__(self, features, hidden, layers=1, bidirectional=False):
        super().__init__()
        self.directions = 2 if bidirectional else 1
        self.rnn = nn.RNN(features, hidden, layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, x, h0=None):
        output, _ = self.rnn(x, h0)
        return output[:, -1]
