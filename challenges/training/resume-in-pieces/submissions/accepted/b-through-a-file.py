"""The state is a file in memory: bytes alias nothing. restore builds everything again, the optimizer included."""

import io

import torch
from torch import nn


class Run:
    def __init__(self, weights, lr=0.1):
        self.best_loss, self.best_weights, self.epoch = float("inf"), None, 0
        self._build(weights, lr)

    def _build(self, weights, lr):
        first, last = weights["0.weight"], weights["2.weight"]
        layers = nn.Linear(first.size(1), first.size(0)), nn.Tanh(), nn.Linear(last.size(1), last.size(0))
        self.lr = lr
        self.model = nn.Sequential(*layers).to(first.dtype)
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(weights[name])
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.7)

    def _copied(self):
        return {name: value.clone() for name, value in self.model.state_dict().items()}

    def train(self, batches, until):
        losses = []
        for _ in range(self.epoch, until):
            found = []
            for x, y in batches:
                self.optimizer.zero_grad()
                loss = (self.model(x) - y).square().mean()
                loss.backward()
                self.optimizer.step()
                found.append(loss.item())
            self.scheduler.step()
            self.epoch += 1
            losses.append(sum(found) / len(found))
            if losses[-1] < self.best_loss:
                self.best_loss, self.best_weights = losses[-1], self._copied()
        return losses

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def best(self):
        return self.best_loss, self.best_weights

    def state(self):
        buffer = io.BytesIO()
        parts = [self.model.state_dict(), self.optimizer.state_dict(), self.scheduler.state_dict()]
        torch.save([*parts, self.lr, self.epoch, self.best_loss, self.best_weights], buffer)
        return {"file": buffer.getvalue()}

    def restore(self, state):
        model, optimizer, scheduler, lr, *rest = torch.load(io.BytesIO(state["file"]), weights_only=True)
        self._build(model, lr)
        self.optimizer.load_state_dict(optimizer)
        self.scheduler.load_state_dict(scheduler)
        self.epoch, self.best_loss, self.best_weights = rest
