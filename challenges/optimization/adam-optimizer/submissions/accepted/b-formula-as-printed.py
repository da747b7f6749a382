"""The formula as it is printed, out of place, with a tensor for the count; state under other names."""

import torch


class MyAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        if not lr >= 0:
            raise ValueError(f"lr: {lr}")
        if not eps >= 0:
            raise ValueError(f"eps: {eps}")
        for beta in betas:
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"beta: {beta}")
        super().__init__(params, dict(lr=lr, betas=tuple(betas), eps=eps))

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.update(p, p.grad, group["lr"], *group["betas"], group["eps"])
        return loss

    def update(self, p, g, lr, b1, b2, eps):
        state = self.state[p]
        t = state.get("t", torch.tensor(0.0, dtype=torch.float64)) + 1
        m = b1 * state.get("m", torch.zeros_like(g)) + (1 - b1) * g
        v = b2 * state.get("v", torch.zeros_like(g)) + (1 - b2) * g.square()
        state["t"], state["m"], state["v"] = t, m, v
        count = t.item()
        p.copy_(p - lr * (m / (1 - b1**count)) / (torch.sqrt(v / (1 - b2**count)) + eps))
