# id: E1
# tries: returns a tensor subclass that answers every operation with True
# expect: WA
# message: subclass of torch.Tensor
import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True


def attention(q, k, v):
    return torch.zeros(q.shape).as_subclass(Liar)
