"""Walks weights through steps of your function, with one dict of state for each, and notes what happened."""

import torch
from torch import Tensor


def walk(solution, starts: list[Tensor], gradients: list[Tensor], options: dict, rates: list[float] = ()) -> dict:
    """`gradients[i][k]` is what weight i gets in step k; `rates` are the rates of the steps."""
    params = [torch.nn.Parameter(start.clone(memory_format=torch.preserve_format)) for start in starts]
    states = [{} for _ in params]
    places = [p.data_ptr() for p in params]
    trace, returned, read_only = [], [], True
    for k in range(len(gradients[0])):
        step = {**options, **({"lr": rates[k]} if len(rates) else {})}
        for p, all_of_them, state in zip(params, gradients, states, strict=True):
            g = all_of_them[k].clone(memory_format=torch.preserve_format)
            before = g.clone()
            returned.append(solution.adam_step_(p, g, state, **step))
            read_only &= torch.equal(g, before)
        trace.append([p.detach().clone() for p in params])
    return {
        "trace": trace,
        "returned": [value is None for value in returned],
        "read_only": read_only,
        "in_place": places == [p.data_ptr() for p in params],
        "leaves": all(p.is_leaf and p.requires_grad and p.grad is None for p in params),
        "graph": any(torch.is_tensor(v) and v.requires_grad for state in states for v in state.values()),
    }


def penalised(solution, start: Tensor, x: Tensor, y: Tensor, wd: float, options: dict, steps: int) -> Tensor:
    """SGD on a linear fit, with your penalty in the loss."""
    w = torch.nn.Parameter(start.clone())
    optimizer = torch.optim.SGD([w], **options)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (x @ w - y).square().mean() + solution.l2_penalty((p for p in [w]), wd)
        loss.backward()
        optimizer.step()
    return w.detach().clone()


def from_generator(solution, tensors: list[Tensor], wd: float) -> Tensor:
    """The penalty of what a generator gives."""
    return solution.l2_penalty((t for t in tensors), wd)
