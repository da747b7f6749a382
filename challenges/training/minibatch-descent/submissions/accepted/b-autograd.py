"""split of the order; the gradients by autograd."""

import torch
import torch.nn.functional as F


def minibatches(X, y, size, generator=None, drop_last=False):
    parts = torch.randperm(X.size(0), generator=generator).split(size)
    return ((X[part], y[part]) for part in parts if not drop_last or part.numel() == size)


def sgd_fit(X, y, size, lr, epochs, generator=None, drop_last=False):
    w = X.new_zeros(X.size(1), requires_grad=True)
    b = X.new_zeros((), requires_grad=True)
    losses = []
    with torch.enable_grad():
        for _ in range(epochs):
            for X_batch, y_batch in minibatches(X, y, size, generator, drop_last):
                loss = F.mse_loss(torch.mv(X_batch, w) + b, y_batch)
                losses.append(float(loss))
                gradients = torch.autograd.grad(loss, (w, b))
                with torch.no_grad():
                    for p, g in zip((w, b), gradients, strict=True):
                        p -= lr * g
    return w.detach(), b.detach(), losses
