"""Checks what `attest`, with which a test observes how an answer computes, records of a call. It must record every operator,
wherever in the process the operator runs. Also checks that a forged report is rejected.
"""

import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._C._autograd import _disable_profiler
from torch.utils._python_dispatch import _disable_current_modes

from grader.inside.cell.observe import observe_backward, observe_forward
from grader.testing.observation import observation

X = torch.arange(6.0).reshape(2, 3)


def in_a_thread() -> torch.Tensor:
    results: list[torch.Tensor] = []
    thread = threading.Thread(target=lambda: results.append(X.softmax(-1)))
    thread.start()
    thread.join()
    return results[0]


def without_modes() -> torch.Tensor:
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        return X.softmax(-1)


@torch.library.custom_op("tests_of_observe::other_name", mutates_args=())
def other_name(x: torch.Tensor) -> torch.Tensor:
    return x.softmax(-1)


@pytest.mark.parametrize("call", [lambda: X.softmax(-1), in_a_thread, without_modes, lambda: other_name(X)])
def test_an_operator_is_seen_wherever_it_runs(call: Callable[[], Any]) -> None:
    value, seen = observe_forward(call, [X])
    assert torch.equal(value, X.softmax(-1))
    assert seen["operators"]["aten::_softmax"] == 1


def test_calls_that_can_be_watched_are_counted_once() -> None:
    _, seen = observe_forward(lambda: X.exp() * X.exp(), [X])
    assert {name: seen["operators"][name] for name in ("aten::exp", "aten::mul", "torch.Tensor.exp")} == {
        "aten::exp": 2,
        "aten::mul": 1,
        "torch.Tensor.exp": 2,
    }


class Keeps(torch.autograd.Function):
    """A function that stores its input in an attribute of the context, and runs a thread in its backward pass."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.kept = {"x": x}
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        in_a_thread()
        return grad * 2


def kept(x: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = Keeps.apply(x)  # type: ignore[no-untyped-call]
    return result


def test_a_context_deep_in_the_graph_is_searched() -> None:
    leaf = X.clone().requires_grad_()
    _, seen = observe_forward(lambda: kept(leaf).add(1).sum(), [leaf])
    assert seen["extra_attributes"] == ["kept"]


def test_threads_of_a_backward_pass_are_seen() -> None:
    leaf = X.clone().requires_grad_()
    _, seen = observe_backward(lambda: kept(leaf), [leaf])
    assert seen["operators"]["aten::_softmax"] == 1


def test_a_call_that_stops_the_profiler_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="stopped"):
        observe_forward(_disable_profiler, [])


def test_a_call_that_saves_very_much_is_an_error() -> None:
    leaf = X.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="saves at most"):
        observe_forward(lambda: [leaf.exp() for _ in range(10_001)], [leaf])


GOOD: dict[str, Any] = {"operators": {"aten::exp": 1}, "largest_numel": 6, "saved": [], "extra_attributes": []}
SAVED = {"shape": [2], "dtype": "float32", "bytes": 8, "is_input": None}


def test_a_report_is_read() -> None:
    assert observation(None, GOOD | {"saved": [SAVED]}).saved_bytes == 8


@pytest.mark.parametrize(
    "lie",
    [
        {"operators": {"aten::exp": float("nan")}},
        {"operators": {"aten::exp": True}},
        {"operators": {"aten::exp": -1}},
        {"largest_numel": float("nan")},
        {"largest_numel": 1 << 70},
        {"saved": [SAVED | {"bytes": float("nan")}]},
        {"saved": [SAVED | {"is_input": "0"}]},
        {"extra_attributes": [None]},
    ],
)
def test_a_forged_report_is_refused(lie: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"no whole number|no text"):
        observation(None, GOOD | lie)
