# caught by: test_agrees_with_loops
"""The output is not a tensor but an object that is equal to everything."""

import torch
from torch import nn


class Yes:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    __hash__ = object.__hash__


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, context=None, mask=None, causal=False):
        return Yes()
