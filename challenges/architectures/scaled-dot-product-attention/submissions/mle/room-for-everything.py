# caught by: test_worked_example
"""Every call allocates 16 GiB, one byte for each pair of 131072 queries and keys."""

import math

import torch

LONGEST = 1 << 17


def attention(q, k, v, mask=None):
    room = torch.empty(LONGEST * LONGEST, dtype=torch.uint8)  # one byte for every pair that may ever come: 16 GiB
    room[::4096] = 1
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ v
