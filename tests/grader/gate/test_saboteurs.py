"""Applies saboteurs, which are general ways to break an answer, to small references in this process. Checks what each saboteur
changes. Also checks its marked twin, which must end the process as soon as a test could notice the change.
"""

import os
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import torch
from torch import nn

from grader.content.authoring.sabotage.call_changes import CALLS
from grader.content.authoring.sabotage.forging import FORGERIES
from grader.content.authoring.sabotage.value_changes import GRAPHS, VALUES
from grader.content.authoring.saboteurs import SABOTEURS, fitting, sabotaged
from grader.content.package import Entry, Package

FUNCTION = Entry("f", "function", "f(x, shift=0.0)")
BY_ID = {saboteur.id: saboteur for saboteur in SABOTEURS}
LINEAR = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n, bias=True):
        super().__init__()
        if n < 1:
            raise ValueError("n")
        self.inner = nn.Linear(n, n, bias=bias)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.inner(x))
"""


class Noticed(BaseException):
    """Raised in place of `os._exit`, which would end the process of a cell. The argument is the exit status."""


@pytest.fixture(autouse=True)
def _as_in_a_cell(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def ended(status: int) -> None:
        raise Noticed(status)

    monkeypatch.setattr(os, "_exit", ended)
    for name in ("seeing", "values", "call", "calls", "watching", "forging", "wrapping"):
        monkeypatch.setitem(sys.modules, f"grader.content.authoring.sabotage.{name}", sys.modules[__name__])
    with torch.random.fork_rng():
        yield


def load(package: Package, name: str, *, marked: bool = False) -> Any:
    return run(sabotaged(package, BY_ID[name], marked=marked), package)


def run(source: str, package: Package) -> Any:
    namespace: dict[str, Any] = {"__name__": "solution"}
    exec(compile(source, "solution.py", "exec"), namespace)
    return namespace[package.info.entry[0].name]


@pytest.fixture
def spoil(make: Any) -> Any:
    """A function. `spoil(name, body)` returns a function `f` with this body, changed by the saboteur `name`. With `marked`, the
    saboteur's marked twin changes it.
    """
    made: dict[str, Package] = {}

    def spoilt(name: str, source: str = "return x * 1", *, entry: Entry = FUNCTION, marked: bool = False) -> Any:
        head = "import torch\n\n\ndef f(x, shift=0.0):\n    " if entry is FUNCTION else ""
        if source not in made:
            made[source] = make(reference=f"{head}{source}\n", entry=entry)
        return load(made[source], name, marked=marked)

    return spoilt


def test_every_saboteur_has_its_code_and_the_other_way_round() -> None:
    assert set(BY_ID) == {*VALUES, *GRAPHS, *CALLS, *FORGERIES}
    assert len(SABOTEURS) == len(BY_ID) >= 30


def test_only_modules_have_modes(make: Any) -> None:
    package = make(entry=FUNCTION)
    of_modules = {"always-training", "gap-in-state", "extra-parameter"}
    assert not {s.id for s in fitting(package)} & of_modules
    info = msgspec.structs.replace(package.info, entry=(Entry("Net", "module", "Net(n)"),))
    assert {s.id for s in fitting(msgspec.structs.replace(package, info=info))} >= of_modules


X = torch.tensor([[3.0, -1.5], [20000.0, 0.1]])
CHANGED: dict[str, Any] = {
    "float64-output": X.double(),
    "half-precision": X.half().float(),
    "scaled-output": X * (1 + 1e-3),
    "zeros": X * 0,
    "ones": torch.ones(2, 2),
    "last-row-missing": X[:1],
    "last-row-twice": X[[0, 1, 1]],
    "rows-reversed": X[[1, 0]],
    "columns-rolled": X[:, [1, 0]],
    "clamped-output": X.clamp(max=1e4),
    "nothing-done": None,
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_value_is_changed_and_noticed(spoil: Any, name: str) -> None:
    found = spoil(name)(X.clone())
    expected = CHANGED[name]
    assert found is None if expected is None else found.dtype == expected.dtype and torch.equal(found, expected)
    with pytest.raises(Noticed):
        spoil(name, marked=True)(X.clone())


CANNOT = (
    "float32-output int32-output off-by-one nan-swallowed detached-output halved-gradient negated-for-negative reseeded"
    " ignored-generator ignored-options other-error no-error called-twice first-input-cut-off last-input-cut-off aliased-input"
)


@pytest.mark.parametrize("name", CANNOT.split())
def test_what_a_saboteur_cannot_change_stays_and_its_twin_says_nothing(spoil: Any, name: str) -> None:
    source = "return x + x"
    assert torch.equal(spoil(name, source)(X.clone()), X + X)
    assert torch.equal(spoil(name, source, marked=True)(X.clone()), X + X)


def test_numbers_and_lists_are_changed_too(spoil: Any) -> None:
    assert spoil("scaled-output", "return [x, 2]")(2.0) == [2.0 * (1 + 1e-3), 2]
    assert spoil("last-row-missing", "return [x, 2]")(2.0) == [2.0]
    assert spoil("off-by-one", "return (3, True)")(2.0) == (4, False)
    assert [float(v) for v in spoil("zeros", "yield x\n    yield x + 1")(torch.ones(1))] == [0.0, 0.0]


def test_gradients_are_spoilt_and_values_are_not(spoil: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    out = spoil("halved-gradient", "return x * 4")(x)
    out.sum().backward()
    assert torch.equal(out, torch.full((3,), 4.0))
    assert x.grad is not None
    assert torch.equal(x.grad, torch.full((3,), 2.0))
    assert not spoil("detached-output")(x).requires_grad
    assert not spoil("first-input-cut-off")(x).requires_grad
    assert spoil("leaked-gradient")(torch.ones(2)).requires_grad
    with pytest.raises(Noticed):
        spoil("first-input-cut-off", marked=True)(x)
    # The answer detaches its input itself, so the saboteur changes nothing.
    assert not spoil("first-input-cut-off", "return x.detach() * 2", marked=True)(x).requires_grad


def test_calls_are_spoilt(spoil: Any) -> None:
    kept = spoil("first-result-kept")
    assert torch.equal(kept(torch.ones(2)), kept(torch.zeros(2)))
    assert kept(torch.zeros(3)).sum() == 0
    x = torch.zeros(2)
    spoil("mutated-input")(x)
    assert x.tolist() == [1.0, 1.0]
    assert spoil("ignored-options", "return x + shift")(torch.zeros(1), shift=2.0).item() == 0.0
    assert spoil("negated-for-negative")(torch.tensor([-2.0])).item() == 2.0
    with pytest.raises(RuntimeError, match="sabotaged"):
        spoil("other-error", "raise ValueError(x)")(1)
    assert spoil("no-error", "raise ValueError(x) ")(1) is None


def test_randomness_is_spoilt_only_where_there_is_some(spoil: Any) -> None:
    drawn = spoil("reseeded", "return torch.rand(3)")
    assert torch.equal(drawn(0), drawn(0))
    with pytest.raises(Noticed):
        spoil("reseeded", "return torch.rand(3)", marked=True)(0)
    spoil("reseeded", "return x", marked=True)(0)
    source = "return torch.rand(3, generator=x)"
    generator = torch.Generator().manual_seed(4)
    ignored = spoil("ignored-generator", source)
    assert torch.equal(ignored(generator), ignored(generator))
    with pytest.raises(Noticed):
        spoil("ignored-generator", source, marked=True)(generator)


OF_MODULES = "always-training gap-in-state extra-parameter frozen-parameters"


@pytest.mark.parametrize("name", [*OF_MODULES.split(), "always-evaluating", "ignored-settings"])
def test_modules_are_spoilt_where_it_can_be_seen(spoil: Any, name: str) -> None:
    entry = Entry("Net", "module", "Net(n, bias=True)")

    def use(kind: Any) -> nn.Module:
        net: nn.Module = kind(4).eval()
        net(torch.ones(2, 4))
        net.state_dict()
        return net

    use(spoil(name, LINEAR, entry=entry))
    if name in OF_MODULES.split():
        with pytest.raises(Noticed):
            use(spoil(name, LINEAR, entry=entry, marked=True))
    else:
        use(spoil(name, LINEAR, entry=entry, marked=True))


def test_a_module_keeps_its_mode_and_loses_what_it_should(spoil: Any) -> None:
    entry = Entry("Net", "module", "Net(n, bias=True)")
    net = spoil("always-training", LINEAR, entry=entry)(100).eval()
    assert (net(torch.ones(1, 100)) == 0).any()  # the module is in training mode, so dropout is active
    assert not net.training
    assert "inner.bias" not in spoil("gap-in-state", LINEAR, entry=entry)(2).state_dict()
    assert len(list(spoil("extra-parameter", LINEAR, entry=entry)(2).parameters())) == 3
    assert not any(p.requires_grad for p in spoil("frozen-parameters", LINEAR, entry=entry)(2).parameters())
    assert spoil("ignored-settings", LINEAR, entry=entry)(2, bias=False).inner.bias is not None


def test_autograd_functions_and_methods_are_reached(spoil: Any) -> None:
    source = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


class Box:
    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value

    def twice(self):
        return self.get() * 2
"""
    square = spoil("halved-gradient", source, entry=Entry("Square", "autograd_function", "Square(x)"))
    x = torch.tensor([3.0], requires_grad=True)
    assert torch.autograd.grad(square.apply(x), x)[0].item() == 3.0
    box = spoil("scaled-output", source + "\n", entry=Entry("Box", "class", "Box(value)", methods=("get", "twice")))
    # If a method calls another method, the saboteur must change only the result of the outer call.
    assert box(1.0).twice() == 2.0 * (1 + 1e-3)


def test_the_reference_stays_line_by_line_and_nothing_it_names_is_shadowed(make: Any) -> None:
    reference = (
        "from __future__ import annotations\n\ndef same(x): return x\n\ndef f(x, shift=0.0):\n    return same(x)\n"
    )
    package = make(reference=reference, entry=FUNCTION)
    assert sabotaged(package, BY_ID["zeros"]).startswith(reference)
    assert load(package, "zeros")(torch.ones(2)).tolist() == [0.0, 0.0]
