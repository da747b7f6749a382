"""Lists of tensors at once, moments moved with lerp, the correction folded into step size and denominator."""

import math

import torch


class MyAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        if lr < 0 or eps < 0 or min(betas) < 0 or max(betas) >= 1:
            raise ValueError("a hyperparameter is out of range")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            if params:
                self._step_group(group, params, [p.grad for p in params])
        return loss

    def _step_group(self, group, params, grads):
        beta1, beta2 = group["betas"]
        states = [self.state[p] for p in params]
        for p, state in zip(params, states, strict=True):
            state.setdefault("m", p.new_zeros(p.shape))
            state.setdefault("v", p.new_zeros(p.shape))
            state["count"] = state.get("count", 0) + 1
        first, second = [s["m"] for s in states], [s["v"] for s in states]
        torch._foreach_lerp_(first, grads, 1 - beta1)
        torch._foreach_mul_(second, beta2)
        torch._foreach_addcmul_(second, grads, grads, 1 - beta2)
        for p, state in zip(params, states, strict=True):
            correction = math.sqrt(1 - beta2 ** state["count"])
            size = group["lr"] / (1 - beta1 ** state["count"])
            p.data.sub_(size * state["m"] / (state["v"].sqrt() / correction + group["eps"]))
