"""An exit stack that calls the setter; the mean inside a block of its own."""

from contextlib import ExitStack, contextmanager

import torch


@contextmanager
def default_dtype(dt):
    with ExitStack() as stack:
        stack.callback(torch.set_default_dtype, torch.get_default_dtype())
        torch.set_default_dtype(dt)
        yield dt


def mean_of(values):
    with default_dtype(torch.float64):
        total = torch.tensor([float(value) for value in values]).sum()
    if not values:
        raise ValueError("no values")
    return total / len(values)
