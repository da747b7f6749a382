"""Small programs that run next to your answer, where a graph with other operators around Swish can be built."""

import torch
from torch import Tensor


def edited_between(solution, x: Tensor, beta: Tensor, which: int) -> str:
    """Forward, then an in-place edit of one input, then backward: "refused" if autograd noticed, else "accepted"."""
    inputs = [x.clone().requires_grad_(), beta.clone().requires_grad_()]
    carried = [t * 1 for t in inputs]
    out = solution.Swish.apply(*carried)
    carried[which].detach().add_(1)
    try:
        out.sum().backward()
    except RuntimeError as error:
        return "refused" if "inplace operation" in str(error) else "failed"
    return "accepted"


def beside_a_shortcut(solution, x: Tensor, beta: Tensor, shortcut: Tensor, weight: Tensor) -> list[Tensor]:
    """Gradients of sum(weight · (swish(x, beta) + shortcut)), as a residual block has them; weight comes last."""
    leaves = [t.clone().requires_grad_() for t in (x, beta, shortcut)]
    out = solution.Swish.apply(leaves[0], leaves[1]) + leaves[2]
    cotangent = weight.clone()
    gradients = torch.autograd.grad(out, leaves, cotangent)
    return [*gradients, cotangent]


def twice_through(solution, x: Tensor, beta: Tensor, first: Tensor, second: Tensor) -> list[Tensor]:
    """Two backward passes through one graph with different cotangents: both sets of gradients."""
    leaves = [x.clone().requires_grad_(), beta.clone().requires_grad_()]
    out = solution.Swish.apply(*leaves)
    earlier = torch.autograd.grad(out, leaves, first, retain_graph=True)
    later = torch.autograd.grad(out, leaves, second)
    return [*earlier, *later]


def gradient_penalty(solution, weight: Tensor, bias: Tensor, beta: Tensor, points: Tensor) -> list[Tensor]:
    """Gradients of mean((‖∂f/∂points‖ - 1)²) for f = sum over features of swish(points @ weight + bias, beta)."""
    parameters = [t.clone().requires_grad_() for t in (weight, bias, beta)]
    at = points.clone().requires_grad_()
    score = solution.Swish.apply(at @ parameters[0] + parameters[1], parameters[2]).sum()
    (slope,) = torch.autograd.grad(score, at, create_graph=True)
    penalty = (slope.norm(dim=1) - 1).square().mean()
    return list(torch.autograd.grad(penalty, parameters))
