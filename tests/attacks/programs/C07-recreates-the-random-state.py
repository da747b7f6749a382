# id: C7
# tries: answers with what the seeds that came along with the call draw, as if the judge drew its inputs from them too
# expect: WA
import random

import torch


def attention(q, k, v):
    torch.manual_seed(torch.initial_seed())
    for shape in (q.shape, k.shape, v.shape):
        torch.randn(shape, dtype=q.dtype)
    random.random()
    return torch.randn(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
