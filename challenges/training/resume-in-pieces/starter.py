"""A run that can be stopped and continued. It trains well, and it comes back as another one."""

import torch
import torch.nn.functional as F
from torch import nn


def network(weights):
    """Linear, tanh, linear, with the given weights."""
    hidden, inputs = weights["0.weight"].shape
    net = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, len(weights["2.bias"])))
    net.to(weights["0.weight"].dtype)
    net.load_state_dict(weights)
    return net


class Run:
    def __init__(self, weights, lr=0.1):
        self.model = network(weights)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.7)
        self.epoch = 0  # how many epochs are done
        self.best_loss = float("inf")
        self.best_weights = None

    def train(self, batches, until):
        """Train until `until` epochs are done. Returns the mean loss of each epoch that was run."""
        losses = []
        while self.epoch < until:
            total = 0.0
            for x, y in batches:
                loss = F.mse_loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            self.scheduler.step()
            losses.append(total / len(batches))
            if losses[-1] < self.best_loss:
                self.best_loss = losses[-1]
                self.best_weights = self.model.state_dict()
            self.epoch += 1
        return losses

    def predict(self, x):
        """The model's output, without a graph."""
        with torch.no_grad():
            return self.model(x)

    def best(self):
        """The smallest loss of an epoch so far, and the weights at the end of that epoch."""
        return self.best_loss, self.best_weights

    def state(self):
        """All that a new run needs to go on. It stays as it is when this run goes on."""
        return {
            "epoch": self.epoch - 1,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }

    def restore(self, state):
        """Go on from a state. It is only read, and may be used again."""
        self.model = network(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]
