"""Momentum in the optimizer's state, a polynomial of the matrix, and a decoupled decay."""

import torch
from torch import Tensor


def newton_schulz(g: Tensor, steps: int = 5) -> Tensor:
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (g.norm() + 1e-7)
    tall = g.shape[0] > g.shape[1]
    if tall:
        x = x.T
    for _ in range(steps):
        A = x @ x.T
        x = a * x + (b * A + c * A @ A) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    def __init__(
        self,
        params,
        lr: float = 0.02,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
        nesterov: bool = True,
        steps: int = 5,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "steps": steps,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            if any(p.ndim < 2 for p in group["params"]):
                raise ValueError("Muon is for parameters with two or more dimensions")

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            lr, momentum = group["lr"], group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["momentum_buffer"] = torch.zeros_like(p)
                v = state["momentum_buffer"]
                v.mul_(momentum).add_(p.grad)
                update = p.grad + momentum * v if group["nesterov"] else v
                matrix = update.reshape(len(p), -1)
                m, n = matrix.shape
                o = newton_schulz(matrix, group["steps"]).reshape(p.shape)
                p.mul_(1 - lr * group["weight_decay"])
                p.add_(o, alpha=-lr * max(1, m / n) ** 0.5)
        return loss
