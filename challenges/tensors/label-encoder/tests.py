"""Hidden tests: labels and scores from numbers, lists and arrays. Arrays are made in probes.py."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F16, F32, F64, I16, I32, I64 = (
    torch.float16,
    torch.float32,
    torch.float64,
    torch.int16,
    torch.int32,
    torch.int64,
)


@sample
@points(1)
def test_one_id(solution):
    """One id and one score: two tensors without dimensions."""
    result = solution.encode(3, 0.5)
    assert_close(result, (torch.tensor(3), torch.tensor(0.5)), name="result")


@sample
@points(1)
def test_lists(solution):
    """Lists of numbers: one dimension each."""
    labels, values = solution.encode([2, 0, 1], [0.1, 0.25, 0.0])
    assert_close(labels, torch.tensor([2, 0, 1]), name="labels")
    assert_close(values, torch.tensor([0.1, 0.25, 0.0]), name="values")


@sample
@points(1)
def test_empty_lists(solution):
    """Empty lists have a dtype too: int64 for labels, float32 for scores."""
    labels, values = solution.encode([], [])
    assert_close(labels, torch.zeros(0, dtype=I64), name="labels")
    assert_close(values, torch.zeros(0), name="values")


@points(3)
def test_large_ids(solution, rng):
    """Ids too large for the digits of a floating-point number must arrive exactly."""
    ids = [2**24 + 1, 2**53 + 1, 2**62 + rng.integer(1, 1000), -(2**62) - 1, 2**63 - 1]
    assert_close(solution.encode(ids, [0.0])[0], torch.tensor(ids), name="labels")
    assert_close(solution.encode(ids[2], 0.0)[0], torch.tensor(ids[2]), name="one label")


@points(2)
def test_again_and_again(probes, rng):
    """Fifty calls with the same arguments return the same: is a result memory that nobody wrote to?"""
    number, score = rng.integer(2, 9), rng.uniform(-1, 1)
    for labels, values in probes.repeated(number, score, 50):
        assert_close(labels, torch.tensor(number), name="labels")
        assert_close(values, torch.tensor(score), name="values")


@points(2)
def test_whole_scores(solution, rng):
    """Whole numbers are scores too: a list of them, one of them, and whole numbers between fractions."""
    n = rng.integer(2, 9)
    assert_close(solution.encode([n], [n, 0, -n])[1], torch.tensor([n, 0.0, -n]), name="a list of whole numbers")
    assert_close(solution.encode(n, n)[1], torch.tensor(float(n)), name="one whole number")
    assert_close(solution.encode(n, [n, 0.5])[1], torch.tensor([n, 0.5]), name="a mixed list")


@points(1)
def test_nested_lists(solution, rng):
    """Nested lists keep their shape, and the two arguments need not have the same."""
    ids, scores = rng.randint(0, 9, (2, 3)), rng.randn(5, 1, 2)
    labels, values = solution.encode(ids.tolist(), scores.double().tolist())
    assert_close(labels, ids, name="labels")
    assert_close(values, scores, name="values")


@points(1)
def test_special_scores(solution):
    """Infinities and NaN are scores like any other."""
    scores = [float("inf"), float("nan"), -float("inf"), 1.0]
    assert_close(solution.encode([1], scores)[1], torch.tensor(scores), equal_nan=True, name="values")


@points(2)
@pytest.mark.parametrize("of", [I16, I32, I64], ids=["int16", "int32", "int64"])
def test_arrays_of_ids(probes, rng, of):
    """Arrays of other integer dtypes become int64, with the shape of the array."""
    ids = rng.randint(-99, 99, (3, 2)).to(of)
    assert_close(probes.of_arrays(ids, rng.randn(2))[0], ids.long(), name="labels")
    one = torch.tensor(5, dtype=of)
    assert_close(
        probes.of_arrays(one, rng.randn(2))[0], torch.tensor(5), name="a label from an array without dimensions"
    )


@points(2)
@pytest.mark.parametrize("of", [F16, F32, F64, I32], ids=["float16", "float32", "float64", "int32"])
def test_arrays_of_scores(probes, rng, of):
    """Arrays of scores become float32, with the shape of the array."""
    scores = (100 * rng.randn(2, 1, 3, dtype=F64)).to(of)
    assert_close(probes.of_arrays(rng.randint(0, 9, (2,)), scores)[1], scores.float(), name="values")


@points(3)
def test_source_overwritten(probes, rng):
    """The caller writes to the arrays afterwards: the results must not follow."""
    ids, scores = rng.randint(10, 99, (4,)), rng.randn(3)
    labels, values = probes.source_written(ids, scores)
    assert_close(labels, ids, name="labels")
    assert_close(values, scores, name="values")


@points(3)
def test_result_overwritten(probes, rng):
    """The caller writes to the results: the arrays must not follow."""
    ids, scores = rng.randint(10, 99, (4,)), rng.randn(3)
    arrays = probes.result_written(ids, scores)
    assert_close(arrays[0], ids, name="the array of ids")
    assert_close(arrays[1], scores, name="the array of scores")


@points(2)
@pytest.mark.parametrize("default", [F64, F16], ids=["float64", "float16"])
def test_another_default_dtype(probes, rng, default):
    """The default dtype decides nothing here, and stays what the program made it."""
    scores = rng.randn(3)
    labels, values, after = probes.under_default([1, 2, 3], scores.double().tolist(), default)
    assert_close(labels, torch.tensor([1, 2, 3]), name="labels")
    assert_close(values, scores, name="values")
    check(after == default, "the default dtype of the program was changed")
