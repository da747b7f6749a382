"""Parameters with gradients, your function called on them, and what became of both."""

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

FETCHES = ("aten::_local_scalar_dense", "aten::item", "aten::is_nonzero", "aten::equal")


class Fetches(TorchDispatchMode):
    """Counts how often a number is fetched from a tensor."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func.name().partition(".")[0] in FETCHES
        return func(*args, **(kwargs or {}))


def parameters(grads: list[Tensor | None], dtype: torch.dtype = torch.float64) -> list[torch.nn.Parameter]:
    """Parameters of ones with these gradients; None stands for no gradient."""
    params = []
    for grad in grads:
        p = torch.nn.Parameter(torch.ones(3, dtype=dtype) if grad is None else torch.ones_like(grad))
        p.grad = None if grad is None else grad.clone(memory_format=torch.preserve_format)
        params.append(p)
    return params


def clip(
    solution, grads: list[Tensor | None], max_norm: float, options: dict | None = None, form: str = "list"
) -> dict:
    """One call. `form` says how the parameters are passed: list, generator, tuple or single."""
    params = parameters(grads)
    held = [p.grad for p in params]
    passed = {"list": params, "generator": (p for p in params), "tuple": tuple(params), "single": params[0]}[form]
    error = ""
    norm = None
    try:
        norm = solution.clip_global_norm_(passed, max_norm, **(options or {}))
    except RuntimeError:
        error = "RuntimeError"
    return {
        "error": error,
        "norm": norm,
        "graph": torch.is_tensor(norm) and (norm.requires_grad or norm.grad_fn is not None),
        "grads": [None if p.grad is None else p.grad.detach().clone() for p in params],
        "same": all(p.grad is grad for p, grad in zip(params, held, strict=True)),
        "untouched": all(bool((p == 1).all()) and p.is_leaf for p in params),
    }


def fetches(solution, grads: list[Tensor], max_norm: float, options: dict) -> int:
    """How many numbers one call fetches."""
    params = parameters(grads)
    with Fetches() as mode:
        solution.clip_global_norm_(params, max_norm, **options)
    return mode.count


def with_graph(solution, x: Tensor, max_norm: float) -> dict:
    """Gradients that were computed with create_graph=True and have a history of their own."""
    p = torch.nn.Parameter(x.clone())
    (p**3).sum().backward(create_graph=True)
    norm = solution.clip_global_norm_([p], max_norm)
    outcome = {
        "norm": norm.detach().clone(),
        "graph": norm.requires_grad,
        "grad": p.grad.detach().clone(),
    }
    p.grad = None
    return outcome


def trained(solution, start: Tensor, targets: Tensor, rate: float, max_norm: float) -> Tensor:
    """A few clipped steps of SGD towards changing targets."""
    p = torch.nn.Parameter(start.clone())
    optimizer = torch.optim.SGD([p], lr=rate)
    for target in targets:
        optimizer.zero_grad()
        (p - target).square().sum().backward()
        solution.clip_global_norm_(optimizer.param_groups[0]["params"], max_norm)
        optimizer.step()
    return p.detach().clone()
