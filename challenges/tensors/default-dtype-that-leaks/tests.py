"""Hidden tests: a block with another default dtype, and a mean that needs none. The blocks are in probes.py."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F16, BF16, F32, F64, I64 = torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64


@sample
@points(1)
def test_a_block(probes):
    """Before, inside and after two nested blocks, in a program that uses float32."""
    seen = probes.nested(F32, F64, F16)
    assert_close(seen, [F32, F64, F16, F64, F32], name="default dtypes")


@sample
@points(1)
def test_mean_of_whole_numbers(solution):
    """The mean of 1 and 2 is 1.5, in float64."""
    assert_close(solution.mean_of([1, 2]), torch.tensor(1.5, dtype=F64), name="mean")


@sample
@points(1)
def test_block_with_an_exception(probes):
    """A KeyError in the block comes out of it, and the default dtype is what it was."""
    assert_close(probes.interrupted(F32, F64, "KeyError"), (F32, "KeyError"), name="default dtype and exception")


@points(3)
@pytest.mark.parametrize("start", [F64, BF16], ids=["float64", "bfloat16"])
def test_other_programs(probes, start):
    """A program may have another default dtype than float32: that one is restored."""
    assert_close(probes.nested(start, F32, F64), [start, F32, F64, F32, start], name="default dtypes")
    assert_close(probes.nested(start, F16, BF16), [start, F16, BF16, F16, start], name="default dtypes")
    assert_close(probes.nested(start, start, start), [start] * 5, name="default dtypes")


@points(3)
@pytest.mark.parametrize("how", ["KeyError", "RuntimeError", "KeyboardInterrupt", "return", "break"])
def test_other_ways_out(probes, how):
    """The block is left before its last line: the default dtype is restored, and an exception is not swallowed."""
    name = "" if how in ("return", "break") else how
    assert_close(probes.interrupted(F64, F16, how), (F64, name), name="default dtype and exception")


@points(2)
def test_made_before_it_is_entered(probes):
    """The block is entered later than the context manager was made: what counts is the default dtype on entering."""
    assert_close(probes.made_earlier(F32, F64, F16), [F32, F16, F64], name="default dtypes")
    assert_close(probes.made_earlier(F64, BF16, F32), [F64, F32, BF16], name="default dtypes")


@points(2)
@pytest.mark.parametrize("dt", [I64, torch.bool], ids=["int64", "bool"])
def test_no_floating_dtype(probes, dt):
    """A dtype that is not floating is refused with a TypeError before the block runs, and nothing has changed."""
    assert_close(probes.refused(F64, dt), (F64, "TypeError", False), name="default dtype, exception, block")


@points(1)
def test_no_floating_dtype_made_earlier(probes):
    """A wrong dtype is refused when the block is entered; the call alone does not raise."""
    assert_close(probes.refused_on_entering(F64, I64), (F64, "TypeError"), name="default dtype and exception")


@points(1)
@pytest.mark.parametrize("dt", [F64, F16], ids=["float64", "float16"])
def test_inferred_dtypes(probes, dt):
    """Inside a block whole numbers and bools keep their dtypes; fractions follow the default dtype."""
    expected = [I64, torch.bool, I64, dt, dt, dt, F32, I64]
    assert_close(probes.inferred(dt), expected, name="dtypes")


@points(2)
@pytest.mark.parametrize("start", [F32, F16, F64], ids=["float32", "float16", "float64"])
def test_mean_leaves_the_default(probes, rng, start):
    """The mean does not depend on the default dtype of the program, and does not change it."""
    values = [rng.uniform(-1, 1) for _ in range(7)]
    mean, after = probes.mean_in(start, values)
    assert_close(mean, torch.tensor(math.fsum(values) / 7, dtype=F64), name="mean")
    check(after == start, "the default dtype of the program was changed")


@points(2)
@pytest.mark.parametrize("start", [F32, F16], ids=["float32", "float16"])
def test_mean_of_nothing(probes, start):
    """An empty list raises ValueError, and leaves the default dtype alone."""
    assert_close(probes.mean_in(start, []), ("ValueError", start), name="exception and default dtype")


@points(2)
def test_mean_in_double_precision(solution, rng):
    """The sum needs the digits of float64, from the first value on."""
    small = [rng.uniform(0, 1) for _ in range(5)]
    values = [1e8 + x for x in small]
    exact = torch.tensor(math.fsum(values) / 5, dtype=F64)
    # near 1e8 a float64 is exact to 1.5e-8, a float32 to 4
    assert_close(solution.mean_of(values) - 1e8, exact - 1e8, rtol=0.0, atol=1e-6, name="mean minus 1e8")
    whole = [2**53 - 1, 2**53 - 3]  # their sum is exact in float64
    assert_close(solution.mean_of(whole), torch.tensor(2.0**53 - 2, dtype=F64), rtol=0.0, atol=0.0, name="mean")


@points(1)
def test_mean_of_a_mixture(solution, rng):
    """Whole numbers and fractions in one list, negative ones too, or a single one."""
    n, x = rng.integer(2, 9), rng.uniform(-9, 9)
    assert_close(solution.mean_of([n, x, -1]), torch.tensor((n + x - 1) / 3, dtype=F64), name="mean of three")
    assert_close(solution.mean_of([n]), torch.tensor(float(n), dtype=F64), name="mean of one")
    assert_close(solution.mean_of([0, 0]), torch.tensor(0.0, dtype=F64), name="mean of zeros")
