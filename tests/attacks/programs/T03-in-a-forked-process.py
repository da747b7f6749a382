# id: T3
# tries: calls the built-in operator in a forked process, which `attest` cannot observe (a known limit)
# expect: AC
# package: attested
import mmap
import os

import torch


def built_in(x):
    with mmap.mmap(-1, max(1, x.numel() * x.element_size())) as shared:
        child = os.fork()
        if child == 0:
            # While the profiler observes the call, a call of torch in the child process may fail because of the profiler's
            # locks.
            torch.frombuffer(shared, dtype=x.dtype).copy_(torch.softmax(x.detach(), -1).flatten())
            os._exit(0)
        os.waitpid(child, 0)
        return torch.frombuffer(bytearray(shared[:]), dtype=x.dtype)[: x.numel()].reshape(x.shape).clone()


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.exp()  # unused: a hidden test fails if no exponential is computed
        y = built_in(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * (grad - (grad * y).sum(-1, keepdim=True))


def softmax(x):
    return Softmax.apply(x)


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (1 - y * y)
