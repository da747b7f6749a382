"""Derives from torch.optim.Muon."""

import torch


def newton_schulz(g, steps=5):
    return torch.optim._muon._zeropower_via_newtonschulz(g, (3.4445, -4.7750, 2.0315), steps, 1e-7)


class Muon(torch.optim.Muon):
    def __init__(self, params, lr=0.02, momentum=0.95, weight_decay=0.0, nesterov=True, steps=5):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov, ns_steps=steps)
