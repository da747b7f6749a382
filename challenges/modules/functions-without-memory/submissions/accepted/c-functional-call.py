"""A skeleton of modules on the meta device, run with the given tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, features, hidden, classes, p=0.5):
        super().__init__()
        self.first = nn.Linear(features, hidden)
        self.last = nn.Linear(hidden, classes)
        self.scale, self.shift = nn.Parameter(torch.ones(hidden)), nn.Parameter(torch.zeros(hidden))
        for name, start in (("mean", torch.zeros(hidden)), ("var", torch.ones(hidden))):
            self.register_buffer(name, start)
        self.p = p

    def forward(self, x):
        h = torch.batch_norm(
            self.first(x), self.scale, self.shift, self.mean, self.var, self.training, 0.1, 1e-5, torch.backends.cudnn.enabled
        )
        h = torch.dropout(h, self.p, self.training)
        return self.last(h.relu())


def functional_mlp(x, params):
    layers = []
    for i in range(0, 2 * sum(name.endswith("weight") for name in params), 2):
        shape = params[f"{i}.weight"].shape
        layers += [nn.Linear(shape[1], shape[0], bias=f"{i}.bias" in params, device="meta"), nn.Tanh()]
    return torch.func.functional_call(nn.Sequential(*layers[:-1]), params, (x,))
