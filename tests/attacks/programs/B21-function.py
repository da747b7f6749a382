# id: B21
# tries: returns functions, modules and classes
# expect: WA
# message: plain tensors
import torch

odd = iter([lambda x: x, torch, torch.Tensor, print, torch.nn.Linear(2, 2)] * 9)


def attention(q, k, v):
    return next(odd)
