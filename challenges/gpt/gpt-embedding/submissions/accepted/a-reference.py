"""Two nn.Embedding tables; the positions are an arange."""

import torch
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocabulary: int, context: int, width: int) -> None:
        super().__init__()
        self.context = context
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        end = start + ids.shape[1]
        if start < 0 or end > self.context:
            raise ValueError(f"positions {start} to {end - 1} are not in a context of {self.context}")
        return self.tokens(ids) + self.positions(torch.arange(start, end, device=ids.device))
