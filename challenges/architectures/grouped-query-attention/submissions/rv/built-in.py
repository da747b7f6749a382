"""The ready-made one, with its own switch for groups."""

import torch.nn.functional as F


def grouped_attention(q, k, v, causal=False):
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)


def pool_heads(weight, num_heads, num_kv_heads):
    return weight
