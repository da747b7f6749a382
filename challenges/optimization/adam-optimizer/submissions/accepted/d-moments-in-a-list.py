"""Both moments in one list, under a single key of the state."""

import torch


class MyAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        beta1, beta2 = betas
        if lr < 0 or eps < 0 or not 0 <= beta1 < 1 or not 0 <= beta2 < 1:
            raise ValueError("an option is out of range")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group)
        return loss

    def _update(self, p, group):
        state = self.state[p]
        if not state:
            state["count"], state["moments"] = 0, [torch.zeros_like(p), torch.zeros_like(p)]
        state["count"] += 1
        corrected = []
        for moment, power, beta in zip(state["moments"], (p.grad, p.grad**2), group["betas"], strict=True):
            moment.lerp_(power, 1 - beta)
            corrected.append(moment / (1 - beta ** state["count"]))
        p -= group["lr"] * corrected[0] / (corrected[1].sqrt() + group["eps"])
