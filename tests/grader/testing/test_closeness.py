"""Tests assert_close: what passes, what fails, and that no message contains a value."""

import math
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.testing import CheckFailed, assert_close
from grader.testing.comparison.closeness import set_judging_device
from grader.testing.comparison.tolerance import set_tolerance_share

X = torch.linspace(-1, 1, 40).reshape(2, 4, 5)
Pair = namedtuple("Pair", ["left", "right"])


def _message(actual: Any, expected: Any, **options: Any) -> str:
    with pytest.raises(CheckFailed) as caught:
        assert_close(actual, expected, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        X,
        torch.tensor(3.0),
        torch.zeros(0, 4),
        torch.tensor([True, False]),
        torch.tensor([2**62, -1]),
        torch.tensor([1 + 2j, 3j]),
        torch.tensor([1.0, math.inf, -math.inf]),
        torch.ones(2, 3, dtype=torch.bfloat16),
        torch.ones(3).to(torch.float8_e4m3fn),
        torch.tensor([1, 2], dtype=torch.uint64),
        torch.eye(3).to_sparse(),
        X.transpose(0, 2)[:, ::2],
        torch.nn.Parameter(torch.ones(2)),
        torch.tensor([1j]).conj(),
        None,
        True,
        7,
        10**400,
        1.5,
        math.inf,
        2j,
        "text",
        b"bytes",
        torch.float32,
        torch.device("cpu"),
        slice(1, 2),
        ...,
        [X, (X, {"a": 1})],
        {1: X, "b": None},
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_close_to_itself(value: Any) -> None:
    assert_close(value, value)


def test_results_of_expected_subtypes_may_be_plain() -> None:
    assert_close((1, 2), Pair(1, 2))
    assert_close((2, 3), torch.Size([2, 3]))
    assert_close({"w": X}, OrderedDict(w=X))
    values, indices = X.max(-1)
    assert_close((values, indices), X.max(-1))


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (torch.ones(2, 5, 1), torch.ones(2, 5), "output: shape (2, 5) expected, got (2, 5, 1)"),
        (torch.ones(2).double(), torch.ones(2), "output: dtype float32 expected, got float64"),
        ([1.0], torch.ones(1), "output: a tensor expected, got list"),
        (1.0, torch.tensor(1.0), "output: a tensor expected, got float"),
        (torch.tensor(1.0), 1.0, "output: float expected, got Tensor"),
        (True, 1, "output: int expected, got bool"),
        (1, True, "output: bool expected, got int"),
        (True, 1.0, "output: float expected, got bool"),
        (1.0, 1, "output: int expected, got float"),
        ([1], (1,), "output: tuple expected, got list"),
        ((1,), [1, 2], "output: list expected, got tuple"),
        ([1], [1, 2], "output: 2 items expected, got 1"),
        ({"a": 1}, {"b": 1}, "output: 1 keys are missing, 1 are not expected"),
        ({True: 1}, {1: 1}, "output: 1 keys are missing, 1 are not expected"),
        ([{"a": torch.ones(2)}], [{"a": torch.ones(3)}], "output[0]['a']: shape (3,) expected, got (2,)"),
        ("ab", "abc", "output: the value is wrong"),
        (None, X, "output: a tensor expected, got NoneType"),
        (10**400, 1.0, "output: the value is too large"),
        (torch.eye(2).to_sparse(), torch.eye(2), "output: a dense tensor expected, got a sparse tensor"),
        (
            X.to("meta"),
            X,
            "output: a tensor with values expected, got a tensor of the meta device",
        ),
        (
            torch.ones(2, device="meta", dtype=torch.int64),
            torch.ones(2, dtype=torch.int64),
            "output: a tensor with values expected, got a tensor of the meta device",
        ),
    ],
)
def test_another_type_or_shape_is_named(actual: Any, expected: Any, message: str) -> None:
    assert _message(actual, expected) == message


def test_an_int_is_accepted_where_a_float_is_expected() -> None:
    assert_close(1, 1.0)
    assert "largest error" in _message(2, 1.0)


def test_a_tensor_subclass_is_not_a_tensor() -> None:
    class Agreeable(Tensor):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

        __hash__ = Tensor.__hash__

    assert "a tensor expected, got Agreeable" in _message(torch.ones(2).as_subclass(Agreeable), torch.zeros(2))


def test_an_object_that_equals_everything_is_not_asked() -> None:
    class Agreeable:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("asked")

        __hash__ = None  # type: ignore[assignment]

    assert "str expected" in _message(Agreeable(), "a")
    assert "a tensor expected" in _message([Agreeable()], [X])


def test_the_largest_error_is_placed_and_counted() -> None:
    actual = X.clone()
    actual[0, 2, 4] += 0.5
    actual[1, 0, 0] += 0.25
    assert _message(actual, X).startswith("output: largest error 0.5 at [0, 2, 4] (relative ")
    assert _message(actual, X).endswith("), 2 of 40 values are off")


def test_a_wrong_scalar_has_no_place() -> None:
    assert (
        _message(torch.tensor(2.0), torch.tensor(1.0)) == "output: largest error 1 (relative 1), 1 of 1 values are off"
    )


