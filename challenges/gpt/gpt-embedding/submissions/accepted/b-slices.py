"""Plain parameters in empty modules; positions are a slice of the table."""

import torch
from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocabulary, context, width):
        super().__init__()
        self.context = context
        self.tokens, self.positions = nn.Module(), nn.Module()
        self.tokens.weight = nn.Parameter(torch.randn(vocabulary, width) * 0.02)
        self.positions.weight = nn.Parameter(torch.randn(context, width) * 0.02)

    def forward(self, ids, start=0):
        places = range(len(self.positions.weight))
        if start not in places or start + ids.size(1) - 1 not in places:
            raise ValueError("the piece does not fit into the context")
        return self.tokens.weight[ids] + self.positions.weight[start : start + ids.size(1)]
