"""Labels of -1 and 1: the loss of a row depends on its margin alone."""

import torch
import torch.nn.functional as F


def loss_and_gradient(x, y, w, b, l2=0.0):
    if l2 < 0 or ((y != 0) & (y != 1)).any():
        raise ValueError("labels or l2")
    with torch.no_grad():
        side = torch.where(y == 1, 1.0, -1.0).to(x.dtype)
        margin = side * ((x * w).sum(1) + b)
        pull = -side * torch.sigmoid(-margin)
        loss = -F.logsigmoid(margin).mean() + 0.5 * l2 * torch.dot(w, w)
        return loss, torch.einsum("n,nd->d", pull, x) / x.shape[0] + l2 * w, pull.sum() / x.shape[0]


def fit(x, y, l2=0.0, lr=0.5, steps=1000, tol=1e-6):
    w = torch.zeros(x.shape[1], dtype=x.dtype)
    b = torch.zeros((), dtype=x.dtype)
    taken = 0
    _, gw, gb = loss_and_gradient(x, y, w, b, l2)
    while taken < steps and float((gw.square().sum() + gb.square()).sqrt()) > tol:
        w -= lr * gw
        b -= lr * gb
        taken += 1
        _, gw, gb = loss_and_gradient(x, y, w, b, l2)
    return w, b, taken
