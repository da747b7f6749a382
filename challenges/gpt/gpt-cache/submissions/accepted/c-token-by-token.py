"""One token at a time, so that no mask is needed."""

import torch
import torch.nn.functional as F


def one(model, ids, cache, place):
    x = model.embed(ids, place)
    grown = []
    for block, (keys, values) in zip(model.blocks, cache):
        layer = block.attention
        q, k, v = (t.unflatten(-1, (layer.heads, -1)).transpose(1, 2) for t in layer.qkv(block.norm1(x)).chunk(3, -1))
        keys = k if keys is None else torch.cat([keys, k], 2)
        values = v if values is None else torch.cat([values, v], 2)
        grown.append((keys, values))
        weights = torch.einsum("bhte,bhse->bhts", q, keys).mul(q.shape[-1] ** -0.5).softmax(-1)
        x = x + layer.out((weights @ values).transpose(1, 2).flatten(2))
        x = x + block.down(F.gelu(block.up(block.norm2(x))))
    return model.norm(x) @ model.embed.tokens.weight.mT, grown


def forward_with_cache(model, ids, cache=None):
    if not cache:
        cache = [(None, None) for _ in model.blocks]
        start = 0
    else:
        start = cache[0][0].shape[2]
    if start + ids.shape[1] > model.embed.context:
        raise ValueError("the text is longer than the context")
    scores = []
    for t in range(ids.shape[1]):
        row, cache = one(model, ids[:, t : t + 1], cache, start + t)
        scores.append(row)
    return torch.cat(scores, dim=1), cache
