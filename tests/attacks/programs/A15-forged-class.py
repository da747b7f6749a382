# id: A15
# tries: returns an object whose __class__ is torch.Tensor, or a subclass of float that equals everything
# expect: WA
# message: plain tensors
import torch


class Liar:
    __class__ = torch.Tensor

    def __float__(self):
        return 1.0

    def __len__(self):
        return 3


class Number(float):
    def __eq__(self, other):
        return True


def attention(q, k, v):
    return Liar() if q.dim() == 2 else Number(1.0)
