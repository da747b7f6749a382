# id: B13
# tries: computes every answer in a second process, which is allowed
# expect: AC
import math
import os
import struct

import torch

ask, answer = os.pipe(), os.pipe()


def computed(inputs):
    q, k, v = inputs
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def read(fd):
    size = struct.unpack("<I", os.read(fd, 4))[0]
    return torch.frombuffer(bytearray(os.read(fd, size)), dtype=torch.float64)


def write(fd, tensors):
    data = torch.cat([t.detach().double().flatten() for t in tensors]).numpy().tobytes()
    os.write(fd, struct.pack("<I", len(data)) + data)


if os.fork() == 0:
    while True:
        shapes = eval(os.read(ask[0], 200))
        parts = read(ask[0]).split([math.prod(shape) for shape in shapes])
        write(answer[1], [computed([part.reshape(shape) for part, shape in zip(parts, shapes)])])


class Elsewhere(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        os.write(ask[1], repr([tuple(x.shape) for x in (q, k, v)]).ljust(200).encode())
        write(ask[1], (q, k, v))
        return read(answer[0]).reshape(*q.shape[:-1], v.shape[-1]).to(q.dtype)

    @staticmethod
    def backward(ctx, grad):
        inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
        with torch.enable_grad():
            return torch.autograd.grad(computed(inputs), inputs, grad)


def attention(q, k, v):
    return Elsewhere.apply(q, k, v)
