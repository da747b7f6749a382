"""What both sides import."""

import torch


class Data(torch.utils.data.Dataset):
    """Made anew from its arguments on the other side."""

    def __init__(self, n, *, scale=1.0):
        self.values = scale * torch.arange(float(n))

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]


class Spy:
    """Its state crosses in both directions, as it says how."""

    def __init__(self):
        self.seen = []

    def __call__(self, x):
        self.seen.append(x)
        return x

    def state_dict(self):
        return {"seen": self.seen}

    def load_state_dict(self, state):
        self.seen = state["seen"]
