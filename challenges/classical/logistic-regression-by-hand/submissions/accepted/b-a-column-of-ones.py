"""The bias is the weight of a column of ones, with a penalty of 0."""

import torch


def checked(x, y, l2):
    if l2 < 0:
        raise ValueError("negative l2")
    labels = y.detach().to(x.dtype)
    if not bool(torch.isin(labels, torch.tensor([0.0, 1.0], dtype=x.dtype)).all()):
        raise ValueError("labels other than 0 and 1")
    x = x.detach()
    penalty = torch.full((x.shape[1] + 1,), float(l2), dtype=x.dtype)
    penalty[-1] = 0
    return torch.cat([x, torch.ones_like(x[:, :1])], dim=1), labels, penalty


def both(wide, y, theta, penalty):
    z = wide @ theta
    loss = (torch.logaddexp(z, torch.zeros_like(z)) - y * z).mean() + (penalty * theta**2).sum() / 2
    return loss, ((torch.sigmoid(z) - y)[:, None] * wide).mean(0) + penalty * theta


def loss_and_gradient(x, y, w, b, l2=0.0):
    wide, labels, penalty = checked(x, y, l2)
    loss, gradient = both(wide, labels, torch.cat([w.detach(), b.detach().reshape(1)]), penalty)
    return loss, gradient[:-1], gradient[-1]


def fit(x, y, l2=0.0, lr=0.5, steps=1000, tol=1e-6):
    wide, labels, penalty = checked(x, y, l2)
    theta = torch.zeros_like(penalty)
    for taken in range(steps):
        gradient = both(wide, labels, theta, penalty)[1]
        if torch.linalg.vector_norm(gradient) <= tol:
            break
        theta = theta - lr * gradient
    else:
        taken = steps
    return theta[:-1], theta[-1], taken
