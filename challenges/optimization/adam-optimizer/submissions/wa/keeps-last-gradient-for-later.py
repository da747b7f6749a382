# caught by: test_gradients_that_share_one_buffer
"""Moves the moments lazily, with the gradient it remembers: that tensor has been overwritten by then."""

import torch


class MyAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        if lr < 0 or eps < 0:
            raise ValueError("lr and eps must not be negative")
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError("betas must lie in [0, 1)")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

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
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p)
                if "last" in state:
                    state["exp_avg"].mul_(beta1).add_(state["last"], alpha=1 - beta1)
                state["last"] = p.grad
                state["step"] += 1
                t, v = state["step"], state["exp_avg_sq"]
                m = state["exp_avg"] * beta1 + (1 - beta1) * p.grad
                v.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
                denominator = (v / (1 - beta2**t)).sqrt_().add_(group["eps"])
                p.addcdiv_(m, denominator, value=-group["lr"] / (1 - beta1**t))
        return loss
