# caught by: test_no_built_in_attention[mask]
"""Reaches the built-in attention through getattr, with a name joined from two strings."""

import torch
import torch.nn.functional as F

ready = getattr(F, "scaled_dot_" + "product_attention")


def attention(q, k, v, mask=None):
    """Exact, and not what was asked: only the attested test can tell."""
    if k.shape[-2] == 0 or q.numel() == 0 or v.numel() == 0:
        return q @ k.transpose(-2, -1) @ v
    return ready(q, k, v, mask if mask is None else torch.atleast_2d(mask))
