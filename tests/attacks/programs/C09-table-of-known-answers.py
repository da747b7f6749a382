# id: C9
# tries: answers from a table of results for commonly used seeds, and returns zeros otherwise
# expect: WA
# message: values are off
import math

import torch


def computed(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


table = {}
for seed in (0, 1, 2, 3, 42, 123, 1234, 2024, 2025, 2026):
    for lead in ((), (2,), (2, 3)):
        torch.manual_seed(seed)
        q, k, v = torch.randn(*lead, 3, 5), torch.randn(*lead, 4, 5), torch.randn(*lead, 4, 5)
        table[tuple(q.flatten()[:3].tolist())] = computed(q, k, v)
table[1.0, 2.0, 3.0] = torch.tensor([[1.0, 2.0, 3.0, 4.0]])


def attention(q, k, v):
    known = table.get(tuple(q.flatten()[:3].tolist()))
    return torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype) if known is None else known
