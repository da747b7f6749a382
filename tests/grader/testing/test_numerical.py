"""Tests assert_gradcheck and assert_gradgradcheck with functions whose derivatives are right, wrong, or detached from the
graph.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grader.testing import CheckFailed, assert_gradcheck, assert_gradgradcheck


class Swish(torch.autograd.Function):
    """The function x * sigmoid(beta x). Its backward pass can be differentiated."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, beta: Tensor) -> Tensor:
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        slope = s * (1 - s)
        return grad * (s + beta * x * slope), (grad * x * x * slope).sum()


class Forgetful(Swish):
    """A Swish whose gradient of beta is one percent too large."""

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        by_x, by_beta = Swish.backward(ctx, grad)
        return by_x, by_beta * 1.01


class OneElementWrong(Swish):
    """A Swish whose gradient of x has one element that is ten percent too large."""

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        by_x, by_beta = Swish.backward(ctx, grad)
        wrong = torch.ones_like(by_x)
        wrong[7] = 1.1
        return by_x * wrong, by_beta


class OnceOnly(Swish):
    """A Swish whose backward raises an error when it is differentiated."""

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        return Swish.backward(ctx, grad)


class SilentlyOnce(Swish):
    """A Swish whose backward detaches its saved tensors. So its second derivatives are wrong, but no error is raised."""

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        x, beta = (t.detach() for t in ctx.saved_tensors)
        s = torch.sigmoid(beta * x)
        slope = s * (1 - s)
        return grad * (s + beta * x * slope), (grad * x * x * slope).sum()


@pytest.fixture
def inputs() -> list[Tensor]:
    return [torch.randn(1000, generator=torch.Generator().manual_seed(0)), torch.tensor(1.3)]


def _message(check: Callable[..., None], f: Any, inputs: Any, **options: Any) -> str:
    with pytest.raises(CheckFailed) as caught:
        check(f, inputs, **options)
    return str(caught.value)


