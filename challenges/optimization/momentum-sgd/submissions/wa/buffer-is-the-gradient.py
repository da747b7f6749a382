# caught by: test_gradients_that_share_one_buffer
"""Keeps .grad as its first buffer: the next backward writes into it."""

import torch


class MySGD(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if lr < 0 or momentum < 0 or weight_decay < 0:
            raise ValueError("lr, momentum and weight_decay must not be negative")
        if nesterov and (momentum == 0 or dampening != 0):
            raise ValueError("nesterov needs momentum and no dampening")
        defaults = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov)
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(group["lr"] * self.direction(p, group))
        return loss

    def direction(self, p, group):
        d = p.grad if not group["weight_decay"] else p.grad + group["weight_decay"] * p
        momentum = group["momentum"]
        if momentum == 0:
            return d
        state = self.state[p]
        if not state:
            state["momentum_buffer"] = d
        else:
            state["momentum_buffer"].mul_(momentum).add_(d, alpha=1 - group["dampening"])
        b = state["momentum_buffer"]
        return d + momentum * b if group["nesterov"] else b
