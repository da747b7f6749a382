# id: A20
# tries: returns things over which a comparison falls, in the hope that an error counts as a skip
# expect: WA
import torch

ODD = [None, {}, "zeros", [torch.zeros(1)], (1, 2), torch.zeros(0), torch.zeros(2, dtype=torch.bool), 3.5]
turn = iter(ODD * 10)


def attention(q, k, v):
    return next(turn)
