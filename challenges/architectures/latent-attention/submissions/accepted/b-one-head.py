"""The absorbed form is attention with one key head of c + r features: heads and tokens are folded into one axis."""

import torch
import torch.nn.functional as F
from torch import nn


class LatentAttention(nn.Module):
    def __init__(self, d_model, num_heads, d_head, d_latent, d_rope):
        super().__init__()
        if d_rope % 2 == 1:
            raise ValueError("d_rope must be even")
        self.H, self.e, self.c, self.r = num_heads, d_head, d_latent, d_rope
        for name, size_in, size_out in (
            ("q_proj", d_model, num_heads * (d_head + d_rope)),
            ("kv_down", d_model, d_latent + d_rope),
            ("k_up", d_latent, num_heads * d_head),
            ("v_up", d_latent, num_heads * d_head),
            ("out_proj", num_heads * d_head, d_model),
        ):
            setattr(self, name, nn.Linear(size_in, size_out, bias=False))

    def turn(self, x, start):
        steps = torch.arange(start, start + x.shape[-2], dtype=torch.float64)
        speed = 10000.0 ** (-torch.arange(0, self.r, 2, dtype=torch.float64) / self.r)
        angle = torch.outer(steps, speed)
        a, b = x.chunk(2, dim=-1)
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    def forward(self, x, cache=None, absorbed=False):
        B, T, _ = x.shape
        q = self.q_proj(x).view(B, T, self.H, self.e + self.r).transpose(1, 2)
        down = self.kv_down(x)
        z, k_rope = down[..., : self.c], down[..., self.c :]
        S = 0
        if cache is not None:
            S = cache[0].size(1)
        k_rope = self.turn(k_rope, S)
        if S:
            z, k_rope = torch.cat((cache[0], z), 1), torch.cat((cache[1], k_rope), 1)
        q_rope = self.turn(q[..., self.e :], S)
        where = torch.arange(S + T)
        hidden = where > where[S:, None]
        scale = (self.e + self.r) ** -0.5
        if absorbed:
            near = q[..., : self.e] @ self.k_up.weight.view(self.H, self.e, self.c)
            query = torch.cat((near, q_rope), -1).reshape(B, self.H * T, self.c + self.r)
            scores = query @ torch.cat((z, k_rope), -1).transpose(1, 2) * scale
            weights = scores.masked_fill(hidden.repeat(self.H, 1), float("-inf")).softmax(-1)
            mixed = (weights @ z).view(B, self.H, T, self.c)
            out = mixed @ self.v_up.weight.view(self.H, self.e, self.c).transpose(1, 2)
        else:
            k = self.k_up(z).view(B, S + T, self.H, self.e).transpose(1, 2)
            v = self.v_up(z).view(B, S + T, self.H, self.e).transpose(1, 2)
            k = torch.cat((k, k_rope[:, None].expand(-1, self.H, -1, -1)), -1)
            query = torch.cat((q[..., : self.e], q_rope), -1)
            out = F.scaled_dot_product_attention(query, k, v, attn_mask=~hidden, scale=scale)
        return self.out_proj(out.transpose(1, 2).reshape(B, T, -1)), (z, k_rope)
