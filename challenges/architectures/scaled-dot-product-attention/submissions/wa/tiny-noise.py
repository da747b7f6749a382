# caught by: test_equal_inputs_give_equal_outputs
"""The scores are multiplied by random noise as small as a rounding error."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores * (1 + torch.finfo(q.dtype).eps * torch.randn_like(scores))  # "regularisation"
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ v
