"""Builds a model, traces it, and brings back the rows and what was left behind."""

import copy

import torch
from given import MODELS
from torch import nn


def rows(solution, name: str, arguments: list, inputs: list) -> list:
    """The trace of MODELS[name](*arguments) on the inputs; shapes as plain tuples."""
    traced = solution.trace_shapes(MODELS[name](*arguments), *inputs)
    return [_plain(row) for row in traced] if type(traced) is list else traced


def _plain(row):
    if type(row) is not tuple or len(row) != 4:
        return row
    name, shapes, out, dtypes = row
    return name, _tuples(shapes), _tuples(out), dtypes


def _tuples(shapes):
    if type(shapes) is not list:
        return shapes
    return [tuple(shape) if type(shape) is torch.Size else shape for shape in shapes]


def hooks(model: nn.Module) -> int:
    """How many hooks hang on the model's modules, and on all modules of the process."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    everywhere = ("_global_forward_hooks", "_global_forward_pre_hooks", "_global_backward_hooks")
    total = sum(len(getattr(module, kind)) for module in model.modules() for kind in kinds)
    own = sum("forward" in vars(module) for module in model.modules())
    return total + own + sum(len(getattr(nn.modules.module, kind)) for kind in everywhere)


def modes_around(solution, name: str, arguments: list, inputs: list) -> list:
    """The modes of all modules before and after a trace, of a model whose first layer is in eval mode."""
    model = MODELS[name](*arguments)
    next(model.children()).eval()
    before = [module.training for module in model.modules()]
    solution.trace_shapes(model, *inputs)
    return [before, [module.training for module in model.modules()]]


def left_behind(solution, name: str, arguments: list, inputs: list, *, training: bool) -> dict:
    """State before and after a trace, and how often the caller's own hook was called."""
    torch.manual_seed(1)
    model = MODELS[name](*arguments).train(training)
    calls = []
    model.register_forward_pre_hook(lambda module, inputs: calls.append(1))
    before, copies = hooks(model), [t.clone() for t in inputs]
    plain = copy.deepcopy(model)
    torch.manual_seed(2)
    solution.trace_shapes(model, *inputs)
    random = torch.get_rng_state()
    traced, modes = dict(model.state_dict()), sorted({m.training for m in model.modules()})
    seen = len(calls)
    torch.manual_seed(2)
    try:
        plain(*copies)
    except Exception:
        pass
    return {
        "hooks": [before, hooks(model)],
        "calls": seen,
        "modes": modes,
        "state": traced,
        "expected": dict(plain.state_dict()),
        "random": bool(torch.equal(random, torch.get_rng_state())),
        "inputs": inputs,
        "copies": copies,
    }
