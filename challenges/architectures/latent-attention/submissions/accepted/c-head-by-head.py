"""One head after the other, each with plain matrix products; complex numbers turn the rotary part."""

import torch
from torch import nn


class LatentAttention(nn.Module):
    def __init__(self, d_model, num_heads, d_head, d_latent, d_rope):
        if d_rope & 1:
            raise ValueError("an odd number of rotary features")
        super().__init__()
        self.sizes = num_heads, d_head, d_latent, d_rope
        self.q_proj = nn.Linear(d_model, num_heads * (d_head + d_rope), bias=False)
        self.kv_down = nn.Linear(d_model, d_latent + d_rope, bias=False)
        self.k_up = nn.Linear(d_latent, num_heads * d_head, bias=False)
        self.v_up = nn.Linear(d_latent, num_heads * d_head, bias=False)
        self.out_proj = nn.Linear(num_heads * d_head, d_model, bias=False)

    def forward(self, x, cache=None, absorbed=False):
        H, e, c, r = self.sizes
        if cache is None:
            cache = x.new_zeros(x.shape[0], 0, c), x.new_zeros(x.shape[0], 0, r)
        S, T = cache[0].shape[1], x.shape[1]
        speed = torch.pow(10000.0, -torch.arange(r // 2, dtype=torch.float64) * 2 / r)
        angles = torch.arange(S, S + T)[:, None] * speed
        unit = torch.polar(torch.ones_like(angles), angles).to(x.dtype.to_complex())

        def turn(part):
            pairs = torch.complex(part[..., : r // 2], part[..., r // 2 :]) * unit
            return torch.cat([pairs.real, pairs.imag], dim=-1)

        new_z, new_key = self.kv_down(x).tensor_split([c], dim=-1)
        z = torch.cat([cache[0], new_z], dim=1)
        key = torch.cat([cache[1], turn(new_key)], dim=1)
        bias = torch.full((T, S + T), float("-inf"), dtype=x.dtype).triu(S + 1)
        heads = []
        for h in range(H):
            q = x @ self.q_proj.weight[h * (e + r) : (h + 1) * (e + r)].T
            K, V = (up.weight[h * e : (h + 1) * e] for up in (self.k_up, self.v_up))
            scores = turn(q[..., e:]) @ key.mT
            if absorbed:
                scores = scores + (q[..., :e] @ K) @ z.mT
            else:
                scores = scores + q[..., :e] @ (z @ K.T).mT
            weights = torch.softmax(scores / (e + r) ** 0.5 + bias, dim=-1)
            heads.append((weights @ z) @ V.T if absorbed else weights @ (z @ V.T))
        return self.out_proj(torch.cat(heads, dim=-1)), (z, key)
