# id: T15
# tries: calls the built-in operator only in the backward pass, in a thread
# expect: WA
# message: ^a built-in softmax in the backward pass
# package: attested
import threading

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        weights = (x - x.amax(-1, keepdim=True)).exp()
        ctx.save_for_backward(x)
        return weights / weights.sum(-1, keepdim=True)

    @staticmethod
    def backward(ctx, grad):
        results, (x,) = [], ctx.saved_tensors
        thread = threading.Thread(target=lambda: results.append(torch.softmax(x.detach(), -1)))
        thread.start()
        thread.join()
        return results[0] * (grad - (grad * results[0]).sum(-1, keepdim=True))


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
