"""Checks that no reply of a cell can change the values of a hidden test. After any sequence of hostile replies, every tensor to
which the answer was not allowed to write must be the same bit for bit.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.contract.wire import WireError
from grader.inside.cell.arguments import CellState
from grader.inside.cell.callbacks import call as call_back
from grader.inside.judge.remote.errors import BadReply, RemoteError
from grader.inside.judge.remote.solution import Probes, RemoteIterator, Solution
from grader.inside.loading import module_from
from grader.inside.serialization.givens import load_given
from grader.testing import assert_not_mutated
from grader.testing.comparison.checks import CheckFailed
from grader.testing.comparison.difference import identical
from tests.grader.inside.judge.hostile_cell import HostileSession

_ENTRY = {"methods": ("step",), "attributes": ("held",), "returns": "value", "signature": "any(*args, **kwargs)"}
ENTRIES: list[dict[str, Any]] = [
    {"name": "f", "kind": "function", **_ENTRY},
    {"name": "g", "kind": "function", **_ENTRY, "mutates": True},
    {"name": "steps", "kind": "function", **_ENTRY, "returns": "iterator"},
    {"name": "Thing", "kind": "class", **_ENTRY},
    {"name": "Net", "kind": "module", **_ENTRY},
]
GIVEN = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 3))
        self.register_buffer("seen", torch.zeros(2))

    def forward(self, x):
        return x * self.weight
"""
SOURCE = """
import torch


def f(*args, **kwargs):
    found = [a for a in args if isinstance(a, torch.Tensor) and a.is_floating_point()]
    called = [a(found[0] * 2) for a in args if callable(a) and not isinstance(a, torch.nn.Module)]
    total = sum((a.double().sum() for a in [*found, *called]), torch.zeros((), dtype=torch.float64))
    return found[0] * total.to(found[0].dtype) if found else total


def g(*args, **kwargs):
    return args[0]


def steps(x):
    for row in x:
        yield row * 2


class Thing:
    def __init__(self, x):
        self.held = x.detach().clone()

    def step(self, x):
        self.held = self.held + x.detach()
        return x * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2, 3))
        self.held = torch.zeros(2)

    def forward(self, x):
        return x * self.w

    def step(self, x):
        return x + self.w
"""
PROBES = "def spoil(solution, x, *rest):\n    with __import__('torch').no_grad():\n        return x.zero_()\n"


