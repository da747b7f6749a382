"""Everything is dequantised before the attention; a row of zeros is found by its maximum."""

import torch
import torch.nn.functional as F


def quantize(x):
    largest = x.abs().max(dim=-1, keepdim=True).values
    scale = torch.where(largest > 0, largest / 127.0, torch.ones_like(largest))
    q = torch.clamp(torch.round(x / scale), min=-127, max=127)
    return q.type(torch.int8), scale


def dequantize(q, scale):
    return q.to(scale.dtype) * scale


def append(cache, keys, values):
    qk, sk = quantize(keys)
    qv, sv = quantize(values)
    if cache is not None:
        qk = torch.cat((cache[0], qk), -2)
        sk = torch.cat((cache[1], sk), -2)
        qv = torch.cat((cache[2], qv), -2)
        sv = torch.cat((cache[3], sv), -2)
    return qk, sk, qv, sv


def attend(queries, cache):
    k, v = dequantize(cache[0], cache[1]), dequantize(cache[2], cache[3])
    return F.scaled_dot_product_attention(queries, k.to(queries.dtype), v.to(queries.dtype))
