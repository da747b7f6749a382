# id: T2
# tries: calls the built-in operator in a thread that was started at import and waits for work
# expect: WA
# message: ^a built-in softmax was used
# package: attested
import _thread
import queue

import torch

work, done = queue.Queue(), queue.Queue()


def serve():
    while True:
        done.put(torch.softmax(work.get(), -1))


_thread.start_new_thread(serve, ())


def built_in(x):
    work.put(x.detach())
    return done.get()


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
