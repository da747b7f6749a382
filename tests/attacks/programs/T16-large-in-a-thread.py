# id: T16
# tries: makes a large intermediate in a thread, where only operator names are observed (a known limit)
# expect: AC
# package: attested
import threading

import torch


def softmax(x):
    thread = threading.Thread(target=lambda: torch.zeros(1000, 100).exp())
    thread.start()
    thread.join()
    weights = (x - x.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


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