def test_right_derivatives_agree_twice(inputs: list[Tensor]) -> None:
    assert_gradcheck(Swish.apply, inputs)
    assert_gradgradcheck(Swish.apply, inputs)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.exp().sum(),
        lambda x: x.softmax(-1),
        lambda x: 3 * x,
        lambda x: torch.linalg.inv(x @ x.mT + torch.eye(6, dtype=x.dtype)),
        lambda x: (x.sin(), {"a": x.cumsum(0)}),
        lambda x: torch.nn.functional.layer_norm(x, (6,)),
        torch.fft.fft,
    ],
)
@pytest.mark.parametrize("size", [1e-2, 1.0, 1e2])
def test_torch_s_own_derivatives_agree_for_data_of_any_size(f: Callable[..., Any], size: float) -> None:
    x = size * torch.randn(6, 6, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    assert_gradcheck(f, x, eps=1e-6 * size)
    assert_gradgradcheck(f, x, eps=1e-6 * size)


def test_complex_inputs_agree() -> None:
    z = torch.randn(5, dtype=torch.complex64)
    assert_gradcheck(lambda z: z * z.conj() * z, [z])
    assert_gradgradcheck(lambda z: (z.abs().square(), z.exp()), [z])


def test_a_wrong_gradient_is_named(inputs: list[Tensor]) -> None:
    message = _message(assert_gradcheck, Forgetful.apply, inputs, names=["x", "beta"])
    assert message == "gradient of beta: does not agree with finite differences"


def test_one_wrong_element_of_a_thousand_is_seen(inputs: list[Tensor]) -> None:
    assert _message(assert_gradcheck, OneElementWrong.apply, inputs).startswith("gradient of input 0")


def test_a_gradient_of_nan_does_not_agree() -> None:
    assert "finite differences" in _message(assert_gradcheck, lambda x: (x * x).sqrt().sum(), torch.zeros(3))


def test_a_detached_output_is_told(inputs: list[Tensor]) -> None:
    def detached(x: Tensor, beta: Tensor) -> Tensor:
        return x.detach() * beta.detach()

    message = _message(assert_gradcheck, detached, inputs, names=["x", "beta"])
    assert message == "the output is detached from x and beta"
    assert "detached" in _message(assert_gradgradcheck, detached, inputs)


def test_one_detached_input_is_named(inputs: list[Tensor]) -> None:
    message = _message(assert_gradcheck, lambda x, beta: Swish.apply(x, beta.detach()), inputs, names=["x", "beta"])  # type: ignore[no-untyped-call]
    assert message.startswith("gradient of beta")


def test_a_backward_that_cuts_the_graph_fails_the_second_check_only(inputs: list[Tensor]) -> None:
    assert_gradcheck(SilentlyOnce.apply, inputs)
    message = _message(assert_gradgradcheck, SilentlyOnce.apply, inputs, names=["x", "beta"])
    assert message == "second derivative by x: does not agree with finite differences"


def test_a_backward_that_refuses_a_second_one_fails_the_second_check_only(inputs: list[Tensor]) -> None:
    assert_gradcheck(OnceOnly.apply, inputs)
    assert _message(assert_gradgradcheck, OnceOnly.apply, inputs).startswith("second derivative by input 0")


def test_gradients_without_any_graph_are_told(inputs: list[Tensor]) -> None:
    class NoGraph(Swish):
        """A Swish whose backward runs under torch.no_grad."""

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
            with torch.no_grad():
                return Swish.backward(ctx, grad)

    assert_gradcheck(NoGraph.apply, inputs)
    assert _message(assert_gradgradcheck, NoGraph.apply, inputs) == "the gradients cannot be differentiated again"


def test_an_output_that_hangs_on_weights_only_is_detached_from_its_inputs(inputs: list[Tensor]) -> None:
    weight = torch.ones(1000, dtype=torch.float64, requires_grad=True)
    message = _message(assert_gradgradcheck, lambda x, beta: weight * (x * beta).detach(), inputs)
    assert message == "the output is detached from input 0 and input 1"


def test_float32_inside_is_told_by_its_dtype(inputs: list[Tensor]) -> None:
    message = _message(assert_gradcheck, lambda x, beta: x.float().exp(), inputs)
    assert message == "output: dtype float64 expected for float64 inputs, got float32"


def test_float32_arithmetic_inside_is_seen(inputs: list[Tensor]) -> None:
    assert "finite differences" in _message(assert_gradcheck, lambda x, beta: x.float().exp().double(), inputs)


def test_masks_and_keywords_pass_through() -> None:
    mask = torch.ones(4, 4, dtype=torch.bool).tril()

    def masked(x: Tensor, mask: Tensor, fill: float, unused: None) -> Tensor:
        return x.masked_fill(~mask, fill).softmax(-1)

    assert_gradcheck(masked, [torch.randn(4, 4), mask], fill=-1e9, unused=None)


def test_wrt_limits_the_check(inputs: list[Tensor]) -> None:
    assert_gradcheck(Forgetful.apply, inputs, wrt=[0])
    with pytest.raises(CheckFailed):
        assert_gradcheck(Forgetful.apply, inputs, wrt=[1])


def test_inputs_of_any_strides_are_left_alone() -> None:
    x = torch.randn(3, 1).expand(3, 4)
    before = x.clone()
    assert_gradcheck(torch.sin, x)
    assert_gradcheck(torch.sin, torch.randn(4, 6).t()[::2])
    assert torch.equal(x, before)


def test_the_number_of_calls_does_not_grow_with_the_input() -> None:
    calls = []

    def counted(x: Tensor) -> Tensor:
        calls.append(1)
        return x.sin()

    assert_gradcheck(counted, torch.randn(5000))
    assert len(calls) == 6


def test_each_input_is_moved_alone_and_then_all_together() -> None:
    moved = []
    start = [torch.tensor([float(n)], dtype=torch.float64) for n in range(3)]

    def product(*inputs: Tensor) -> Tensor:
        moved.append([n for n, (now, before) in enumerate(zip(inputs, start, strict=True)) if now != before])
        return torch.stack(inputs).sum().exp()

    assert_gradcheck(product, start)
    assert moved == [[], [0], [0], [1], [1], [2], [2], [], [0, 1, 2], [0, 1, 2]]


def test_exceptions_of_the_answer_go_through() -> None:
    def refuse(x: Tensor) -> Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        assert_gradcheck(refuse, torch.ones(2))
