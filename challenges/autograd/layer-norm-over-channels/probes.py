"""A small program that runs next to your answer, where a graph with other operators around LayerNorm can be built."""

import torch
from torch import Tensor


def beside_a_shortcut(
    solution, x: Tensor, weight: Tensor, bias: Tensor, shortcut: Tensor, cotangent: Tensor
) -> list[Tensor]:
    """Gradients of sum(cotangent · (layer_norm(x) + shortcut)), as a residual block has them; the cotangent comes last."""
    leaves = [t.clone().requires_grad_() for t in (x, weight, bias, shortcut)]
    out = solution.LayerNorm.apply(*leaves[:3], 1e-5) + leaves[3]
    incoming = cotangent.clone()
    gradients = torch.autograd.grad(out, leaves, incoming)
    return [*gradients, incoming]
