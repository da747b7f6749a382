"""Measures whether the tolerance of comparisons is right. Two valid ways to compute the same result can do their operations in
a different order. The resulting errors must be small compared with the tolerance. The errors of arithmetic in the next lower
precision must be far larger than the tolerance.

Last measured on 64 x 4096 data: the error of another order is at most 0.11 times the tolerance in float32 (0.05 in complex64,
0.0005 in float64, 0.28 in float16 and bfloat16). Arithmetic in float16, or a single rounding of a float32 result to float16,
has an error of at least 9.6 times the tolerance.
"""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from grader.testing import tolerance
from grader.testing.comparison.difference import difference, wide

N = 4096


def _used(actual: Tensor, expected: Tensor) -> float:
    """Return the largest error as a fraction of the allowed error."""
    found, allowed = difference(wide(actual), wide(expected)), tolerance(expected.dtype)
    limit = allowed.absolute(found.scale) + allowed.relative * found.magnitude
    return float((found.error / limit).max())


def _sequential(a: Tensor, b: Tensor) -> Tensor:
    out = torch.zeros(a.shape[0], b.shape[1], dtype=a.dtype)
    for i in range(a.shape[1]):
        out = out + a[:, i : i + 1] * b[i : i + 1]
    return out


def _attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v


def _online_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    top = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=q.dtype)
    total, out = torch.zeros_like(top), torch.zeros_like(q)
    for keys, values in zip(torch.split(k, 32, -2), torch.split(v, 32, -2), strict=True):
        scores = q @ keys.mT / math.sqrt(q.shape[-1])
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        weights, shrink = (scores - new).exp(), (top - new).exp()
        total, out, top = total * shrink + weights.sum(-1, keepdim=True), out * shrink + weights @ values, new
    return out / total


def _softmax(x: Tensor) -> Tensor:
    weights = (4 * x - (4 * x).amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


def _layer_norm(x: Tensor) -> Tensor:
    mean = x.mean(-1, keepdim=True)
    return (x - mean) * torch.rsqrt((x * x).mean(-1, keepdim=True) - mean * mean + 1e-5)


Function = Callable[..., Tensor]
Pairs = dict[str, tuple[Function, Function, tuple[tuple[int, ...], ...]]]

PAIRS: Pairs = {
    "einsum": (lambda a, b: torch.einsum("ij,jk->ik", a, b), torch.matmul, ((64, N), (N, 64))),
    "broadcast": (lambda a, b: (a[:, :, None] * b).sum(1), torch.matmul, ((8, N), (N, 8))),
    "softmax": (_softmax, lambda x: (4 * x).softmax(-1), ((64, N),)),
    "logsumexp": (lambda x: x.exp().sum(-1).log(), lambda x: x.logsumexp(-1), ((64, N),)),
    "layer norm": (_layer_norm, lambda x: F.layer_norm(x, (N,)), ((64, N),)),
    "online attention": (_online_attention, _attention, ((2, 4, 128, 64),) * 3),
    "fused attention": (F.scaled_dot_product_attention, _attention, ((2, 4, 128, 64),) * 3),
}
SUMS: Pairs = {**PAIRS, "sequential": (_sequential, torch.matmul, ((64, N), (N, 64)))}

# The layer norm of PAIRS computes the variance in one pass. In half precision, cancellation then loses so many digits that the
# result is not comparable.
HALVES = {name: pair for name, pair in PAIRS.items() if name != "layer norm"}


def _data(shapes: tuple[tuple[int, ...], ...], dtype: torch.dtype) -> list[Tensor]:
    generator = torch.Generator().manual_seed(3)
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize(("dtype", "part"), [(torch.float32, 0.25), (torch.float64, 0.25)])
def test_honest_reorderings_use_a_quarter_at_most(name: str, dtype: torch.dtype, part: float) -> None:
    f, g, shapes = SUMS[name]
    data = _data(shapes, dtype)
    assert _used(f(*data), g(*data)) < part


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_honest_reorderings_in_half_precision_use_half_at_most(name: str, dtype: torch.dtype) -> None:
    f, g, shapes = HALVES[name]
    data = _data(shapes, dtype)
    assert _used(f(*data), g(*data)) < 0.5


def test_honest_complex_products_use_a_quarter_at_most() -> None:
    a, b = _data(((64, N), (N, 64)), torch.complex64)
    assert _used(_sequential(a, b), a @ b) < 0.25


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize(
    ("lower", "dtype"),
    [(torch.float16, torch.float32), (torch.bfloat16, torch.float32), (torch.float32, torch.float64)],
)
def test_arithmetic_one_precision_below_is_four_times_outside(
    name: str, lower: torch.dtype, dtype: torch.dtype
) -> None:
    f, g, shapes = HALVES[name]
    data = _data(shapes, dtype)
    assert _used(f(*(x.to(lower) for x in data)).to(dtype), g(*data)) > 4


@pytest.mark.parametrize("name", PAIRS)
def test_one_rounding_to_float16_is_four_times_outside(name: str) -> None:
    _, g, shapes = PAIRS[name]
    expected = g(*_data(shapes, torch.float32))
    assert _used(expected.half().float(), expected) > 4


def test_whole_numbers_and_bools_are_exact() -> None:
    assert tolerance(torch.int64).relative == tolerance(torch.bool).relative == 0.0


def test_cuda_float32_leaves_room_for_tf32_products() -> None:
    a, b = _data(((64, N), (N, 64)), torch.float32)
    # TF32 keeps 10 of the 23 fraction bits of float32.
    rounded = [((x.view(torch.int32) + (1 << 12)) & ~((1 << 13) - 1)).view(torch.float32) for x in (a, b)]
    error = (rounded[0] @ rounded[1] - a @ b).abs().max() / (a @ b).abs().max()
    assert tolerance(torch.float32).relative < error < tolerance(torch.float32, "cuda").relative / 4


def test_float64_is_as_tight_on_cuda_as_on_the_cpu() -> None:
    assert tolerance(torch.float64, "cuda") == tolerance(torch.float64)


def test_scale_multiplies() -> None:
    assert tolerance(torch.float32, scale=3.0).relative == 3 * tolerance(torch.float32).relative


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, math.inf])
def test_a_scale_that_is_no_positive_number_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        tolerance(torch.float32, scale=scale)
