# id: E2
# tries: returns tensors without data: meta, fake, wrapper subclasses, functorch wrappers
# expect: WA
import torch
from torch._subclasses.fake_tensor import FakeTensorMode


class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, size):
        return torch.Tensor._make_wrapper_subclass(cls, size)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return torch.ones(())


kept = []
torch.vmap(lambda x: kept.append(x) or x)(torch.zeros(3, 2))
with FakeTensorMode():
    fake = torch.zeros(3, 5)
odd = iter([torch.zeros(1, 4, device="meta"), fake, Lazy((3, 5)), kept[0]] * 9)


def attention(q, k, v):
    return next(odd)
