"""A model and batches next to your answer, with saved tensors and reads counted."""

import gc
import itertools
import weakref
from contextlib import ExitStack

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

CONVERSIONS = {torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.__array__, torch.Tensor.__dlpack__}


class CountReads(TorchDispatchMode):
    """Counts the numbers that are read from tensors into Python."""

    reads = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.reads += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


class CountConversions(TorchFunctionMode):
    """Counts tolist(), numpy() and their kind as one read each, however many numbers they bring."""

    def __init__(self, counter: CountReads) -> None:
        super().__init__()
        self.counter = counter

    def __torch_function__(self, func, types, args=(), kwargs=None):
        before = self.counter.reads
        result = func(*args, **(kwargs or {}))
        if func in CONVERSIONS:
            self.counter.reads = before + 1
        return result


class Mark:
    """Lives as long as the graph of one batch."""


class MarkGraph(torch.autograd.Function):
    """The identity; its place in the graph holds a mark."""

    @staticmethod
    def forward(ctx, x: Tensor, marks: list) -> Tensor:
        ctx.mark = Mark()
        marks.append(weakref.ref(ctx.mark))
        return x.clone()

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple:
        return grad, None


class Marked(nn.Module):
    """The last layer of the model: puts a mark into each graph."""

    def __init__(self, marks: list) -> None:
        super().__init__()
        self.marks = marks

    def forward(self, x: Tensor) -> Tensor:
        return MarkGraph.apply(x, self.marks)


class Saved:
    """Holds one saved tensor; weak references tell whether it still exists."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor.detach()


class Batches:
    """Runs through the batches, and notes what is alive whenever the next one is asked for, and the reads of each pass."""

    def __init__(self, batches: list, counter: CountReads) -> None:
        self.batches, self.counter = batches, counter
        self.boxes, self.alive, self.reads = [], [], []
        self.marks, self.graphs = [], []

    def pack(self, tensor: Tensor) -> Saved:
        box = Saved(tensor)
        self.boxes.append(weakref.ref(box))
        return box

    def count_graphs(self) -> int:
        """How many graphs of earlier batches exist; the one that a variable may still hold is among them."""
        if sum(ref() is not None for ref in self.marks) > 1:
            gc.collect()
        return sum(ref() is not None for ref in self.marks)

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self):
        self.reads.append(self.counter.reads)
        for x, y in self.batches:
            self.alive.append(sum(ref() is not None for ref in self.boxes))
            self.graphs.append(self.count_graphs())
            yield x.clone(), y.clone()


def lopsided(output: Tensor, target: Tensor) -> Tensor:
    """A mean loss in which output and target play different parts."""
    return ((1.5 * output - target) ** 2).mean()


def network(first: Tensor, second: Tensor) -> nn.Sequential:
    model = nn.Sequential(nn.Linear(*first.shape[::-1]), nn.Tanh(), nn.Linear(*second.shape[::-1])).to(first.dtype)
    with torch.no_grad():
        for layer, weight in ((model[0], first), (model[2], second)):
            layer.weight.copy_(weight)
            layer.bias.zero_()
    return model


def watched(batches: list) -> tuple[Batches, CountReads, list]:
    counter = CountReads()
    given = Batches(batches, counter)
    hooks = torch.autograd.graph.saved_tensors_hooks(given.pack, lambda box: box.tensor)
    return given, counter, [hooks, counter, CountConversions(counter)]


def trained(
    solution, first: Tensor, second: Tensor, batches: list, lr: float, epochs: int, training: bool = True
) -> dict:
    """fit on a network with these weights and biases of 0; then two more changes to the model."""
    given, counter, watchers = watched(batches)
    model = network(first, second).append(Marked(given.marks)).train(training)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    with ExitStack() as stack:
        for watcher in watchers:
            stack.enter_context(watcher)
        history = solution.fit(model, given, lopsided, optimizer, epochs)
    marks = [*given.reads, counter.reads]
    mode = model.training == training and torch.is_grad_enabled()
    final = [p.detach().clone() for p in model.parameters()]
    with torch.no_grad():
        for p in model.parameters():
            p.zero_()
    kept = [{name: w.detach().clone() for name, w in epoch["weights"].items()} for epoch in history]
    return {
        "losses": [epoch["loss"] for epoch in history],
        "weights": kept,
        "plain": all(not w.requires_grad for epoch in history for w in epoch["weights"].values()),
        "final": final,
        "alive": max([*given.alive, sum(ref() is not None for ref in given.boxes)], default=0),
        "graphs": max(given.graphs, default=0),
        "reads": max((b - a for a, b in itertools.pairwise(marks)), default=0),
        "mode": mode,
    }


def normed(solution, first: Tensor, second: Tensor, batches: list, training: bool) -> dict:
    """evaluate, then one epoch of fit, on such a network with a batch norm at its end and a frozen bias."""
    model = network(first, second).append(nn.BatchNorm1d(len(second), dtype=first.dtype)).train(training)
    model[0].bias.requires_grad_(False)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    loss = solution.evaluate(model, batches, lopsided)
    history = solution.fit(model, batches, lopsided, optimizer, 1)
    return {
        "loss": loss,
        "weights": {name: w.detach().clone() for name, w in history[0]["weights"].items()},
        "final": {name: p.detach().clone() for name, p in model.named_parameters()},
    }


def evaluated(
    solution, first: Tensor, second: Tensor, batches: list, training: bool = True, recording: bool = True
) -> dict:
    """evaluate on such a network."""
    model = network(first, second).train(training)
    for p in model.parameters():
        p.grad = torch.full_like(p, 7.0)
    before = [p.detach().clone() for p in model.parameters()]
    given, counter, watchers = watched(batches)
    with torch.set_grad_enabled(recording):
        with ExitStack() as stack:
            for watcher in watchers:
                stack.enter_context(watcher)
            found = solution.evaluate(model, given, lopsided)
        unchanged = torch.is_grad_enabled() == recording
    return {
        "loss": found,
        "saved": len(given.boxes),
        "reads": counter.reads,
        "mode": model.training == training and unchanged,
        "same": all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))
        and all(bool((p.grad == 7).all()) for p in model.parameters()),
    }
