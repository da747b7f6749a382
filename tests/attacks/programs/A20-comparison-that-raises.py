# id: A20
# tries: returns values of other types, in the hope that an error in the comparison counts as a skip
# expect: WA
import torch

ODD = [None, {}, "zeros", [torch.zeros(1)], (1, 2), torch.zeros(0), torch.zeros(2, dtype=torch.bool), 3.5]
turn = iter(ODD * 10)


def attention(q, k, v):
    return next(turn)
