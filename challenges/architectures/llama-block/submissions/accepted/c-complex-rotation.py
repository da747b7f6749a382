"""Rotation as a product of complex numbers, and one loop over the key heads."""

import torch
from torch import nn
from torch.nn import functional as F


class SelfAttention(nn.Module):
    def __init__(self, width, heads, kv_heads, base):
        super().__init__()
        d = width // heads
        self.heads, self.kv_heads, self.d, self.base = heads, kv_heads, d, base
        self.q_proj, self.o_proj = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(width, kv_heads * d, bias=False) for _ in range(2))

    def turn(self, x, count):
        n, t, _ = x.shape
        pairs = x.view(n, t, count, 2, self.d // 2)
        angle = torch.outer(
            torch.arange(t, dtype=x.dtype),
            torch.pow(torch.tensor(self.base, dtype=x.dtype), -2 * torch.arange(self.d // 2, dtype=x.dtype) / self.d),
        )
        turned = torch.complex(pairs[:, :, :, 0], pairs[:, :, :, 1]) * torch.polar(torch.ones_like(angle), angle)[:, None]
        return torch.cat([turned.real, turned.imag], -1)

    def forward(self, x):
        n, t, width = x.shape
        q, k = self.turn(self.q_proj(x), self.heads), self.turn(self.k_proj(x), self.kv_heads)
        v = self.v_proj(x).view(n, t, self.kv_heads, self.d)
        hidden = torch.ones(t, t, dtype=torch.bool).triu(1)
        outs = []
        for i, mine in enumerate(q.split(self.heads // self.kv_heads, dim=2)):
            scores = mine.transpose(1, 2) @ k[:, None, :, i].mT * self.d**-0.5
            weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
            outs.append((weights @ v[:, None, :, i]).transpose(1, 2))
        return self.o_proj(torch.cat(outs, 2).reshape(n, t, width))


class Norm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return self.weight * (x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt())


class GatedMLP(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate_proj, self.up_proj = nn.Linear(width, hidden, bias=False), nn.Linear(width, hidden, bias=False)
        self.down_proj = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down_proj(self.up_proj(x).mul(F.silu(self.gate_proj(x))))


class LlamaBlock(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden, base=10000.0, eps=1e-6):
        super().__init__()
        for whole, part in ((width, heads), (heads, kv_heads), (width // heads, 2)):
            if whole % part:
                raise ValueError(f"{part} does not divide {whole}")
        self.input_layernorm, self.post_attention_layernorm = Norm(width, eps), Norm(width, eps)
        self.self_attn = SelfAttention(width, heads, kv_heads, float(base))
        self.mlp = GatedMLP(width, hidden)

    def forward(self, x):
        h = self.self_attn(self.input_layernorm(x)) + x
        return self.mlp(self.post_attention_layernorm(h)) + h
