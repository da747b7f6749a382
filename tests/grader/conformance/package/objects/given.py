"""Classes that both the test and the answer import."""

import torch


class Data(torch.utils.data.Dataset):
    """A dataset without `state_dict`. When an object is sent, only its constructor arguments are sent, and the other process
    creates a new object from them.
    """

    def __init__(self, n, *, scale=1.0):
        self.values = scale * torch.arange(float(n))

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]


class Spy:
    """A callable that records its arguments. Objects of this class are sent in both directions with their state, because the
    class defines `state_dict` and `load_state_dict`.
    """

    def __init__(self):
        self.seen = []

    def __call__(self, x):
        self.seen.append(x)
        return x

    def state_dict(self):
        return {"seen": self.seen}

    def load_state_dict(self, state):
        self.seen = state["seen"]
