"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch
from torch import nn
from torch.nn import functional as F


class Dense(nn.Module):
    def __init__(self, n_in, n_out, bias=True):
        super().__init__()
        if n_in < 1:
            raise ValueError("n_in must be positive")
        self.n_in = n_in
        self.weight = nn.Parameter(torch.randn(n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(n_out)) if bias else None

    def forward(self, x):
        y = x @ self.weight.t()
        return y if self.bias is None else y + self.bias

    @property
    def device(self):
        return self.weight.device

    def fit(self, x, y, rate):
        loss = (self(x) - y).pow(2).mean()
        for p, g in zip(self.parameters(), torch.autograd.grad(loss, list(self.parameters()))):
            p.data -= rate * g
        return loss.item()

    def norm(self):
        return self.weight.pow(2).sum()

    def reset(self):
        nn.init.zeros_(self.weight)
        return self

    def clip(self, largest):
        return nn.utils.clip_grad_norm_(self.parameters(), largest)


class Net(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(p)
        self.last = nn.Linear(3, 2)
        self.batches = 0

    def forward(self, x):
        self.batches += 1
        return self.last(self.drop(self.norm(x)))


def apply(module, x):
    return module(x)


def apply_all(modules, x):
    for module in modules:
        x = module(x)
    return x


def train_given(module, x, y, rate):
    optimizer = torch.optim.SGD(module.parameters(), lr=rate)
    optimizer.zero_grad()
    loss = F.mse_loss(module(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def loss_given(module, x):
    return module(x).pow(2).sum()
