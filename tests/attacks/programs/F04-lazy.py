# id: F4
# tries: returns a tensor whose values are computed only when an operation uses it
# expect: WA
# message: subclass of torch.Tensor
import math

import torch


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        real = [a.todo() if isinstance(a, Lazy) else a for a in args]
        return function(*real, **(kwargs or {}))


def attention(q, k, v):
    out = torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype).as_subclass(Lazy)
    out.todo = lambda: (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out