class Holder:
    """Acts as a hidden test that holds tensors of every kind and calls the answer in every way. The answer must not change the
    tensors that this object holds.
    """

    def __init__(self, chance: Random | None) -> None:
        given = load_given(GIVEN)
        probes = module_from("probes", PROBES, "probes.py")
        entries = {entry["name"]: entry for entry in ENTRIES}
        world = CellState(
            module_from("solution", SOURCE, "solution.py"), probes, given, entries, torch.device("cpu"), self._called
        )
        self._world = world
        self.session = HostileSession(world, chance)
        self.solution: Any = Solution(self.session, ENTRIES)
        self.probes: Any = Probes(self.session, probes)
        made = torch.Generator().manual_seed(4)
        self.x = torch.randn(2, 3, generator=made, requires_grad=True)
        self.y = torch.randn(4, 3, generator=made)[1:3]
        self.graded = torch.randn(3, generator=made, requires_grad=True)
        self.graded.grad = torch.randn(3, generator=made)
        self.mask = torch.tensor([True, False, True])
        self.double = torch.randn(2, 3, dtype=torch.float64, generator=made)
        self.inner = torch.randn(2, 3, generator=made, requires_grad=True) * 2
        self.cotangent = torch.randn(2, 3, generator=made)
        self.expected = torch.randn(2, 3, generator=made)
        self.items: list[Any] = [self.y, {"mask": self.mask}, 1]
        self.model: Any = given.Model()
        self.held: list[Tensor] = []
        self.kept: list[Any] = []
        self.own = 0

    def _called(self, number: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return call_back(self._world, self.session.exchange_callback, number, args, kwargs)

    def tensors(self) -> dict[str, Tensor]:
        """Return all tensors that no reply is allowed to change, as a dict by name."""
        named = {n: v for n, v in vars(self).items() if isinstance(v, Tensor)}
        named |= {f"result {i}": t for i, t in enumerate(self.held)}
        assert self.graded.grad is not None
        named |= {"gradient": self.graded.grad, "whole": self.y._base if self.y._base is not None else self.y}
        return named | {f"given {n}": t for n, t in (*self.model.named_parameters(), *self.model.named_buffers())}

    def function(self, text: Tensor) -> Tensor:
        """A callback of the test, which the answer calls. From then on, the test also holds the callback's argument and its
        result.
        """
        found = text.detach() * 3
        self.held += [text.detach(), found]
        return found

    def keep(self, value: Any) -> Any:
        """Hold a result, so that later steps check that it does not change, and return it. A result that shares memory with a
        gradient is not held, because a gradient may change.
        """
        added = {g.untyped_storage().data_ptr() for g in (self.x.grad, self.graded.grad) if g is not None}
        if isinstance(value, Tensor) and not value.is_meta and value.untyped_storage().data_ptr() in added:
            return value
        if isinstance(value, Tensor) and not value.is_meta and type(value) is Tensor:
            self.held.append(value)
        self.kept.append(value)
        return value


def _backward(t: Holder) -> None:
    out = t.keep(t.solution.f(t.x))
    for _ in range(2):  # the second pass adds to the gradient of the first
        out.backward(t.cotangent, retain_graph=True)


def _twice(t: Holder) -> None:
    out = t.solution.f(t.x, t.inner)
    (found,) = torch.autograd.grad(out, [t.x], t.cotangent, create_graph=True)
    torch.autograd.grad(found, [t.x], t.expected, allow_unused=True)


def _module(t: Holder) -> None:
    net = t.keep(t.solution.Net())
    for _ in range(2):
        net(t.x).backward(t.cotangent)
    t.keep(net.step(t.y))
    t.keep(net(t.y))
    _ = net.training
    list(net.named_buffers())


def _object(t: Holder) -> None:
    thing = t.keep(t.solution.Thing(t.y))
    t.keep(thing.held)
    t.keep(thing.step(t.x))
    t.keep(thing.held)


def _iterate(t: Holder) -> None:
    steps = t.solution.steps(t.double)
    for _ in range(2 if isinstance(steps, RemoteIterator) else 0):
        t.keep(next(steps))


def _written(t: Holder) -> None:
    """Let the answer write to two tensors: an earlier result, which may share memory with held tensors, and a copy of a held
    tensor.
    """
    earlier = t.solution.f(t.y)
    if isinstance(earlier, Tensor) and not any(earlier is mine for mine in t.tensors().values()):
        t.solution.g(earlier, 1)
    t.solution.g(t.y.clone())


STEPS: dict[str, Callable[[Holder], object]] = {
    "call": lambda t: t.keep(t.solution.f(t.x, t.y, t.graded, t.mask, t.items)),
    "call with a model": lambda t: t.keep(t.solution.f(t.y, t.model)),
    "call with options": lambda t: t.keep(t.solution.f(t.double, mask=t.mask, items=t.items)),
    "backward": _backward,
    "backward twice": _twice,
    "module": _module,
    "object": _object,
    "iterator": _iterate,
    "callback": lambda t: t.keep(t.solution.f(t.x, t.function)),
    "probe": lambda t: t.probes.spoil(t.y, t.items, t.model),
    "probe of a leaf": lambda t: t.probes.spoil(t.x, t.graded),
    "probe of an inner node": lambda t: t.probes.spoil(t.inner),
    "not mutated": lambda t: assert_not_mutated(t.solution.f, t.x, t.y, t.items, t.model),
    "written": _written,
}


@contextlib.contextmanager
def _unharmed(t: Holder) -> Iterator[None]:
    before = {n: (v, v.detach().clone(), v.requires_grad, v.stride(), v.data_ptr()) for n, v in t.tensors().items()}
    inside, mode = [id(item) for item in t.items], t.model.training
    yield
    now = t.tensors()
    for name, (tensor, values, grad, stride, place) in before.items():
        same = name in now and now[name] is tensor and identical(tensor, values)
        assert same, f"{name} was changed"
        assert (tensor.requires_grad, tensor.stride(), tensor.data_ptr()) == (grad, stride, place), name
    assert [id(item) for item in t.items] == inside
    assert t.items[1] == {"mask": t.mask}
    assert t.model.training is mode


def _run(steps: list[str], chance: Random | None) -> int:
    holder, refused = Holder(chance), 0
    try:
        for step in steps:
            with _unharmed(holder), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    STEPS[step](holder)
                except (BadReply, RemoteError, CheckFailed, WireError):
                    refused += 1
                except Exception:  # a forged result may break this step, but the held values must not change
                    if chance is None:
                        raise
    finally:
        holder.session.close()
    return refused


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_taken_by_an_honest_answer(step: str) -> None:
    assert _run([step], None) == 0


@settings(max_examples=500, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
@given(st.lists(st.sampled_from(list(STEPS)), min_size=1, max_size=5), st.integers(0, 2**32))
def test_no_sequence_of_replies_changes_what_a_test_holds(steps: list[str], chance: int) -> None:
    _run(steps, Random(chance))
