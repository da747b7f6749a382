"""The parts of each block, with the old keys and values in front."""

import torch
import torch.nn.functional as F
from given import GPT
from torch import Tensor

Cache = list[tuple[Tensor, Tensor]]


def forward_with_cache(model: GPT, ids: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
    past = cache[0][0].shape[2] if cache else 0
    T = ids.shape[1]
    allowed = torch.ones(T, past + T, dtype=torch.bool).tril(past)
    x, new = model.embed(ids, past), []
    for i, block in enumerate(model.blocks):
        features = block.attention.qkv(block.norm1(x))
        heads = features.unflatten(-1, (3, block.attention.heads, -1))
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        if past:
            k, v = torch.cat([cache[i][0], k], dim=2), torch.cat([cache[i][1], v], dim=2)
        new.append((k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        x = x + block.attention.out(mixed.transpose(1, 2).flatten(2))
        x = x + block.down(F.gelu(block.up(block.norm2(x))))
    return F.linear(model.norm(x), model.embed.tokens.weight), new
