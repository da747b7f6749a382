"""Small training steps that run next to your answer, where leaves, graphs and storages can be watched."""

import torch
from torch import Tensor


def decayed(solution, values: list[Tensor], frozen: list[bool], grads: list[Tensor], rate: float) -> dict:
    """What `decay_` leaves of a list of parameters."""
    params = [torch.nn.Parameter(v.clone(), requires_grad=not f) for v, f in zip(values, frozen, strict=True)]
    for p, g in zip(params, grads, strict=True):
        if p.requires_grad:
            p.grad = g.clone()
    held, places = list(params), [p.data_ptr() for p in params]
    solution.decay_(params, rate)
    same = len(held) == len(params) and all(a is b for a, b in zip(held, params, strict=True))
    return {
        "same": same and places == [p.data_ptr() for p in held],
        "values": [p.detach().clone() for p in held],
        "leaves": [p.is_leaf and p.grad_fn is None for p in held],
        "requires_grad": [p.requires_grad for p in held],
        "grads": [p.grad if p.requires_grad else g for p, g in zip(held, grads, strict=True)],
    }


def decay_before_backward(solution, value: Tensor, rate: float) -> str:
    """Forward, then `decay_`, then backward through what the forward saved: "refused" if autograd noticed the edit."""
    p = torch.nn.Parameter(value.clone())
    loss = (p * p).sum()
    solution.decay_([p], rate)
    try:
        loss.backward()
    except RuntimeError as error:
        return "refused" if "inplace operation" in str(error) else "failed"
    return "unnoticed"


def tracked(solution, mean: Tensor, batches: list[Tensor], momentum: float) -> dict:
    """Several training steps with `track_` between forward and backward: what becomes of the mean and of the gradients."""
    running, place = mean.clone(), None
    place = running.data_ptr()
    grads = []
    for batch in batches:
        leaf = batch.clone().requires_grad_()
        hidden = leaf * 2
        loss = hidden.square().sum()
        solution.track_(running, hidden, momentum)
        (grad,) = torch.autograd.grad(loss + hidden.sum(), leaf, allow_unused=True)
        grads.append(grad)
    return {
        "same": running.data_ptr() == place,
        "mean": running.detach().clone(),
        "graph": running.requires_grad or running.grad_fn is not None,
        "grads": grads,
    }


def modes_afterwards(solution, value: Tensor, batch: Tensor) -> list[bool]:
    """Whether recording is on after `decay_` and `track_`, called where it is on, then where it is off."""
    found = []
    for mode in (True, False):
        for call in (
            lambda: solution.decay_([torch.nn.Parameter(value.clone())], 0.5),
            lambda: solution.track_(value.clone(), batch, 0.5),
        ):
            with torch.set_grad_enabled(mode):
                call()
                found.append(torch.is_grad_enabled())
    return found
