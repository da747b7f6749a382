"""A module class that both the test and the answer import."""

import torch


class Line(torch.nn.Module):
    def __init__(self, slope=1.0):
        super().__init__()
        self.slope = torch.nn.Parameter(torch.tensor(slope))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.calls += 1
        return self.slope * x
