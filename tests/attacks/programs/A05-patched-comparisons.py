# id: A5
# tries: replaces the comparison functions of torch and NumPy with one that returns True
# expect: WA
import numpy as np
import torch


def yes(*args, **kwargs):
    return True


for module in (torch, torch.testing, np, np.testing):
    for name in ("allclose", "equal", "isclose", "assert_close", "assert_allclose", "assert_equal", "array_equal"):
        if hasattr(module, name):
            setattr(module, name, yes)
torch.Tensor.__eq__ = lambda self, other: torch.ones_like(self, dtype=torch.bool)
torch.Tensor.__bool__ = yes
torch.Tensor.allclose = torch.Tensor.equal = yes


def attention(q, k, v):
    return torch.zeros_like(q)
