"""Tests the checks of the test kit (grader.testing) for changed arguments, determinism, modes and state. Correct answers must
pass, and each kind of fault must be reported.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from grader.testing import (
    CheckFailed,
    assert_deterministic,
    assert_ignores_mode,
    assert_mode_matters,
    assert_not_mutated,
    assert_state_dict_round_trip,
)


def _message(check: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(CheckFailed) as caught:
        check(*args, **kwargs)
    return str(caught.value)


def test_a_function_that_leaves_its_arguments_alone_gives_its_result() -> None:
    x = torch.tensor([1.0, torch.nan, -0.0])
    result = assert_not_mutated(lambda a, b, scale: (a + b[0]["c"]) * scale, x, [{"c": x}], scale=2)
    assert torch.equal(result[0], torch.tensor(4.0))


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x, mask: x.add_(1), "argument 0 was changed in place: its values"),
        (lambda x, mask: x.data.mul_(2), "argument 0 was changed in place: its values"),
        (lambda x, mask: x.add_(0), "argument 0 was changed in place: it was written to"),
        (lambda x, mask: x.t_(), "argument 0 was changed in place: its shape or strides"),
        (lambda x, mask: x.resize_(1, 2), "argument 0 was changed in place: its shape or strides"),
        (lambda x, mask: mask.logical_not_(), "argument mask was changed in place: its values"),
    ],
)
def test_every_change_of_a_tensor_is_told(f: Callable[..., Any], message: str) -> None:
    assert _message(assert_not_mutated, f, torch.ones(3, 2), mask=torch.tensor([True])) == message


@pytest.mark.parametrize(
    "f",
    [
        lambda items: items.pop(),
        lambda items: items.append(1),
        lambda items: items.__setitem__(0, torch.ones(1)),
        lambda items: items[1].update(a=2),
    ],
)
def test_every_change_of_a_container_is_told(f: Callable[..., Any]) -> None:
    assert _message(assert_not_mutated, f, [torch.ones(1), {"a": 1}, 0]).startswith("argument 0 was changed")


def test_a_change_to_a_tensor_inside_a_list_is_placed() -> None:
    message = _message(assert_not_mutated, lambda items: items[1].zero_(), [torch.ones(1), torch.ones(2)])
    assert message == "argument 0[1] was changed in place: its values"


def test_a_write_through_an_overlapping_view_is_seen() -> None:
    base = torch.zeros(4)
    assert "argument 0" in _message(assert_not_mutated, lambda a, b: b.add_(1), base[:3], base[1:])


def test_equal_seeds_give_equal_results() -> None:
    state = torch.get_rng_state()
    result = assert_deterministic(lambda x: nn.functional.dropout(x, 0.5), torch.ones(50))
    assert result.shape == (50,)
    assert torch.equal(state, torch.get_rng_state())


def test_a_passed_generator_and_mutated_arguments_start_afresh() -> None:
    generator = torch.Generator().manual_seed(1)
    assert_deterministic(lambda g, x: x.add_(torch.rand(3, generator=g)), generator, torch.zeros(3))


def test_one_tensor_passed_twice_is_still_one_in_the_copies() -> None:
    x = torch.zeros(3)
    assert assert_deterministic(lambda a, items: a is items[0], x, [x]) is True


def test_a_hidden_counter_is_not_deterministic() -> None:
    calls: list[int] = []

    def drifting(x: Tensor) -> Tensor:
        calls.append(1)
        return x + 1e-6 * len(calls)

    assert "second call with the same seed" in _message(assert_deterministic, drifting, torch.zeros(3))


def test_the_sign_of_zero_counts_as_a_difference() -> None:
    signs = iter([1.0, -1.0])
    assert "two calls" in _message(assert_deterministic, lambda x: next(signs) * x, torch.zeros(3))


def test_another_type_on_the_second_call_is_told() -> None:
    results = iter([1, 1.0])
    assert "int expected, got float" in _message(assert_deterministic, lambda: next(results))


@pytest.mark.parametrize("training", [True, False])
def test_modes_are_compared_and_put_back(training: bool) -> None:
    x = torch.randn(64, 8)
    dropout, norm = nn.Dropout(0.5).train(training), nn.LayerNorm(8).train(training)
    assert_ignores_mode(norm, x)
    assert_mode_matters(dropout, x)
    assert "against eval()" in _message(assert_ignores_mode, dropout, x)
    assert _message(assert_mode_matters, norm, x) == "train() and eval() give the same output"
    assert dropout.training is norm.training is training


def test_batch_norm_s_statistics_matter() -> None:
    assert_mode_matters(nn.BatchNorm1d(4), 3 + torch.randn(16, 4))


def test_a_module_that_does_not_follow_its_mode_is_told() -> None:
    class Stubborn(nn.Linear):
        def train(self, mode: bool = True) -> "Stubborn":
            return self

    assert "does not set `training`" in _message(assert_ignores_mode, Stubborn(2, 2), torch.ones(1, 2))


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        self.second.weight = self.first.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))  # type: ignore[no-any-return]


@pytest.mark.parametrize("make", [lambda: nn.Linear(4, 3), lambda: nn.LayerNorm(4), lambda: nn.BatchNorm1d(4), Tied])
def test_honest_state_travels(make: Callable[[], nn.Module]) -> None:
    assert_state_dict_round_trip(make, [torch.randn(5, 4)])


class Unregistered(nn.Module):
    """A layer with two weights, of which only one is a parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))
        self.hidden = [torch.randn(4, 4)]

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight @ self.hidden[0]


class Stateless(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = [torch.ones(4, 4)]

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.hidden[0]


class Cached(nn.Linear):
    """A layer that ignores its parameters and uses a tensor that its constructor made."""

    def __init__(self) -> None:
        super().__init__(4, 4)
        self.copy = [torch.ones(4, 4)]

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.copy[0]


class Deaf(nn.Linear):
    def __init__(self) -> None:
        super().__init__(4, 4)

    def load_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        return None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Unregistered, "output after load_state_dict(): largest error"),
        (Stateless, "state_dict() is empty"),
        (Cached, "the output does not depend on what load_state_dict() loads"),
        (Deaf, "state_dict()['weight']: largest error"),
    ],
)
def test_state_that_does_not_travel_is_told(make: Callable[[], nn.Module], message: str) -> None:
    assert _message(assert_state_dict_round_trip, make, torch.randn(5, 4)).startswith(message)
