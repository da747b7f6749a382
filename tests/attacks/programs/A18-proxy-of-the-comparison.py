# id: A18
# tries: returns wrappers that turn every comparison into a comparison of the expected value with itself
# expect: WA
# message: plain tensors
import torch


class Wrapper:
    def __init__(self, like):
        self.like = like

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        real = [next(b for b in args if not isinstance(b, cls)) if isinstance(a, cls) else a for a in args]
        return function(*real, **(kwargs or {}))

    def __array__(self, *_):
        raise AssertionError("not yet")

    def __getattr__(self, name):
        return getattr(self.like, name)


class Sub(torch.Tensor):
    __torch_function__ = Wrapper.__torch_function__


odd = iter([Wrapper, lambda x: x.as_subclass(Sub)] * 9)


def attention(q, k, v):
    return next(odd)(q)
