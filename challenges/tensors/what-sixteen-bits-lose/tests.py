"""Hidden tests: what a conversion to 16 bits does to numbers."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
HALF, BRAIN = torch.float16, torch.bfloat16
EACH_FORMAT = pytest.mark.parametrize("dtype", [HALF, BRAIN], ids=["float16", "bfloat16"])
EACH_INPUT = pytest.mark.parametrize("wide", [F32, F64], ids=["float32", "float64"])


def round_to(x, dtype):
    """The nearest number of the format, from its bits alone."""
    digits, lowest, largest = (11, -24, 65504.0) if dtype == HALF else (8, -133, (2 - 2**-7) * 2.0**127)
    x = torch.tensor(x, dtype=F64).float().item()  # torch rounds to float32 on the way
    if x == 0 or math.isinf(x):
        return x
    step = 2.0 ** max(math.frexp(abs(x))[1] - digits, lowest)
    y = round(x / step) * step
    return math.copysign(math.inf, x) if abs(y) > largest else y


def expected(values, dtype):
    found = {"overflowed": 0, "vanished": 0, "worst": 0.0}
    for x in values.double().flatten().tolist():
        if x == 0 or not math.isfinite(x):
            continue
        y = round_to(x, dtype)
        if math.isinf(y):
            found["overflowed"] += 1
        elif y == 0:
            found["vanished"] += 1
        else:
            found["worst"] = max(found["worst"], abs(y - x) / abs(x))
    return found


def check_losses(found, wanted):
    check(isinstance(found, dict) and sorted(found) == sorted(wanted), "the result should have the three keys")
    for key in ("overflowed", "vanished"):
        check(type(found[key]) is int, f"{key} should be an int")
        check(found[key] == wanted[key], f"{key} is not the number of such values")
    check(type(found["worst"]) is float, "worst should be a float")
    assert_close(found["worst"], wanted["worst"], rtol=1e-9, atol=0.0, name="worst")


def magnitudes(rng, count, low, high, wide=F64):
    """Random numbers of both signs, with exponents of ten between low and high."""
    return (rng.randn(count, dtype=F64).sign() * 10 ** (low + (high - low) * rng.rand(count, dtype=F64))).to(wide)


@sample
@points(1)
def test_three_probes(solution):
    """7e4, 1e-8 and 1 + 2**-9: float16 loses the first two, bfloat16 the digits of the third."""
    values = torch.tensor([7e4, 1e-8, 1 + 2**-9, 0.0], dtype=F64)
    for dtype in (HALF, BRAIN):
        check_losses(solution.losses_in(values, dtype), expected(values, dtype))


@sample
@points(1)
def test_scale_of_three(solution):
    """The largest gradient is 3: 3 * 2**14 is finite in float16, 3 * 2**15 is not."""
    gradients = [torch.tensor([1e-7, -3.0]), torch.tensor(0.5)]
    check(solution.largest_scale(gradients, HALF) == 2.0**14, "the scale should be 2**14")


@sample
@points(1)
def test_nothing_to_lose(solution):
    """Infinities, NaN and zeros have lost nothing, and neither has an empty tensor."""
    nothing = {"overflowed": 0, "vanished": 0, "worst": 0.0}
    for values in (torch.tensor([math.inf, -math.inf, math.nan, 0.0, -0.0]), torch.zeros(0, 3)):
        check_losses(solution.losses_in(values, HALF), nothing)


@points(3)
@EACH_FORMAT
@EACH_INPUT
def test_random_values(solution, rng, dtype, wide):
    """Values of many magnitudes and both signs: a count or the worst error differs."""
    for _ in range(4):
        values = magnitudes(rng, 60, -12, 8, wide).reshape(3, 4, 5)
        for sign in (1, -1):  # so that the worst error is once that of a negative value
            check_losses(solution.losses_in(sign * values, dtype), expected(sign * values, dtype))


@points(2)
@EACH_FORMAT
def test_error_within_the_range(solution, rng, dtype):
    """Where nothing overflows or vanishes, the worst relative error is at most half a step."""
    values = magnitudes(rng, 50, -3, 3)
    found = solution.losses_in(values, dtype)
    check_losses(found, expected(values, dtype))
    check(found["worst"] <= torch.finfo(dtype).eps / 2, "the worst error is more than half a step")


@points(2)
@EACH_FORMAT
def test_subnormal_values(solution, rng, dtype):
    """Small values lose digits before they vanish: their error counts as well."""
    low = math.log10(2.0**-24 if dtype == HALF else 2.0**-133)
    values = magnitudes(rng, 20, low - 1, low + 1.5)
    check_losses(solution.losses_in(values, dtype), expected(values, dtype))


@points(2)
def test_borders_of_float16(solution):
    """65519 is rounded to 65504 and 65520 to infinity; 2**-25 becomes 0 and a little more does not."""
    values = torch.tensor([65519.0, -65519.0, 65520.0, -65520.0, 2**-25, 1.001 * 2**-25, -(2**-25)], dtype=F64)
    check_losses(solution.losses_in(values, HALF), expected(values, HALF))


@points(1)
def test_special_values_among_others(solution, rng):
    """Infinities, NaN and zeros among other values are not counted, and do not spoil the error."""
    values = torch.cat([magnitudes(rng, 9, -9, 6), torch.tensor([math.inf, -math.inf, math.nan, 0.0], dtype=F64)])
    for dtype in (HALF, BRAIN):
        check_losses(solution.losses_in(values, dtype), expected(values, dtype))


@points(1)
@EACH_FORMAT
def test_very_large_values(solution, rng, dtype):
    """Values beyond float32, in float64: both formats overflow."""
    values = magnitudes(rng, 12, 36, 41)
    check_losses(solution.losses_in(values, dtype), expected(values, dtype))


@points(3)
@EACH_FORMAT
@EACH_INPUT
def test_random_scales(solution, rng, dtype, wide):
    """The scale is not the largest power of two that keeps every gradient finite."""
    for high in (-2, 0, 2, 4):
        gradients = [magnitudes(rng, 5, -9, high, wide), magnitudes(rng, 6, -9, high, wide).reshape(2, 3)]
        top = max(g.double().abs().max().item() for g in gradients)
        fitting = [2.0**e for e in range(25) if not math.isinf(round_to(top * 2.0**e, dtype))]
        for order in (gradients, gradients[::-1]):
            found = solution.largest_scale(order, dtype)
            check(type(found) is float, "the scale should be a float")
            check(found == (fitting[-1] if fitting else 0.0), "this is not the largest power of two")


@points(2)
def test_scale_at_the_border(solution):
    """65519 fits, because it is rounded down; 65520 does not. The sign does not matter."""
    for top, scale in ((65519.0, 1.0), (65520.0, 0.0), (65519.0 / 8, 8.0), (65520.0 / 8, 4.0)):
        for sign in (1, -1):
            found = solution.largest_scale([torch.tensor([1.0, sign * top], dtype=F64)], HALF)
            check(found == scale, "this is not the largest power of two that keeps every gradient finite")


@points(1)
def test_scale_without_a_limit(solution):
    """For small gradients, zeros or none, the scale is 2**24."""
    for gradients in ([], [torch.zeros(2, 3)], [torch.zeros(0)], [torch.tensor([1e-12])]):
        for dtype in (HALF, BRAIN):
            check(solution.largest_scale(gradients, dtype) == 2.0**24, "the scale should be 2**24")


@points(1)
def test_scale_in_bfloat16(solution, rng):
    """bfloat16 has the range of float32: ordinary gradients never need less than the largest scale."""
    gradients = [magnitudes(rng, 20, -9, 20)]
    check(solution.largest_scale(gradients, BRAIN) == 2.0**24, "the scale should be 2**24")
    huge = [torch.tensor([1e35], dtype=F64)]
    check(solution.largest_scale(huge, BRAIN) == 2.0**11, "the scale for a gradient of 1e35 should be 2**11")


@points(1)
def test_arguments_stay(solution, rng):
    """Neither the values nor the gradients are written to."""
    values = magnitudes(rng, 8, -9, 6)
    assert_not_mutated(solution.losses_in, values, HALF)
    assert_not_mutated(solution.largest_scale, [values, values.float()], HALF)
