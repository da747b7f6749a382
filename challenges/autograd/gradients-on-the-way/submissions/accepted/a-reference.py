"""A leaf of our own, and torch.autograd.grad, which stores nothing."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn


@torch.enable_grad()
def input_saliency(model: nn.Module, x: Tensor) -> Tensor:
    leaf = x.detach().requires_grad_()
    best = model(leaf).amax(1)
    (grad,) = torch.autograd.grad(best.sum(), leaf)
    return grad.abs()


@torch.enable_grad()
def intermediate_grads(fns: Sequence[Callable[[Tensor], Tensor]], x: Tensor) -> list[Tensor]:
    results = [x.detach().requires_grad_()]
    for fn in fns:
        results.append(fn(results[-1]))
    return list(torch.autograd.grad(results[-1].sum(), results))
