"""The run that is interrupted: a small network, data that are shuffled and augmented, and parts that cannot be saved."""

import random

import torch
from torch import Tensor, nn
from torch.nn import functional


class Network(nn.Module):
    """Linear, batch norm, dropout, linear."""

    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(hidden, outputs)

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, outputs)
        return self.last(self.dropout(torch.tanh(self.norm(self.first(x)))))


class Run:
    """The objects of one run, by the plan: which optional parts it has."""

    def __init__(self, plan: dict, weights: dict[str, Tensor]) -> None:
        self.plan = plan
        self.model = Network(*plan["sizes"], plan.get("dropout", 0.0)).double()
        self.model.load_state_dict(weights)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.scheduler = self.scaler = self.generator = None
        if plan.get("scheduler"):
            self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=5)
        if plan.get("scaler"):
            self.scaler = torch.amp.GradScaler(
                "cpu", init_scale=4.0, growth_interval=3, enabled=plan["scaler"] != "disabled"
            )
        if plan.get("shuffled"):
            self.generator = torch.Generator().manual_seed(plan["seed"] + 1)

    def parts(self) -> dict:
        """What save_checkpoint and resume are given."""
        named = {"scheduler": self.scheduler, "scaler": self.scaler, "generator": self.generator}
        return {"model": self.model, "optimizer": self.optimizer, **{k: v for k, v in named.items() if v is not None}}

    def epoch(self, x: Tensor, y: Tensor) -> float:
        """One epoch in batches of three. Returns the sum of the losses."""
        order = torch.arange(len(x)) if self.generator is None else torch.randperm(len(x), generator=self.generator)
        total = 0.0
        for rows in order.split(3):
            sign = random.choice([-1.0, 1.0, 0.5]) if self.plan.get("augmented") else 1.0
            loss = functional.mse_loss(self.model(sign * x[rows]), y[rows])
            self.optimizer.zero_grad()
            if self.scaler is None:
                loss.backward()
                self.optimizer.step()
            else:
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
            total += loss.item()
        if self.scheduler is not None:
            self.scheduler.step()
        return total

    def end(self) -> dict:
        """What a run can be told by."""
        return {
            "weights": {name: value.detach().clone() for name, value in self.model.state_dict().items()},
            "rate": self.optimizer.param_groups[0]["lr"],
            "scale": self.scaler.get_scale() if self.scaler is not None else None,
        }


class Unsaveable:
    """A stand-in for a scheduler whose state breaks off in the middle of saving."""

    def state_dict(self) -> dict:
        return {"first": torch.ones(100), "broken": Breaks(), "last": torch.ones(100)}


class Breaks:
    """Raises when it is pickled."""

    def __reduce__(self):
        raise RuntimeError("the power went out")
