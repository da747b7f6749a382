"""Letters instead of positions."""

import torch


def check_shapes(*pairs):
    for found, wanted in pairs:
        if tuple(found) != tuple(wanted):
            raise ValueError(f"{tuple(found)} instead of {tuple(wanted)}")


def errors(prediction, target):
    check_shapes((target.shape, (target.numel(),)))
    if prediction.ndim == 2:
        check_shapes((prediction.shape, (len(target), 1)))
        prediction = prediction[:, 0]
    check_shapes((prediction.shape, target.shape))
    return prediction - target


def regression_loss(prediction, target):
    e = errors(prediction, target)
    return torch.einsum("n,n->", e, e) / len(e)


def weighted_loss(prediction, target, weight):
    if prediction.ndim != 2:
        raise ValueError("predictions of shape (N, D) are needed")
    check_shapes((target.shape, prediction.shape), (weight.shape, (prediction.shape[0],)))
    e = prediction - target
    return torch.einsum("n,nd,nd->", weight, e, e) / (weight.sum() * e.shape[1])


def within(prediction, target, distance):
    near = [abs(e) <= distance for e in errors(prediction, target).tolist()]
    return sum(near) / len(near)


def centred_rows(x):
    d = x.shape[-1]
    return x @ (torch.eye(d, dtype=x.dtype) - 1 / d)
