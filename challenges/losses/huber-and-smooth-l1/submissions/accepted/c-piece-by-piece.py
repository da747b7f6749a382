"""Masks weigh the two pieces; the linear one continues the parabola by the definition of its slope."""

import torch


def checked(pred, target, reduction):
    if list(pred.shape) != list(target.shape):
        raise ValueError("the shapes differ")
    if reduction not in ("none", "sum", "mean"):
        raise ValueError("reduction")
    return pred - target


def finish(values, reduction):
    return values if reduction == "none" else getattr(torch, reduction)(values)


def smooth_l1(pred, target, beta=1.0, reduction="mean"):
    if beta < 0:
        raise ValueError("beta")
    e = checked(pred, target, reduction)
    if beta == 0.0:
        return finish(torch.abs(e), reduction)
    near = (torch.abs(e) <= beta).to(e.dtype)
    parabola = near * e * e / (2 * beta)
    lines = (1 - near) * (torch.sign(e) * e - beta / 2)
    return finish(parabola + lines, reduction)


def huber(pred, target, delta=1.0, reduction="mean"):
    if delta <= 0:
        raise ValueError("delta")
    return delta * smooth_l1(pred, target, delta, reduction)
