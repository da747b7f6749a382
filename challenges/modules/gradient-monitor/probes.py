"""Small networks with hooks of others on them, run with and without a monitor."""

import warnings

import torch
from torch import Tensor, nn


class Block(nn.Module):
    """A linear layer, a tanh, and a product: several operations."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, x: Tensor) -> Tensor:
        return 3 * torch.tanh(x @ self.weight.T)


class Net(nn.Module):
    """Two blocks and a head; with again, the first block is called twice."""

    def __init__(self, weights: list[Tensor], again: bool) -> None:
        super().__init__()
        self.body = nn.ModuleDict({"first": Block(weights[0]), "second": Block(weights[1])})
        self.head = Block(weights[2])
        self.again = again

    def forward(self, x: Tensor) -> Tensor:
        x = self.body["first"](x)
        if self.again:
            x = self.body["first"](x)
        return self.head(self.body["second"](x))


def watched(
    solution,
    weights: list[Tensor],
    x: Tensor,
    names: list[str],
    wanted: bool,
    again: bool,
    passes: int,
    monitor: bool = True,
) -> dict:
    """Records, output and gradients of some passes; the last two passes of the count run after remove()."""
    model = Net(weights, again)
    calls = []
    model.head.register_full_backward_hook(lambda m, gin, gout: calls.append("backward"))
    model.head.register_forward_hook(lambda m, args, out: calls.append("forward"))
    leaf = x.clone().requires_grad_(wanted)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        watcher = solution.GradientMonitor(model, names) if monitor else None
        for _ in range(passes):
            out = model(leaf)
            out.square().sum().backward()
        with torch.no_grad():
            model(leaf)
        records = list(watcher.records) if monitor else []
        if monitor:
            watcher.remove()
            watcher.remove()
        model(leaf).sum().backward()
    kept = list(watcher.records) if monitor else []
    return {
        "records": records,
        "kept": kept,
        "out": out.detach(),
        "grads": [leaf.grad, *(p.grad for p in model.parameters())],
        "future": [w.category.__name__ for w in caught if issubclass(w.category, (FutureWarning, DeprecationWarning))],
        "calls": calls,
        "hooks": {name: len(m._backward_hooks) + len(m._backward_pre_hooks) for name, m in model.named_modules()},
        "forward_hooks": {name: len(m._forward_hooks) + len(m._forward_pre_hooks) for name, m in model.named_modules()},
    }


class Skip(nn.Module):
    """The input, plus a block of it."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.block = Block(weight)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.block(x)


def past_a_skip(solution, weight: Tensor, x: Tensor) -> list[tuple]:
    """Records of a block whose input goes past it too."""
    model = Skip(weight)
    monitor = solution.GradientMonitor(model, ["block"])
    model(x.clone().requires_grad_()).square().sum().backward()
    return monitor.records


def two_monitors(solution, weights: list[Tensor], x: Tensor) -> dict:
    """Two monitors on one model; the first is removed before the second pass."""
    model = Net(weights, False)
    one, two = (solution.GradientMonitor(model, ["head"]) for _ in range(2))
    model(x).sum().backward()
    one.remove()
    model(x).sum().backward()
    return {"one": len(one.records), "two": len(two.records)}


def paths(solution, t: Tensor, factor: float, leaf: bool) -> dict:
    """Gradients of t from a loss that uses it three times, once through scale_grad; and from a later one."""
    start = t.clone().requires_grad_()
    value = start if leaf else start * 1
    early = value * 2
    scaled = solution.scale_grad(value, factor)
    loss = (early + 5 * scaled.sin() + value * 10).sum()
    (first,) = torch.autograd.grad(loss, start, retain_graph=True)
    (later,) = torch.autograd.grad((value * 7).sum(), start)
    return {"values": scaled.detach().clone(), "first": first, "later": later}


def without_history(solution, t: Tensor) -> dict:
    """Results for a tensor that needs no gradient, and under no_grad."""
    plain = solution.scale_grad(t, 0.5)
    with torch.no_grad():
        off = solution.scale_grad(t.clone().requires_grad_(), 0.5)
    return {"values": [plain.clone(), off.clone()], "history": plain.requires_grad}
