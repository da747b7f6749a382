"""The graph may come from a recursion as well."""

from torch import nn


class AdaptiveDepth(nn.Module):
    steps_taken = 0

    def __init__(self, width, threshold=1.0, max_steps=10):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.act = nn.Tanh()
        self.settings = threshold, max_steps

    def forward(self, x):
        out, self.steps_taken = self.go(x, 0)
        return out

    def go(self, h, done):
        threshold, most = self.settings
        rows = h.detach().reshape(-1, h.shape[-1]).pow(2).sum(1).sqrt().tolist()
        if done == most or not any(norm >= threshold for norm in rows):
            return h, done
        return self.go(self.act(self.layer(h)), done + 1)
