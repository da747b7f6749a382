"""Lets torch do it."""

import torch


class Value:
    def __init__(self, data):
        self.t = torch.tensor(float(data), requires_grad=True)
