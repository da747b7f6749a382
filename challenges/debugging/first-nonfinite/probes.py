"""Builds a model, plants a fault, runs your search, and brings back what it said and what it left behind."""

import copy

import torch
from given import Chain
from torch import nn
from torch.nn import functional as F

LOSSES = {"mse": F.mse_loss, "cross-entropy": F.cross_entropy, "l1": F.l1_loss}


def built(plan: dict, dtype: torch.dtype) -> nn.Module:
    """The plan's model with random weights; `plants` overwrite one element, or all, of a parameter."""
    torch.manual_seed(plan["seed"])
    model = Chain(plan["steps"], order=plan.get("order"), factor=plan.get("factor", 1.0)).to(dtype)
    with torch.no_grad():
        for name, element, value in plan.get("plants", []):
            parameter = model.get_parameter(name)
            if element is None:
                parameter.fill_(value)
            else:
                parameter.view(-1)[element] = value
    model.requires_grad_(not plan.get("frozen", False))
    model.train(not plan.get("eval", False))
    for name in plan.get("eval_parts", []):
        model.get_submodule(name).eval()
    return model


def said(solution, plan: dict, x, y) -> str:
    """What the search answers for the plan's model and the batch (x, y)."""
    model = built(plan, plan.get("dtype", torch.float32))
    return solution.first_nonfinite(model, (x, y), LOSSES[plan.get("loss", "mse")])


def said_without_grad(solution, plan: dict, x, y) -> str:
    """The same, for a caller who has switched gradients off."""
    with torch.no_grad():
        return said(solution, plan, x, y)


def hooks(model: nn.Module) -> int:
    """How many hooks of any kind hang on the model's modules and parameters, and on all modules of the process."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    total = sum(len(getattr(module, kind)) for module in model.modules() for kind in kinds)
    total += sum(len(p._backward_hooks or ()) for p in model.parameters())
    everywhere = ("_global_forward_hooks", "_global_forward_pre_hooks", "_global_backward_hooks")
    return total + sum(len(getattr(nn.modules.module, kind)) for kind in everywhere)


def left_behind(solution, plan: dict, x, y) -> dict:
    """State before and after a search: weights and buffers, gradients, mode, hooks, random state, and the answer."""
    model = built(plan, plan.get("dtype", torch.float32))
    for i, parameter in enumerate(model.parameters()):
        parameter.grad = torch.full_like(parameter, float(i)) if i % 2 else None
    calls = []
    model.register_forward_hook(lambda module, inputs, output: calls.append(1))
    modes = [module.training for module in model.modules()]
    x = x.requires_grad_(plan.get("x_learns", False))
    before = copy.deepcopy(model.state_dict())
    hung, random = hooks(model), torch.get_rng_state()
    try:
        answer = solution.first_nonfinite(model, (x, y), LOSSES[plan.get("loss", "mse")])
    except ValueError:
        answer = "ValueError"
    return {
        "answer": answer,
        "before": before,
        "after": dict(model.state_dict()),
        "gradients": [None if p.grad is None else p.grad.clone() for p in model.parameters()],
        "shapes": [list(p.shape) for p in model.parameters()],
        "modes": sorted({module.training for module in model.modules()}),
        "requires_grad": sorted({p.requires_grad for p in model.parameters()}),
        "hooks": [hung, hooks(model)],
        "random": bool(torch.equal(random, torch.get_rng_state())),
        "grad_enabled": torch.is_grad_enabled(),
        "modes_kept": modes == [module.training for module in model.modules()],
        "gradient_of_x": x.grad is not None,
    }