def test_wrong_whole_numbers_are_counted_without_their_size() -> None:
    message = _message(torch.tensor([1, 2, 2**60 + 1]), torch.tensor([1, 2, 2**60]))
    assert message == "output: 1 of 3 values are wrong, the first at [2]"


def test_values_that_are_not_finite_come_first() -> None:
    actual = X + 1
    actual[1, 2, 3], actual[0, 1, 1] = torch.nan, torch.inf
    assert _message(actual, X) == "output: 2 of 40 values are not finite, the first at [0, 1, 1]"


@pytest.mark.parametrize("expected", [[0.0, math.inf], [math.inf, 1.0], [math.nan, 1.0]])
def test_no_tolerance_lets_a_finite_value_stand_for_another(expected: list[float]) -> None:
    assert "not be" in _message(torch.tensor([0.0, 1.0]), torch.tensor(expected), rtol=1.0, atol=1e9, equal_nan=True)


def test_infinities_must_have_the_same_sign_and_place() -> None:
    expected = torch.tensor([1.0, math.inf])
    assert "not finite" in _message(torch.tensor([1.0, -math.inf]), expected)
    assert "finite and should not be" in _message(torch.tensor([1.0, 1e30]), expected)


def test_nan_equals_nan_only_when_asked() -> None:
    x = torch.tensor([1.0, math.nan])
    assert_close(x, x, equal_nan=True)
    assert_close(math.nan, math.nan, equal_nan=True)
    assert "not finite" in _message(x, x)
    assert "not finite" in _message(math.nan, math.nan)
    assert "finite and should not be" in _message(torch.ones(2), x, equal_nan=True)


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e6])
def test_zeros_are_never_close_to_data_of_any_size(size: float) -> None:
    assert "40 of 40" in _message(torch.zeros(2, 4, 5), size * (X + 2))


def test_rounding_noise_around_zero_is_close_to_zero() -> None:
    noise = 3e-8 * torch.ones(5)
    assert_close(noise, torch.zeros(5))
    assert_close(torch.zeros(5), noise)


def test_one_huge_value_excuses_no_other() -> None:
    expected = torch.cat([X.reshape(-1), torch.tensor([-1e9])])
    actual = expected.clone()
    actual[3] += 1e-3
    assert "1 of 41" in _message(actual, expected)


def test_half_precision_inside_a_python_float_is_seen() -> None:
    assert_close(0.1 + 1e-8, 0.1)
    assert "largest error" in _message(float(torch.tensor(0.1).half()), 0.1)


def test_explicit_tolerances_replace_the_derived_ones() -> None:
    assert_close(X + 0.01, X, atol=0.02)
    assert_close(X * 1.05, X, rtol=0.1)
    assert "off" in _message(X + 1e-7, X, rtol=0.0)
    assert "off" in _message(X + 0.03, X, atol=0.02)


def test_scale_widens() -> None:
    assert "off" in _message(X + 1e-3, X)
    assert_close(X + 1e-3, X, scale=100)


def test_the_judging_s_device_decides_about_tf32() -> None:
    assert "off" in _message(X + 1e-3, X)
    set_judging_device("cuda")
    try:
        assert_close(X + 1e-3, X)
    finally:
        set_judging_device("cpu")


@pytest.fixture
def a_third() -> Iterator[None]:
    """Multiplies all tolerances by a third."""
    set_tolerance_share(1 / 3)
    yield
    set_tolerance_share(1.0)


@pytest.mark.usefixtures("a_third")
def test_all_tolerances_can_be_made_smaller() -> None:
    assert_close(X + 1e-6, X)
    assert_close(1 + 1e-6, 1.0)
    assert_close(X + 0.005, X, atol=0.02)
    assert_close(X * 1.03, X, rtol=0.1)
    assert "off" in _message(X + 1e-5, X)
    assert "off" in _message(1 + 2e-5, 1.0)
    assert "off" in _message(X + 0.02, X, atol=0.02)
    assert "off" in _message(X * 1.1, X, rtol=0.1)


def test_nesting_is_bounded() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    assert _message(deep, deep).endswith("nested too deeply")


def test_an_expected_object_that_cannot_be_compared_is_the_author_s_mistake() -> None:
    with pytest.raises(TypeError, match="plain data"):
        assert_close(1, object())


def test_messages_are_short_and_name_what_was_asked_for() -> None:
    message = _message(torch.zeros(500, 500), torch.ones(500, 500), name="weights")
    assert message.startswith("weights: ")
    assert len(message) < 120


def test_tensors_of_the_meta_device_agree_in_shape_and_dtype() -> None:
    assert_close(X.to("meta"), X.to("meta"))
    assert "float64 expected" in _message(X.to("meta"), X.double().to("meta"))
    assert _message(X, X.to("meta")).startswith("output: a tensor of the meta device expected")


def test_gradients_and_graphs_do_not_matter() -> None:
    x = torch.ones(3, requires_grad=True)
    assert_close(x * 2, (x * 2).detach())
