"""Nothing in place but the last assignment; the polynomial acts from the right for tall matrices."""

import math

import torch


def newton_schulz(g, steps=5):
    m, n = g.shape
    x = g / (torch.linalg.matrix_norm(g) + 1e-7)
    for _ in range(steps):
        if m > n:
            A = x.mT @ x
            x = 3.4445 * x + x @ (-4.7750 * A + 2.0315 * (A @ A))
        else:
            A = x @ x.mT
            x = 3.4445 * x + (-4.7750 * A + 2.0315 * (A @ A)) @ x
    return x


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95, weight_decay=0.0, nesterov=True, steps=5):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov, steps=steps))
        for p in (p for group in self.param_groups for p in group["params"]):
            if p.dim() in (0, 1):
                raise ValueError("a vector has no singular values to equalise")

    def step(self, closure=None):
        result = None
        if closure is not None:
            with torch.enable_grad():
                result = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.update(p, p.grad.detach(), group)
        return result

    def update(self, p, g, group):
        mu = group["momentum"]
        old = self.state[p].get("momentum_buffer", torch.zeros_like(g))
        v = mu * old + g
        self.state[p]["momentum_buffer"] = v
        u = g + mu * v if group["nesterov"] else v
        flat = u.flatten(1)
        o = newton_schulz(flat, group["steps"]).view_as(u)
        scale = math.sqrt(max(1.0, flat.size(0) / flat.size(1)))
        decayed = p.detach() * (1 - group["lr"] * group["weight_decay"])
        p.data = decayed - group["lr"] * scale * o
