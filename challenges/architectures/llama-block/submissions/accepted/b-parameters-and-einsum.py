"""Bare parameters in containers, groups as a dimension of their own, and a mask that is added before the softmax."""

import math

import torch
from torch import nn


class Weight(nn.Module):
    def __init__(self, *shape, ones=False):
        super().__init__()
        start = torch.ones(shape) if ones else torch.randn(shape) / math.sqrt(shape[-1])
        self.weight = nn.Parameter(start)


class LlamaBlock(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden, base=10000.0, eps=1e-6):
        super().__init__()
        if width % heads != 0:
            raise ValueError("width")
        if heads % kv_heads != 0:
            raise ValueError("kv_heads")
        d = width // heads
        if d % 2 != 0:
            raise ValueError("odd head")
        self.shape = (kv_heads, heads // kv_heads, d)
        self.base, self.eps = base, eps
        self.input_layernorm = Weight(width, ones=True)
        self.post_attention_layernorm = Weight(width, ones=True)
        self.self_attn = nn.ModuleDict({
            "q_proj": Weight(width, width),
            "k_proj": Weight(kv_heads * d, width),
            "v_proj": Weight(kv_heads * d, width),
            "o_proj": Weight(width, width),
        })
        self.mlp = nn.ModuleDict({
            "gate_proj": Weight(hidden, width),
            "up_proj": Weight(hidden, width),
            "down_proj": Weight(width, hidden),
        })

    def norm(self, x, weight):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * weight

    def rotate(self, x):
        d = x.shape[-1]
        theta = float(self.base) ** (-2 * torch.arange(d // 2).double() / d)
        angle = torch.arange(x.shape[1]).double()[:, None] * theta
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        cos = torch.cat([cos, cos], -1).view(x.shape[1], *[1] * (x.dim() - 3), d)
        sin = torch.cat([-sin, sin], -1).view(x.shape[1], *[1] * (x.dim() - 3), d)
        return x * cos + x.roll(d // 2, -1) * sin

    def attention(self, x):
        kv, group, d = self.shape
        part = self.self_attn
        q = self.rotate((x @ part["q_proj"].weight.T).unflatten(2, (kv, group, d)))
        k = self.rotate((x @ part["k_proj"].weight.T).unflatten(2, (kv, d)))
        v = (x @ part["v_proj"].weight.T).unflatten(2, (kv, d))
        scores = torch.einsum("btkgd,bskd->bkgts", q, k) / math.sqrt(d)
        future = torch.full(scores.shape[-2:], float("-inf"), dtype=x.dtype).triu(1)
        out = torch.einsum("bkgts,bskd->btkgd", (scores + future).softmax(-1), v)
        return out.flatten(2) @ part["o_proj"].weight.T

    def forward(self, x):
        h = x + self.attention(self.norm(x, self.input_layernorm.weight))
        z = self.norm(h, self.post_attention_layernorm.weight)
        gate = z @ self.mlp["gate_proj"].weight.T
        up = z @ self.mlp["up_proj"].weight.T
        return h + (gate * gate.sigmoid() * up) @ self.mlp["down_proj"].weight.T
