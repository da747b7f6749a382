"""Tests assert_same_gradients. Correct answers pass, and for a wrong gradient of any kind, the message says which gradient is
wrong.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from grader.testing import CheckFailed, assert_same_gradients


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, *, causal: bool = False) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
    return scores.softmax(-1) @ v


def fused(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, *, causal: bool = False) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)


@pytest.fixture
def qkv() -> tuple[Tensor, ...]:
    return torch.randn(3, 2, 2, 7, 8, generator=torch.Generator().manual_seed(0)).unbind()


def _message(f: Callable[..., Any], g: Callable[..., Any], inputs: Any, **options: Any) -> str:
    with pytest.raises(CheckFailed) as caught:
        assert_same_gradients(f, g, inputs, **options)
    return str(caught.value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_two_honest_ways_agree_in_views_of_one_storage(qkv: tuple[Tensor, ...], dtype: torch.dtype) -> None:
    assert_same_gradients(fused, attention, [x.to(dtype) for x in qkv])
    assert_same_gradients(fused, attention, torch.randn(3, 7, 4).to(dtype).unbind(), causal=True)


def test_long_rows_in_float32_agree() -> None:
    def layer_norm(x: Tensor, weight: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5) * weight

    inputs = [torch.randn(512, 2048, generator=torch.Generator().manual_seed(1)), torch.ones(2048)]
    assert_same_gradients(layer_norm, lambda x, weight: F.layer_norm(x, (2048,), weight), inputs)


def test_masks_none_and_strided_inputs_pass_through(qkv: tuple[Tensor, ...]) -> None:
    q, k, v = (x.transpose(-1, -2)[..., ::2] for x in torch.randn(3, 2, 14, 8).unbind())
    mask = torch.ones(8, 8, dtype=torch.bool).tril()
    assert not q.is_contiguous()
    seen: list[tuple[int, ...]] = []

    def strided(q: Tensor, *others: Any) -> Tensor:
        seen.append(q.stride())
        return fused(q, *others)

    assert_same_gradients(strided, attention, [q, k, v, mask])
    assert_same_gradients(fused, attention, [*qkv, None])
    assert seen == [q.stride()]


def test_expanded_and_empty_inputs_work() -> None:
    assert_same_gradients(torch.exp, lambda x: x.exp(), torch.randn(3, 1).expand(3, 4))
    assert_same_gradients(torch.exp, lambda x: x.exp(), torch.zeros(0, 4))


def test_one_tensor_passed_twice_stays_one() -> None:
    x = torch.randn(4, 4)
    same: list[bool] = []

    def product(a: Tensor, b: Tensor) -> Tensor:
        same.append(a is b)
        return a @ b

    assert_same_gradients(product, torch.matmul, [x, x])
    assert same == [True]


def test_lists_of_tensors_and_several_outputs_are_followed() -> None:
    xs = [torch.randn(3), torch.randn(3)]

    def both(items: list[Tensor], scale: float) -> dict[str, Any]:
        return {"sum": (items[0] + items[1]) * scale, "parts": (items[0].exp(), 3)}

    assert_same_gradients(both, both, [xs, 2.0])
    wrong = _message(lambda i, s: {**both(i, s), "parts": (i[0].detach().exp(), 3)}, both, [xs, 2.0])
    assert wrong == "output['parts'][0] is detached from its inputs"


def test_complex_inputs_follow_torch_s_convention() -> None:
    z = torch.randn(5, dtype=torch.complex128)
    assert_same_gradients(lambda z: z * z.conj(), lambda z: z.abs().square().to(z.dtype), [z])

    class Unconjugated(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, z: Tensor) -> Tensor:
            ctx.save_for_backward(z)
            return z * z

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            return 2 * ctx.saved_tensors[0] * grad  # type: ignore[no-any-return]

    assert "gradient of input 0" in _message(Unconjugated.apply, torch.square, [z])


def test_inputs_and_their_grad_are_left_alone(qkv: tuple[Tensor, ...]) -> None:
    before = [x.clone() for x in qkv]

    def greedy(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        out = fused(q, k, v)
        v.data.zero_()
        return out

    with pytest.raises(CheckFailed):
        assert_same_gradients(greedy, attention, qkv)
    assert all(torch.equal(x, y) for x, y in zip(qkv, before, strict=True))
    assert all(x.grad is None and not x.requires_grad for x in qkv)


def test_a_detached_output_is_named_by_its_inputs(qkv: tuple[Tensor, ...]) -> None:
    message = _message(lambda *a: fused(*a).detach(), attention, qkv, names=["q", "k", "v"])
    assert message == "the output is detached from q, k and v"


def test_one_detached_input_is_named(qkv: tuple[Tensor, ...]) -> None:
    message = _message(lambda q, k, v: fused(q.detach(), k, v), attention, qkv, names="qkv")
    assert message == "the output is detached from q"
    assert _message(lambda q, k, v: fused(q, k.detach(), v), attention, qkv).endswith("detached from input 1")


def test_a_wrong_gradient_is_named(qkv: tuple[Tensor, ...]) -> None:
    class Crooked(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            return 1.001 * grad

    message = _message(lambda q, k, v: fused(q, Crooked.apply(k), v), attention, qkv, names="qkv")  # type: ignore[no-untyped-call]
    assert message.startswith("gradient of k: largest error")


def test_a_half_precision_gradient_is_seen(qkv: tuple[Tensor, ...]) -> None:
    class Rounded(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            return grad.half().float()

    assert "gradient of input 2" in _message(lambda q, k, v: fused(q, k, Rounded.apply(v)), attention, qkv)  # type: ignore[no-untyped-call]


def test_a_wrong_output_is_told_before_its_gradient(qkv: tuple[Tensor, ...]) -> None:
    assert _message(lambda *a: 2 * fused(*a), attention, qkv).startswith("output: largest error")


def test_only_wrt_is_compared(qkv: tuple[Tensor, ...]) -> None:
    def without_v(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return fused(q, k, v.detach())

    assert_same_gradients(without_v, attention, qkv, wrt=[0, 1])
    assert "v" in _message(without_v, attention, qkv, wrt=["v"], names="qkv")


def test_gradients_of_keywords_are_compared(qkv: tuple[Tensor, ...]) -> None:
    q, k, v = qkv
    assert_same_gradients(fused, attention, [q, k], v=v)
    assert "detached from v" in _message(lambda q, k, v: fused(q, k, v.detach()), attention, [q, k], v=v)


def test_no_gradient_and_a_gradient_of_zeros_are_the_same() -> None:
    x, y = torch.randn(3), torch.randn(3)
    assert_same_gradients(lambda x, y: x * 2, lambda x, y: x * 2 + 0 * y, [x, y])
    assert_same_gradients(lambda x, y: x * 2 + 0 * y, lambda x, y: x * 2, [x, y])


def test_a_gradient_where_none_belongs_is_seen() -> None:
    message = _message(lambda x, y: x + y - y.detach(), lambda x, y: x + 0.0, [torch.randn(3), torch.randn(3)])
    assert message.startswith("gradient of input 1")


def test_a_gradient_that_is_not_finite_is_seen() -> None:
    x = torch.tensor([0.0, 4.0])
    assert "gradient of input 0: 1 of 2 values are not finite" in _message(
        lambda x: x.pow(2).sqrt(), lambda x: x.abs(), [x]
    )


def test_exceptions_of_the_answer_go_through(qkv: tuple[Tensor, ...]) -> None:
    def refuse(*args: Any) -> Tensor:
        raise IndexError("mine")

    with pytest.raises(IndexError, match="mine"):
        assert_same_gradients(refuse, attention, qkv)


def test_no_grad_around_the_check_does_not_matter(qkv: tuple[Tensor, ...]) -> None:
    with torch.no_grad():
        assert_same_gradients(fused, attention, qkv)


@pytest.mark.parametrize(
    ("inputs", "options", "message"),
    [
        ([torch.tensor([1, 2])], {}, "no input is a floating tensor"),
        ([torch.ones(2)], {"wrt": [1]}, "none of the arguments"),
        ([torch.ones(2)], {"wrt": ["x"]}, "none of the arguments"),
        ([torch.ones(2), torch.ones(2)], {"names": "xx"}, "a name of its own"),
    ],
)
def test_author_s_mistakes_are_value_errors(inputs: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        assert_same_gradients(lambda *a: a[0] * 1.0, lambda *a: a[0] * 1.0, inputs, **options)


def test_a_reference_without_gradient_is_the_author_s_mistake() -> None:
    with pytest.raises(ValueError, match="does not require grad"):
        assert_same_gradients(torch.exp, lambda x: x.detach().exp(), torch.randn(3))
