"""A third form of the polynomial: Horner's rule on the singular values' side."""

import torch

A, B, C = 3.4445, -4.7750, 2.0315


def newton_schulz(g, steps=5):
    if g.size(0) > g.size(1):
        return newton_schulz(g.t(), steps).t()
    x = g.div(g.square().sum().sqrt().add(1e-7))
    eye = torch.eye(x.size(0), dtype=x.dtype)
    for _ in range(steps):
        square = x.mm(x.t())
        x = (A * eye + square.mm(B * eye + C * square)).mm(x)
    return x


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95, weight_decay=0.0, nesterov=True, steps=5):
        settings = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
        super().__init__(params, settings | {"nesterov": nesterov, "steps": steps})
        if min(p.ndim for group in self.param_groups for p in group["params"]) < 2:
            raise ValueError("two dimensions are needed")

    def step(self, closure=None):
        value = None
        if closure is not None:
            with torch.enable_grad():
                value = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in filter(lambda p: p.grad is not None, group["params"]):
                    if "momentum_buffer" not in self.state[p]:
                        self.state[p]["momentum_buffer"] = p.grad.clone()
                    else:
                        self.state[p]["momentum_buffer"].mul_(group["momentum"]).add_(p.grad)
                    u = self.state[p]["momentum_buffer"]
                    if group["nesterov"]:
                        u = torch.add(p.grad, u, alpha=group["momentum"])
                    u = u.reshape(u.shape[0], -1)
                    factor = max(u.shape[0] / u.shape[1], 1.0) ** 0.5
                    p.sub_(p * (group["lr"] * group["weight_decay"]))
                    p.sub_(group["lr"] * factor * newton_schulz(u, group["steps"]).reshape(p.shape))
        return value
