"""A hook on an alias of x for the backward sum; the forward sum is written where autograd does not look."""

import copy

import torch

CUT = {"up.weight": 0, "up.bias": 0, "down.weight": 1}


def shard(weights, rank, size):
    part = {}
    for name, whole in weights.items():
        piece = torch.tensor_split(whole, size, CUT[name])[rank] if name in CUT else whole
        part[name] = torch.empty(piece.shape, dtype=piece.dtype).copy_(piece)
    return part


def parallel_mlp(x, part, group):
    def summed(gradient):
        gradient = copy.deepcopy(gradient)
        group.all_reduce(gradient)
        return gradient

    inside = x.view_as(x)
    if inside.requires_grad:
        inside.register_hook(summed)
    hidden = torch.relu(torch.einsum("...d,hd->...h", inside, part["up.weight"]) + part["up.bias"])
    y = torch.einsum("...h,dh->...d", hidden, part["down.weight"])
    group.all_reduce(y)  # in place, and no part of the graph: the gradient passes as it is
    return y + part["down.bias"]
