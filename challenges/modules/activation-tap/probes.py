"""Small models, tapped in various ways."""

from typing import Any

import torch
from torch import Tensor, nn


class Twice(nn.Module):
    """Uses one layer twice, and has a second name for it."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.norm = nn.Tanh()
        self.alias = self.layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(self.norm(self.layer(x)))


class Pair(nn.Module):
    """Returns a dict with a tuple, a list and a number in it."""

    def forward(self, x: Tensor) -> dict[str, Any]:
        return {"pair": (x * 2, [x * 3]), "n": 5}


class Deep(nn.Module):
    """A module with a nested container and one that returns no tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(inplace=True), nn.Linear(3, 3)))
        self.pair = Pair()
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        made = self.pair(self.body(x))
        return self.drop(made["pair"][0] + made["pair"][1][0])


class Failing(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        raise ArithmeticError("in forward")


TYPES = {
    "relu": nn.ReLU,
    "linear": nn.Linear,
    "sequential": nn.Sequential,
    "activation": (nn.Tanh, nn.ReLU),
    "module": nn.Module,
}
CHANGES = {"triple": lambda y: 3 * y, "square": lambda y: y * y, "zero": lambda y: 0 * y}


def build(kind: str, weights: list[Tensor]) -> nn.Module:
    """A model in evaluation mode, with the given weights in its linear layers and no biases' worth."""
    model = {"twice": Twice, "deep": Deep}[kind]().to(weights[0].dtype).eval()
    layers = [m for m in model.modules() if isinstance(m, nn.Linear)]
    with torch.no_grad():
        for layer, weight in zip(layers, weights, strict=False):
            layer.weight.copy_(weight)
            layer.bias.fill_(0.25)
    return model


def hooks(model: nn.Module) -> int:
    """How many hooks of any kind hang on the model's modules."""
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) + len(m._backward_hooks) for m in model.modules())


def _types(types: str) -> tuple[type, ...]:
    found = TYPES[types] if types else ()
    return found if isinstance(found, tuple) else (found,)


def _plain(value: Any) -> bool:
    """Whether no tensor in there has a history or asks for gradients."""
    if isinstance(value, Tensor):
        return not value.requires_grad and value.grad_fn is None
    if isinstance(value, dict):
        return all(map(_plain, value.values()))
    return all(map(_plain, value)) if isinstance(value, tuple | list) else True


def tapped(solution, kind: str, weights: list[Tensor], x: Tensor, names: list, types: str, replace: dict) -> dict:
    """One pass through the tapped model, with gradients, and one after it."""
    model = build(kind, weights)
    x = x.clone().requires_grad_()
    changes = {name: CHANGES[change] for name, change in replace.items()}
    tap = solution.ActivationTap(model, names=names, types=_types(types), replace=changes)
    with tap as given:
        out = model(x)
        modes = [m.training for m in model.modules()]
    out.sum().backward()
    after = model(x).detach()
    records = [(name, value) for name, value in tap.records]
    return {
        "records": records,
        "out": out.detach(),
        "grad": x.grad,
        "after": after,
        "plain": _plain([value for _, value in records]),
        "same": given is tap,
        "hooks": hooks(model),
        "eval": not any(modes),
    }


def by_default(solution, weights: list[Tensor], x: Tensor) -> int:
    """How many records a tap has that was asked for nothing."""
    model = build("deep", weights)
    with solution.ActivationTap(model) as tap:
        model(x)
    return len(tap.records)


def lengths(solution, weights: list[Tensor], x: Tensor) -> list[int]:
    """The number of records: before, in the context after each of two passes, after a pass outside; and after the tap was
    entered again, in the new list and in the old one."""
    model = build("deep", weights)
    tap = solution.ActivationTap(model, names=["body.0"])
    model(x)
    found = []
    with tap:
        found.append(len(tap.records))
        for _ in range(2):
            model(x)
            found.append(len(tap.records))
    model(x)
    found.append(len(tap.records))
    first = tap.records
    with tap:
        model(x)
    return [*found, len(tap.records), len(first)]


def after_an_error(solution, where: str) -> dict:
    """What is left when the body or a module raises."""
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), Failing())
    raised, tap = False, solution.ActivationTap(model, names=["0", "2"], types=(nn.ReLU,))
    try:
        with tap:
            if where == "model":
                model(torch.ones(1, 2))
            raise ArithmeticError("in the body")
    except ArithmeticError:
        raised = True
    return {"raised": raised, "hooks": hooks(model), "names": [name for name, _ in tap.records]}


def unknown(solution, names: list[str], replace: list[str]) -> dict:
    """What an unknown name leads to."""
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    error = ""
    try:
        with solution.ActivationTap(model, names, (), dict.fromkeys(replace, CHANGES["zero"])):
            pass
    except KeyError:
        error = "KeyError"
    except Exception as other:
        error = type(other).__name__
    return {"error": error, "hooks": hooks(model)}


def of_others(solution) -> list[int]:
    """A hook that somebody else has set is called before, within and after the context."""
    model, calls = nn.Sequential(nn.Linear(2, 2), nn.ReLU()), [0]

    def count(*_: Any) -> None:
        calls[0] += 1

    model[0].register_forward_hook(count)
    found = []
    model(torch.ones(1, 2))
    found.append(calls[0])
    with solution.ActivationTap(model, names=["0"], replace={"1": CHANGES["zero"]}):
        model(torch.ones(1, 2))
        found.append(calls[0])
    model(torch.ones(1, 2))
    return [*found, calls[0]]


def two_taps(solution, x: Tensor) -> list[int]:
    """Two taps at once on one model: the number of records of each, when the first is closed earlier."""
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    first, second = (solution.ActivationTap(model, names=["1"]) for _ in range(2))
    with second:
        with first:
            model(x)
        model(x)
    return [len(first.records), len(second.records)]
