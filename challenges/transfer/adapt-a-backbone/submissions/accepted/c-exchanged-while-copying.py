"""The head is exchanged while copying; training mode is taken back from all but the head."""

import copy

from torch import nn


def adapt(model, n_classes):
    linear = [(name, module) for name, module in model.named_modules() if type(module) is nn.Linear]
    if n_classes <= 0 or len(linear) == 0:
        raise ValueError
    name, old = linear[-1]
    new = nn.Linear(old.in_features, n_classes).to(dtype=old.weight.dtype, device=old.weight.device)
    # with a memo the copy has the new head in the place of the old one
    body = copy.deepcopy(model, {id(old): new})
    for parameter in body.parameters():
        if parameter is not new.weight and parameter is not new.bias:
            parameter.requires_grad = False
            parameter.grad = None
    return Frozen(body, name)


class Frozen(nn.Module):
    def __init__(self, body, name):
        super().__init__()
        self.body = body
        self.name = name
        self.train()

    def train(self, mode=True):
        super().train(mode)
        for name, module in self.body.named_modules():
            if name != self.name:
                module.training = False
        return self

    def forward(self, *args):
        return self.body(*args)
