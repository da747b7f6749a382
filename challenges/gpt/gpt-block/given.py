"""What the steps before this one have built: vectors with positions, and causal attention."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """Ids (B, T) to vectors (B, T, width). `start` is the position of the first token; ValueError beyond the context."""

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


class CausalSelfAttention(nn.Module):
    """Causal attention, (B, T, width) to (B, T, width)."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"{heads} heads do not divide a width of {width}")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (q, k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2))
