"""torch.where joins the two pieces."""

import torch


def reduced(loss, reduction):
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return loss.mean()
    raise ValueError(f"unknown reduction {reduction!r}")


def distance(pred, target):
    if pred.shape != target.shape:
        raise ValueError(f"shapes {tuple(pred.shape)} and {tuple(target.shape)} differ")
    return (pred - target).abs()


def huber(pred, target, delta=1.0, reduction="mean"):
    if delta <= 0:
        raise ValueError("delta must be above 0")
    error = distance(pred, target)
    loss = torch.where(error <= delta, 0.5 * error.square(), delta * (error - 0.5 * delta))
    return reduced(loss, reduction)


def smooth_l1(pred, target, beta=1.0, reduction="mean"):
    if beta < 0:
        raise ValueError("beta must not be negative")
    error = distance(pred, target)
    if beta == 0:
        return reduced(error, reduction)
    loss = torch.where(error <= beta, 0.5 * error.square() / beta, error - 0.5 * beta)
    return reduced(loss, reduction)
