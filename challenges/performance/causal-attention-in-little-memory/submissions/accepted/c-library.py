"""torch's own implementation, which walks over blocks of keys as well."""

import torch.nn.functional as F


def causal_attention(q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]
