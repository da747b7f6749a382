"""A class with enter and exit; the kinds of dropout by name; samples written into one tensor."""

import torch
from torch import nn

KINDS = (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout, nn.FeatureAlphaDropout)


class Evaluating:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.before = {module: module.training for module in self.model.modules()}
        self.model.eval()
        return self.model

    def __exit__(self, *error):
        for module in self.before:
            module.training = self.before[module]
        return False


def evaluating(model):
    return Evaluating(model)


def mc_dropout(model, x, samples):
    was = torch.is_grad_enabled()
    try:
        torch.set_grad_enabled(False)
        with evaluating(model) as m:
            active = [module for module in m.modules() if isinstance(module, KINDS)]
            for module in active:
                module.training = True
            first = m(x)
            out = first.new_empty(samples, *first.shape)
            out[0] = first
            for i in range(1, samples):
                out[i] = m(x)
            return out
    finally:
        torch.set_grad_enabled(was)
