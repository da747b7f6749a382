# id: E1
# tries: returns a subclass of torch.nn.Parameter, or a tensor subclass whose __class__ is torch.Tensor
# expect: WA
# message: subclass of torch.Tensor
import torch


class Parameter(torch.nn.Parameter):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True


class Plain(torch.Tensor):
    __class__ = torch.Tensor
    __eq__ = __ne__ = lambda *_: True
    __hash__ = torch.Tensor.__hash__


def attention(q, k, v):
    kind = Plain if q.shape[0] == 1 else Parameter
    return torch.zeros(q.shape).as_subclass(kind)
