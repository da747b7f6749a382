# id: T13
# tries: stops the profiler and calls the built-in operator in a thread
# expect: RE
# message: RuntimeError
# package: attested
import threading

import torch
from torch.autograd import _disable_profiler


def built_in(x):
    try:
        _disable_profiler()
    except RuntimeError:
        pass
    results = []
    thread = threading.Thread(target=lambda: results.append(torch.softmax(x, -1)))
    thread.start()
    thread.join()
    return results[0]


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
