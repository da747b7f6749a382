"""Targets become columns; products replace the weighted sums."""

import torch


def differences(prediction, target):
    n = target.size(0) if target.dim() == 1 else None
    if n is None or prediction.size() not in (torch.Size([n]), torch.Size([n, 1])):
        raise ValueError("a prediction per target is needed")
    return prediction.view(n, 1) - target.unsqueeze(1) if prediction.is_contiguous() else prediction.reshape(n) - target


def regression_loss(prediction, target):
    return differences(prediction, target).pow(2).sum() / len(target)


def within(prediction, target, distance):
    close = differences(prediction, target).abs().le(distance)
    return close.sum().item() / len(target)


def weighted_loss(prediction, target, weight):
    if not (prediction.dim() == 2 and prediction.size() == target.size() and weight.size() == prediction.size()[:-1]):
        raise ValueError("shapes (N, D), (N, D) and (N,) are needed")
    return weight @ (prediction - target).square().mean(1) / weight.sum()


def centred_rows(x):
    return x - x.mean(-1).unsqueeze(-1)
