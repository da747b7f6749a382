"""Calls scaled_dot_product_attention, which is not allowed."""

import torch.nn.functional as F


def attention(q, k, v, mask=None, causal=False, dropout_p=0.0):
    return F.scaled_dot_product_attention(q, k, v, mask, dropout_p, causal)
