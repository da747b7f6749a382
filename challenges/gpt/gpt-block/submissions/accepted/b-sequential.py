"""The blocks are an nn.Sequential; the product is written with matmul."""

from given import CausalSelfAttention, TokenEmbedding
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = CausalSelfAttention(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, width * 4), nn.Linear(width * 4, width)
        self.bend = nn.GELU()

    def feed_forward(self, x):
        return self.down(self.bend(self.up(x)))

    def forward(self, x):
        middle = self.attention(self.norm1(x)).add(x)
        return self.feed_forward(self.norm2(middle)).add(middle)


class GPT(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embed = TokenEmbedding(vocabulary, context, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        return self.norm(self.blocks(self.embed(ids))) @ self.embed.tokens.weight.T
