# caught by: test_a_state_does_not_change
"""restore keeps tensors of the state, and training writes into them."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


def network(weights):
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
        self.epoch = 0
        self.best_loss = float("inf")
        self.best_weights = None

    def train(self, batches, until):
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
                self.best_weights = copy.deepcopy(self.model.state_dict())
            self.epoch += 1
        return losses

    def predict(self, x):
        with torch.no_grad():
            return self.model(x)

    def best(self):
        return self.best_loss, self.best_weights

    def state(self):
        state = {
            "epoch": self.epoch,
            "best": [self.best_loss, self.best_weights],
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
        }
        return copy.deepcopy(state)

    def restore(self, state):
        for name, p in self.model.named_parameters():
            p.data = state["model"][name]
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.epoch = state["epoch"]
        self.best_loss, self.best_weights = state["best"]
