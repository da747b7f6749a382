"""The function is named self_attention instead of attention."""

import torch


def self_attention(q, k, v, mask=None):
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
