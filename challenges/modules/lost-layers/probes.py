"""The two modules among optimizers and devices."""

import torch
from torch import Tensor, nn


def _load(module: nn.Module, state: dict[str, Tensor]) -> nn.Module:
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def stack_after_a_step(solution, width: int, depth: int, state: dict[str, Tensor], x: Tensor, lr: float) -> dict:
    """The state of a stack after one step of SGD on the sum of squares."""
    stack = _load(solution.ResidualStack(width, depth), state)
    optimizer = torch.optim.SGD(stack.parameters(), lr=lr)
    stack(x).square().sum().backward()
    optimizer.step()
    return {name: value.detach().clone() for name, value in stack.state_dict().items()}


def heads_after_a_step(solution, features: int, tasks: dict, state: dict, x: Tensor, task: str, lr: float) -> dict:
    """The state of the heads after one step of SGD on one of the tasks."""
    heads = _load(solution.TaskHeads(features, tasks), state)
    optimizer = torch.optim.SGD(heads.parameters(), lr=lr)
    heads(x, task).square().sum().backward()
    optimizer.step()
    return {name: value.detach().clone() for name, value in heads.state_dict().items()}


def on_meta(solution) -> dict:
    """Whether a forward pass on the meta device works after a move there; None where it fails."""
    found = {}
    for name, module, rest in (
        ("stack", solution.ResidualStack(3, 2), ()),
        ("heads", solution.TaskHeads(3, {"a": 4}), ("a",)),
    ):
        try:
            out = module.to("meta")(torch.empty(5, 3, device="meta"), *rest)
            found[name] = tuple(out.shape) if out.is_meta else None
        except (RuntimeError, NotImplementedError):
            found[name] = None
    return found
