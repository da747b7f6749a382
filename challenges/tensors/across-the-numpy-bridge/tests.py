"""Hidden tests: both directions of the bridge. Arrays stay in probes.py."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

B, U8, I32, I64 = torch.bool, torch.uint8, torch.int32, torch.int64
F16, F32, F64, BF16 = torch.float16, torch.float32, torch.float64, torch.bfloat16
NAMES = {B: "bool", U8: "uint8", I32: "int32", I64: "int64", F16: "float16", F32: "float32", F64: "float64"}
DTYPES = pytest.mark.parametrize("dtype", list(NAMES), ids=list(NAMES.values()))


def drawn(rng, dtype, *shape):
    if dtype == B:
        return rng.mask(*shape)
    if dtype.is_floating_point:
        return rng.randn(*shape, dtype=dtype)
    values = rng.randint(0, 200, shape).to(dtype)
    return values if dtype == U8 else values - 100


def expect(outcome, t, dtype):
    check(outcome["is_array"], "to_numpy does not return an ndarray")
    check(outcome["dtype"] == NAMES[dtype], "the array has another dtype")
    assert_close(outcome["values"], t.detach().to(dtype).contiguous(), name="the array")
    check(outcome["kept"], "the tensor was changed: its values, requires_grad or its place in the graph")


@sample
@points(1)
def test_a_plain_tensor(probes):
    """A float32 tensor becomes a float32 array."""
    t = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    expect(probes.to_array(t), t, F32)


@sample
@points(1)
def test_a_reversed_array(probes):
    """The array 1, 2, 3 read backwards: its stride is negative."""
    outcome = probes.from_array(torch.tensor([3.0, 2.0, 1.0], dtype=F64), "reversed")
    assert_close(outcome["tensor"], torch.tensor([3.0, 2.0, 1.0], dtype=F64), name="the tensor")


@sample
@points(1)
def test_shared(probes):
    """Ones written to the array are seen in the tensor, zeros written to the tensor are seen in the array."""
    tensor, array = probes.written(torch.tensor([1.5, 2.5]))
    assert_close(tensor, torch.ones(2), name="the tensor")
    assert_close(array, torch.zeros(2), name="the array")


@points(2)
@DTYPES
def test_dtypes_to_numpy(probes, rng, dtype):
    """Every dtype that both sides know keeps its name and its values."""
    t = drawn(rng, dtype, 3, 2)
    expect(probes.to_array(t), t, dtype)


@points(2)
@pytest.mark.parametrize("history", ["none", "result"])
def test_bfloat16(probes, rng, history):
    """NumPy has no bfloat16: float32 holds its values, including those beyond the range of float16."""
    t = (rng.randn(5, dtype=F64) * 10.0 ** torch.tensor([0, 6, 20, 30, -20])).to(BF16)
    expect(probes.to_array(t, history), t, F32)


@points(3)
@pytest.mark.parametrize("history", ["leaf", "result"])
def test_history(probes, rng, history):
    """A tensor that requires a gradient is converted too, shares its memory, and stays what it was."""
    t = rng.randn(3, 2)
    expect(probes.to_array(t, history), t, F32)
    tensor, array = probes.written(t, history)
    assert_close(tensor, torch.ones(3, 2), name="the tensor")
    assert_close(array, torch.zeros(3, 2), name="the array")


LAYOUTS = {
    "transposed": lambda x: x.t(),
    "strided": lambda x: x[::2, 1:],
    "expanded": lambda x: x[:1].expand(3, -1),
    "number": lambda x: x[1, 1],
    "empty": lambda x: x[:, :0],
}


@points(2)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_to_numpy(probes, rng, layout):
    """Tensors of every layout are converted, with their shape."""
    t = LAYOUTS[layout](rng.randn(5, 3))
    expect(probes.to_array(t), t, F32)


@points(2)
@pytest.mark.parametrize("layout", ["transposed", "strided", "number"])
def test_shared_in_every_layout(probes, rng, layout):
    """A transposed or sliced tensor shares its memory, too: was it copied to make it contiguous?"""
    t = LAYOUTS[layout](rng.randn(5, 3, dtype=F64))
    tensor, array = probes.written(t)
    assert_close(tensor, torch.ones(t.shape, dtype=F64), name="the tensor")
    assert_close(array, torch.zeros(t.shape, dtype=F64), name="the array")


@points(2)
@DTYPES
def test_dtypes_from_numpy(probes, rng, dtype):
    """The tensor has the dtype of the array, and exactly its values."""
    values = drawn(rng, dtype, 2, 3)
    outcome = probes.from_array(values, "plain")
    assert_close(outcome["tensor"], values, name="the tensor")
    check(outcome["kept"], "the array was changed")


@points(3)
@pytest.mark.parametrize(
    "layout", ["reversed", "both-reversed", "transposed", "every-second", "repeated", "read-only", "field"]
)
def test_layouts_from_numpy(probes, rng, layout):
    """Arrays of every layout: negative, zero and odd strides, sliced, read-only. None is shared or changed."""
    values = rng.randn(3, 2, dtype=F64) + 5
    expected = values.expand(3, 3, 2) if layout == "repeated" else values
    outcome = probes.from_array(values, layout)
    assert_close(outcome["tensor"], expected.contiguous(), name="the tensor")
    check(outcome["kept"], "the array was changed")
    before, after, first, last = probes.independent(values, layout)
    assert_close(after, before, name="the array after a write to the tensor")
    assert_close(last, first, name="the tensor after a write to the array")


@points(2)
@pytest.mark.parametrize("shape", [(), (0, 3), (4,)], ids=["number", "empty", "vector"])
def test_small_arrays(probes, rng, shape):
    """Arrays without dimensions or without elements keep their shape, and share nothing either."""
    values = rng.randn(shape) + 5
    assert_close(probes.from_array(values, "plain")["tensor"], values, name="the tensor")
    before, after, first, last = probes.independent(values, "plain")
    assert_close(after, before, name="the array after a write to the tensor")
    assert_close(last, first, name="the tensor after a write to the array")
