"""Einsums in both forms: the matrices of keys and values meet the query and the output, or the latents."""

import math

import torch
from torch import Tensor, nn

Cache = tuple[Tensor, Tensor]


def rotated(x: Tensor, positions: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    angles = positions[..., None] * 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


class LatentAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_head: int, d_latent: int, d_rope: int) -> None:
        super().__init__()
        if d_rope % 2:
            raise ValueError(f"rotary features come in pairs, and {d_rope} is odd")
        self.heads, self.d_head, self.d_latent, self.d_rope = num_heads, d_head, d_latent, d_rope
        self.q_proj = nn.Linear(d_model, num_heads * (d_head + d_rope), bias=False)
        self.kv_down = nn.Linear(d_model, d_latent + d_rope, bias=False)
        self.k_up = nn.Linear(d_latent, num_heads * d_head, bias=False)
        self.v_up = nn.Linear(d_latent, num_heads * d_head, bias=False)
        self.out_proj = nn.Linear(num_heads * d_head, d_model, bias=False)

    def forward(self, x: Tensor, cache: Cache | None = None, absorbed: bool = False) -> tuple[Tensor, Cache]:
        past, T = 0 if cache is None else cache[0].shape[1], x.shape[1]
        at = torch.arange(past, past + T)
        q, q_rope = self.q_proj(x).unflatten(-1, (self.heads, -1)).split([self.d_head, self.d_rope], dim=-1)
        latents, keys = self.kv_down(x).split([self.d_latent, self.d_rope], dim=-1)
        q_rope, keys = rotated(q_rope, at[:, None]), rotated(keys, at)
        if cache is not None:
            latents, keys = torch.cat([cache[0], latents], dim=1), torch.cat([cache[1], keys], dim=1)
        up_k = self.k_up.weight.unflatten(0, (self.heads, -1))
        up_v = self.v_up.weight.unflatten(0, (self.heads, -1))
        if absorbed:
            q = torch.einsum("bthe,hec->bthc", q, up_k)
            scores = torch.einsum("bthc,bsc->bhts", q, latents)
        else:
            scores = torch.einsum("bthe,bshe->bhts", q, torch.einsum("bsc,hec->bshe", latents, up_k))
        scores = (scores + torch.einsum("bthr,bsr->bhts", q_rope, keys)) / math.sqrt(self.d_head + self.d_rope)
        seen = torch.ones(T, past + T, dtype=torch.bool).tril(past)
        weights = scores.masked_fill(~seen, -math.inf).softmax(-1)
        if absorbed:
            mixed = torch.einsum("bhts,bsc->bthc", weights, latents)
            out = torch.einsum("bthc,hec->bthe", mixed, up_v)
        else:
            out = torch.einsum("bhts,bshe->bthe", weights, torch.einsum("bsc,hec->bshe", latents, up_v))
        return self.out_proj(out.flatten(2)), (latents, keys)
