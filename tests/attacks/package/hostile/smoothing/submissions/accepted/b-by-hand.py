import math

import torch


def smooth(x):
    scores = torch.mm(x, x.t()).div_(math.sqrt(x.shape[-1]))
    weights = scores.sub_(scores.amax(1, keepdim=True)).exp_()
    return torch.mm(weights, x) / weights.sum(1, keepdim=True)
