# id: C7
# tries: returns numbers drawn from the seeds that came with the call, as if the judge drew the inputs from them too
# expect: WA
import random

import torch


def attention(q, k, v):
    torch.manual_seed(torch.initial_seed())
    for shape in (q.shape, k.shape, v.shape):
        torch.randn(shape, dtype=q.dtype)
    random.random()
    return torch.randn(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
