"""The bias as the weight of a column of ones; X and y are permuted as a whole and then cut."""

import torch


def minibatches(X, y, size, generator=None, drop_last=False):
    order = torch.randperm(X.shape[0], generator=generator)
    X, y = X.index_select(0, order), y.index_select(0, order)
    count = len(y) // size if drop_last else -(-len(y) // size)
    for k in range(count):
        yield X[k * size : (k + 1) * size], y[k * size : (k + 1) * size]


@torch.no_grad()
def sgd_fit(X, y, size, lr, epochs, generator=None, drop_last=False):
    ones = torch.ones(X.shape[0], 1, dtype=X.dtype)
    table, theta, losses = torch.cat([X, ones], dim=1), torch.zeros(X.shape[1] + 1, dtype=X.dtype), []
    for _ in range(epochs):
        for rows, targets in minibatches(table, y, size, generator, drop_last):
            residual = rows @ theta - targets
            losses.append((residual @ residual / residual.numel()).item())
            theta -= lr * 2 / residual.numel() * (residual @ rows)
    return theta[:-1].clone(), theta[-1].clone(), losses
