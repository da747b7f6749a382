"""Builds a stack, runs your forward pass and backward, and brings back results, gradients and what was noted."""

import contextlib
import warnings

import torch
from given import Block, alive, casts, entries
from torch import nn

CONTAINERS = {"list": list, "tuple": tuple, "ModuleList": nn.ModuleList, "Sequential": lambda b: nn.Sequential(*b)}


def stack(plan: dict, log: list) -> list:
    """The plan's blocks with random weights, some of them frozen."""
    torch.manual_seed(plan["seed"])
    blocks = [Block(i, plan["width"], plan.get("dropout", 0.0), log) for i in range(plan["blocks"])]
    for i, block in enumerate(blocks):
        evaluating = plan.get("eval", False)  # all blocks, or the numbers of those that do
        training = not evaluating if isinstance(evaluating, bool) else i not in evaluating
        block.to(plan.get("dtype", torch.float32)).train(training)
        block.requires_grad_(i not in plan.get("frozen", []))
    return blocks


def train(solution, plan: dict, x: torch.Tensor) -> dict:
    """Forward with gradients, then backward of a weighted sum; `by` says whether by backward() or by autograd.grad()."""
    log: list = []
    blocks = stack(plan, log)
    x = x.detach().clone().requires_grad_(plan.get("data", True))
    torch.manual_seed(plan["seed"] + 1)
    dtype = plan.get("autocast")
    cast = torch.autocast("cpu", dtype=dtype) if dtype else contextlib.nullcontext()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with cast:
            y = solution.checkpointed(CONTAINERS[plan.get("container", "list")](blocks), x, plan["every"])
        held, after_forward = alive(log), torch.get_rng_state()
        weights = torch.linspace(-1, 2, y.numel(), dtype=y.dtype).reshape(y.shape)
        wanted = [x] * x.requires_grad + [p for b in blocks for p in b.parameters() if p.requires_grad]
        if plan.get("by") == "grad":
            gradients = torch.autograd.grad((y * weights).sum(), wanted)
        else:
            (y * weights).sum().backward()
            gradients = [t.grad for t in wanted]
    return {
        "y": y.detach(),
        "gradients": list(gradients),
        "entered": entries(log, len(blocks)),
        "casts": casts(log),
        "held": held,
        "random": [after_forward, torch.get_rng_state()],
        "modes": sorted({m.training for b in blocks for m in b.modules()}),
        "warnings": sorted({type(w.message).__name__ for w in caught}),
    }


def infer(solution, plan: dict, x: torch.Tensor) -> dict:
    """Forward under no_grad."""
    log: list = []
    blocks = stack(plan, log)
    torch.manual_seed(plan["seed"] + 1)
    with torch.no_grad():
        y = solution.checkpointed(blocks, x, plan["every"])
    return {"y": y, "entered": entries(log, len(blocks)), "requires_grad": y.requires_grad}
