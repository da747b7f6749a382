# caught by: test_added
"""The mask is added before the division by √d."""

import math

import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None, causal=False, dropout_p=0.0):
    if not 0.0 <= dropout_p < 1.0:
        raise ValueError("dropout_p must be at least 0 and less than 1")
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1)
    T, S = scores.shape[-2:]
    allowed = torch.ones(T, S, dtype=torch.bool, device=q.device)
    if causal:
        allowed = allowed.tril()
    if mask is not None and mask.dtype == torch.bool:
        allowed = allowed & mask
    elif mask is not None:
        allowed = allowed & (mask != -math.inf)
        scores = scores + mask.masked_fill(mask == -math.inf, 0.0).to(wide)
    scores = scores / math.sqrt(q.shape[-1])
    alive = allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & alive, -math.inf).softmax(-1).masked_fill(~alive, 0.0)
    if dropout_p > 0.0:
        weights = F.dropout(weights, dropout_p)
    return (weights @ v.to(wide)).to(q.dtype)
