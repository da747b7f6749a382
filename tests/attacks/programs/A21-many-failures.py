# id: A21
# tries: returns a large tensor in which every element is wrong and takes many digits to print
# expect: WA
# message: ^.{0,2000}$
import torch


def attention(q, k, v):
    if q.dim() == 2:
        return torch.full((1_000_000,), 1.2345678901234567e-30, dtype=torch.float64)
    return torch.rand(*q.shape[:-1], v.shape[-1], dtype=q.dtype) * 1e38
