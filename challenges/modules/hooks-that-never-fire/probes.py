"""Ensembles and layers with hooks on them."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import prune


def members_of(weights: list[Tensor]) -> list[nn.Module]:
    """Linear layers without bias, with these weights."""
    made = []
    for weight in weights:
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False).to(weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight)
        made.append(layer)
    return made


def watch(module: nn.Module, name: str, calls: list[str]) -> None:
    """A pre-hook, a hook and a full backward hook that write down when they fire."""
    module.register_forward_pre_hook(lambda m, args: calls.append(f"{name} before"))
    module.register_forward_hook(lambda m, args, out: calls.append(f"{name} after"))
    module.register_full_backward_hook(lambda m, gin, gout: calls.append(f"{name} backward"))


def ensemble(solution, weights: list[Tensor], x: Tensor, hooks: bool = True, passes: int = 1) -> dict:
    """Output, gradients and the calls of all hooks."""
    members, calls = members_of(weights), []
    model = solution.Ensemble(members)
    if hooks:
        watch(model, "ensemble", calls)
        for i, member in enumerate(members):
            watch(member, str(i), calls)
    leaf = x.clone().requires_grad_()
    for _ in range(passes):
        out = model(leaf)
    out.square().sum().backward()
    return {
        "out": out.detach(),
        "grads": [leaf.grad, *(m.weight.grad for m in members)],
        "calls": calls,
        "names": [name for name, _ in model.named_parameters()],
    }


def changed(solution, weights: list[Tensor], x: Tensor) -> Tensor:
    """The output if a hook doubles the first member's input, and another one adds 1 to the last one's output."""
    members = members_of(weights)
    model = solution.Ensemble(members)
    members[0].register_forward_pre_hook(lambda m, args: (2 * args[0],))
    members[-1].register_forward_hook(lambda m, args, out: out + 1)
    return model(x).detach()


def pruned(solution, weights: list[Tensor], x: Tensor, factor: float) -> Tensor:
    """The output after members were pruned and then trained: their parameters are multiplied by factor."""
    members = members_of(weights)
    for member in members:
        prune.l1_unstructured(member, "weight", amount=2)
    model = solution.Ensemble(members)
    model(x)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(factor)
    return model(x).detach()


def scaled(solution, weight: Tensor, bias: Tensor, x: Tensor, scale: float) -> dict[str, Any]:
    """Output, gradients, names and the calls of all hooks of one layer."""
    layer, calls = solution.ScaledLinear(weight.shape[1], weight.shape[0], scale), []
    layer.to(weight.dtype).load_state_dict({"weight": weight.clone(), "bias": bias.clone()})
    watch(layer, "layer", calls)
    leaf = x.clone().requires_grad_()
    out = layer(leaf)
    out.square().sum().backward()
    return {
        "out": out.detach(),
        "grads": [leaf.grad, layer.weight.grad, layer.bias.grad],
        "calls": calls,
        "linear": isinstance(layer, nn.Linear),
        "names": [name for name, _ in layer.named_parameters()],
        "state": list(layer.state_dict()),
    }


def taken_apart(solution, x: Tensor) -> dict[str, Tensor]:
    """An ensemble whose members return what they are given: the mean, x, and what a hook of the first member has kept."""
    members, kept = [nn.Identity(), nn.Identity(), nn.Linear(5, 5, bias=False).to(x.dtype)], []
    nn.init.zeros_(members[2].weight)
    members[0].register_forward_hook(lambda m, args, out: kept.append(out))
    given = x.clone()
    mean = solution.Ensemble(members)(given).detach().clone()
    return {"mean": mean, "x": given, "kept": kept[0]}


def one_in_evaluation(solution, x: Tensor) -> list[Tensor]:
    """Two dropouts that drop everything, in training; then the first is set to evaluation, and two calls are made."""
    members = [nn.Dropout(1.0), nn.Dropout(1.0)]
    model = solution.Ensemble(members).train()
    members[0].eval()
    return [model(x).clone(), model(x).clone()]


def in_both_modes(solution, x: Tensor) -> list[Tensor]:
    """An ensemble of two dropouts that drop everything, in training and in evaluation mode."""
    model = solution.Ensemble([nn.Dropout(1.0), nn.Dropout(1.0)])
    return [model.train()(x), model.eval()(x)]
