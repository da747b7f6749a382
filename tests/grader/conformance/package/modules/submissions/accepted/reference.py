"""The reference answer: a correct implementation of everything that the tests of this package check."""

import torch
from torch import nn


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


class Tied(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.embed = nn.Embedding(n, d)
        self.head = nn.Linear(d, n, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        return self.head(self.embed(tokens))


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ParameterList()

    def grow(self):
        self.layers.append(nn.Parameter(torch.ones(2)))
        return len(self.layers)

    def forward(self, x):
        for w in self.layers:
            x = x * w
        return x
