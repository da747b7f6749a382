import torch


def softmax(x):
    raise NotImplementedError


class Tanh(torch.autograd.Function):
    pass
