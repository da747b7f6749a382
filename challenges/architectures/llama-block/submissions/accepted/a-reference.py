"""Reference: modules with the names of a checkpoint, rotation by halves, and torch's attention."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, kv_heads: int, base: float) -> None:
        super().__init__()
        self.size, self.groups, self.base = width // heads, heads // kv_heads, base
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, kv_heads * self.size, bias=False)
        self.v_proj = nn.Linear(width, kv_heads * self.size, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self.heads(projection(x)) for projection in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.rotated(q), self.rotated(k)
        k, v = k.repeat_interleave(self.groups, dim=1), v.repeat_interleave(self.groups, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).flatten(2))

    def heads(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (-1, self.size)).transpose(1, 2)

    def rotated(self, x: Tensor) -> Tensor:
        half = self.size // 2
        frequency = self.base ** (-torch.arange(half, dtype=x.dtype) / half)
        angle = torch.arange(x.shape[2], dtype=x.dtype)[:, None] * frequency
        a, b = x.split(half, dim=3)
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], dim=3)


class MLP(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(width, hidden, bias=False)
        self.up_proj = nn.Linear(width, hidden, bias=False)
        self.down_proj = nn.Linear(hidden, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class LlamaBlock(nn.Module):
    def __init__(
        self, width: int, heads: int, kv_heads: int, hidden: int, base: float = 10000.0, eps: float = 1e-6
    ) -> None:
        super().__init__()
        if width % heads or heads % kv_heads or width // heads % 2:
            raise ValueError("heads must divide width, kv_heads must divide heads, and a head has an even number of features")
        self.input_layernorm = nn.RMSNorm(width, eps=eps)
        self.self_attn = Attention(width, heads, kv_heads, base)
        self.post_attention_layernorm = nn.RMSNorm(width, eps=eps)
        self.mlp = MLP(width, hidden)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))
