# caught by: test_resume_from_the_state_dict
"""A count per parameter, but kept beside the state: a checkpoint does not have it."""

import torch


class MyAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        if lr < 0 or eps < 0:
            raise ValueError("lr and eps must not be negative")
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError("betas must lie in [0, 1)")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})
        self.counts = {}

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p)
                self.counts[p] = self.counts.get(p, 0) + 1
                t, m, v = self.counts[p], state["exp_avg"], state["exp_avg_sq"]
                m.mul_(beta1).add_(p.grad, alpha=1 - beta1)
                v.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
                denominator = (v / (1 - beta2**t)).sqrt_().add_(group["eps"])
                p.addcdiv_(m, denominator, value=-group["lr"] / (1 - beta1**t))
        return loss
