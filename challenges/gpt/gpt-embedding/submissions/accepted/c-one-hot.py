"""A product with one-hot rows, for both tables."""

import torch
import torch.nn.functional as F
from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocabulary, context, width):
        super().__init__()
        self.tokens = nn.Linear(width, vocabulary, bias=False)
        self.positions = nn.Linear(width, context, bias=False)
        with torch.no_grad():
            self.tokens.weight.normal_(0.0, 0.02)
            self.positions.weight.normal_(0.0, 0.02)

    @property
    def context(self):
        return self.positions.weight.shape[0]

    def forward(self, ids, start=0):
        places = start + torch.arange(ids.shape[1])
        if bool(places.min() < 0) or bool(places.max() >= self.context):
            raise ValueError(start)
        rows = F.one_hot(ids, self.tokens.weight.shape[0]).to(self.tokens.weight.dtype)
        columns = F.one_hot(places, self.context).to(self.tokens.weight.dtype)
        return rows @ self.tokens.weight + columns @ self.positions.weight
