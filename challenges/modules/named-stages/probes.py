"""Chains that are built and looked at next to your answer."""

import torch
from torch import Tensor, nn

ACTS = {"relu": nn.ReLU, "tanh": nn.Tanh, "prelu": nn.PReLU, "leaky": lambda: nn.LeakyReLU(0.3)}


def chain(
    solution, sizes: list[int], act: str, names: list[str], state: dict | None = None, x: Tensor | None = None
) -> dict:
    """What make_mlp builds: its stages, its state, and what it computes with a given state."""
    given = (list(sizes), list(names))
    model = solution.make_mlp(sizes, ACTS[act], names)
    stages = [(name, type(stage).__name__) for name, stage in model.named_children()]
    found = {
        "type": type(model).__name__,
        "stages": stages,
        "distinct": len({id(stage) for stage in model}) == len(model),
        "modules": sum(1 for _ in model.modules()),
        "parameters": sum(p.numel() for p in model.parameters()),
        "state": {name: tuple(t.shape) for name, t in model.state_dict().items()},
        "by_name": all(getattr(model, name) is model[i] for i, (name, _) in enumerate(stages)),
        "slice": [name for name, _ in model[:-1].named_children()],
        "same": given == (list(sizes), list(names)),
    }
    if state is not None and x is not None:
        model.to(x.dtype).load_state_dict(state)
        out = model(x)
        found["out"] = out.detach()
        grads = torch.autograd.grad(out.square().sum(), [model.get_parameter(name) for name in state])
        found["grads"] = dict(zip(state, grads, strict=True))
    return found


def refused(solution, sizes: list[int], names: list[str]) -> str:
    """The exception that make_mlp raises, if any."""
    try:
        solution.make_mlp(sizes, nn.ReLU, names)
    except ValueError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__
    return "nothing"


def towers(solution) -> dict[str, list]:
    """The stages of the three parts of a TwoTower."""
    model = solution.TwoTower(3, 5, 2)
    return {
        part: [(name, type(stage).__name__) for name, stage in getattr(model, part).named_children()]
        for part in ("left", "right", "head")
    } | {"types": [type(getattr(model, part)).__name__ for part in ("left", "right", "head")]}


def starts(solution, seed: int) -> list[Tensor]:
    """Weights and biases of two chains of equal sizes, built one after the other."""
    torch.manual_seed(seed)
    chains = [solution.make_mlp([3, 3, 3], nn.ReLU, ["first", "last"]) for _ in range(2)]
    return [p.detach().clone() for chain in chains for p in chain.parameters()]
