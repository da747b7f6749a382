"""New tensors for every buffer, and one formula for the direction."""

import torch


class MySGD(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        for value in (lr, momentum, weight_decay):
            if not value >= 0.0:
                raise ValueError(f"out of range: {value}")
        if nesterov and not (momentum > 0 and dampening == 0):
            raise ValueError("nesterov")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
            },
        )

    def step(self, closure=None):
        loss = closure() if closure else None
        with torch.no_grad():
            for group in self.param_groups:
                lr, mu, tau = group["lr"], group["momentum"], group["dampening"]
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    d = p.grad.detach().clone()
                    if group["weight_decay"]:
                        d = d.add(p, alpha=group["weight_decay"])
                    if mu:
                        old = self.state[p].get("b")
                        b = d if old is None else mu * old + (1 - tau) * d
                        self.state[p]["b"] = b.clone()
                        d = torch.add(d, b, alpha=mu) if group["nesterov"] else b
                    p.add_(d, alpha=-lr)
        return loss
