"""Hidden tests: metadata of tensors of many kinds. given.py builds them, here and beside the answer."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64


def in_order(shape, stride):
    """Contiguous as torch defines it: dimensions of size 1 do not matter, and nothing is always contiguous."""
    if 0 in shape:
        return True
    kept = [(size, step) for size, step in zip(shape, stride, strict=True) if size != 1]
    return all(step == math.prod(size for size, _ in kept[i + 1 :]) for i, (_, step) in enumerate(kept))


def compare(probes, given, kind, n, dtype=F32):
    t = given.make(kind, n, dtype)
    width = (
        torch.finfo(dtype).bits // 8
        if dtype.is_floating_point or dtype.is_complex
        else torch.ones(1, dtype=dtype).nbytes
    )
    width *= 2 if dtype.is_complex else 1
    outcome = probes.described(kind, n, dtype)
    facts = {
        "shape": tuple(t.shape),
        "ndim": len(t.shape),
        "numel": math.prod(t.shape),
        "dtype": dtype,
        "itemsize": width,
        "logical_bytes": math.prod(t.shape) * width,
        "storage_bytes": t.untyped_storage().nbytes(),
        "stride": tuple(t.stride()),
        "contiguous": in_order(t.shape, t.stride()),
        "device": torch.device("meta" if kind.startswith("meta") else "cpu"),
        "is_leaf": kind not in ("result", "view-of-a-leaf"),
    }
    assert_close(outcome["facts"], facts, name="description")
    check(outcome["kept"], "the tensor was changed")


@sample
@points(1)
def test_a_column(solution):
    """A column of a matrix: three elements, four apart."""
    facts = solution.describe(torch.zeros(3, 4)[:, 1])
    check(type(facts) is dict, "describe returns a dictionary")
    assert_close(facts["shape"], (3,), name="shape")
    assert_close(facts["stride"], (4,), name="stride")
    assert_close(facts["contiguous"], False, name="contiguous")


@sample
@points(1)
def test_a_number(solution):
    """A float64 number: no dimensions, one element, eight bytes."""
    expected = {
        "shape": (),
        "ndim": 0,
        "numel": 1,
        "dtype": F64,
        "itemsize": 8,
        "logical_bytes": 8,
        "storage_bytes": 8,
        "stride": (),
        "contiguous": True,
        "device": torch.device("cpu"),
        "is_leaf": True,
    }
    assert_close(solution.describe(torch.tensor(1.0, dtype=F64)), expected, name="description")


@sample
@points(1)
def test_an_expanded_tensor(probes):
    """Five numbers, each shown seven times: 35 elements in 20 bytes."""
    facts = probes.described("expanded", 5, F32)["facts"]
    assert_close(facts["logical_bytes"], 140, name="logical_bytes")
    assert_close(facts["storage_bytes"], 20, name="storage_bytes")


@points(2)
@pytest.mark.parametrize("kind", ["plain", "number", "empty"])
def test_whole_tensors(probes, given, rng, kind):
    """Tensors that show their whole storage, without dimensions or elements too."""
    compare(probes, given, kind, rng.integer(3, 7))


@points(3)
@pytest.mark.parametrize("kind", ["one-element-of-many", "row", "rows-with-gaps", "nothing-of-it", "diagonal"])
def test_parts(probes, given, rng, kind):
    """Views that show a part: the storage behind them is larger, and kept alive."""
    compare(probes, given, kind, rng.integer(3, 7), F64)


@points(2)
@pytest.mark.parametrize("kind", ["transposed", "expanded", "one-in-front", "channels-last", "padded"])
def test_other_strides(probes, given, rng, kind):
    """Permuted, expanded and padded tensors, and one with a dimension of size 1, whose stride does not matter."""
    compare(probes, given, kind, rng.integer(3, 7))


@points(2)
@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.uint8, torch.int64, torch.bfloat16, torch.complex64], ids=lambda d: str(d)[6:]
)
def test_dtypes(probes, given, rng, dtype):
    """Every dtype has its own size of an element."""
    compare(probes, given, "rows-with-gaps", rng.integer(3, 7), dtype)


@points(2)
@pytest.mark.parametrize("kind", ["parameter", "result", "detached", "view-of-a-leaf"])
def test_in_the_graph(probes, given, rng, kind):
    """Leaves and results: what requires no gradient is a leaf, and what was computed with one is not."""
    compare(probes, given, kind, rng.integer(3, 7))


@points(3)
@pytest.mark.parametrize("kind", ["meta", "meta-view", "huge-view"])
def test_huge(probes, given, rng, kind):
    """More elements than memory: nothing may be copied, converted or read."""
    compare(probes, given, kind, rng.integer(3, 7))
