"""Hidden tests about values: arguments arrive unchanged, results come back unchanged, and there are no side effects."""

import math

import pytest
import torch

from grader.testing import CheckFailed, assert_close, assert_not_mutated, sample

pytestmark = sample

NAN = float("nan")
VALUES = {
    "none": None,
    "true": True,
    "int": -3,
    "long": 2**70,
    "float": 0.1,
    "infinity": float("-inf"),
    "text": "héllo \ud800 \n",
    "bytes": b"\x00\xff",
    "complex": 1 - 2j,
    "empty-list": [],
    "empty-tuple": (),
    "empty-dict": {},
    "nested": [1, (2.0, [None, {"k": (True, "x")}]), {(1, 2): [3], None: {}}],
    "set": {1, 2},
    "slice": slice(None, 3, 2),
    "ellipsis": (0, ..., None),
    "dtype": torch.bfloat16,
    "device": torch.device("cpu"),
    "size": torch.Size([2, 0]),
}
TENSORS = {
    "0-d": torch.tensor(1.5),
    "empty": torch.empty(2, 0, 3),
    "nothing": torch.tensor([]),
    "bool": torch.tensor([True, False]),
    "int8": torch.tensor([-128, 127], dtype=torch.int8),
    "int64": torch.tensor([2**62 + 1]),
    "uint8": torch.tensor([255], dtype=torch.uint8),
    "uint16": torch.tensor([65535], dtype=torch.uint16),
    "float16": torch.tensor([0.1, 65504], dtype=torch.float16),
    "bfloat16": torch.tensor([0.1, 1e38], dtype=torch.bfloat16),
    "float64": torch.tensor([0.1, -0.0], dtype=torch.float64),
    "float8": torch.tensor([0.5, 1.0]).to(torch.float8_e4m3fn),
    "complex64": torch.tensor([1 + 2j]),
    "special": torch.tensor([NAN, float("inf"), -float("inf"), 1e-42]),
    "large": torch.arange(100_000.0),
}


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and bytes(a.untyped_storage()) == bytes(b.untyped_storage())


# ------------------------------------------------------------------------------------------------ plain values


@pytest.mark.parametrize("name", VALUES)
def test_value_comes_back(solution, name):
    value = solution.echo([VALUES[name]])[0]
    assert value == VALUES[name]
    assert type(value) is type(VALUES[name])


@pytest.mark.parametrize("name", VALUES)
def test_value_arrives_with_its_types(solution, reference, name):
    assert solution.kinds(VALUES[name]) == reference.kinds(VALUES[name])


def test_nan_and_negative_zero(solution):
    nan, zero = solution.echo((NAN, -0.0))
    assert math.isnan(nan)
    assert str(zero) == "-0.0"


def test_defaults_and_keywords(solution):
    x = torch.ones(2)
    assert solution.affine(x).tolist() == [1, 1]
    assert solution.affine(x, 3).tolist() == [3, 3]
    assert solution.affine(scale=2.0, x=x, shift=1).tolist() == [3, 3]


@pytest.mark.parametrize("args", [(), (1, 2, 3, 4)], ids=["too-few", "too-many"])
def test_wrong_number_of_arguments(solution, args):
    with pytest.raises(TypeError, match="argument"):
        solution.affine(*args)


def test_result_in_containers(solution):
    found = solution.parts(torch.tensor([1.0, 3.0]))
    assert list(found) == ["mean", "extremes", "count", 3]
    assert isinstance(found["extremes"], tuple)
    assert isinstance(found["extremes"][1], list)
    assert [found["mean"], found["extremes"][0], found["extremes"][1][0]] == [2, 1, 3]
    assert (found["count"], found[3]) == (2, None)


def test_unpacking(solution):
    above, below = solution.pair(torch.zeros(2))
    assert above.tolist() == [1, 1]
    assert below.tolist() == [-1, -1]


# ------------------------------------------------------------------------------------------------ tensors


@pytest.mark.parametrize("name", TENSORS)
def test_tensor_comes_back(solution, name):
    result = solution.copy(TENSORS[name])
    assert type(result) is torch.Tensor
    assert same_bits(result, TENSORS[name])
    assert result is not TENSORS[name]


@pytest.mark.parametrize("name", ["float32", "float64", "int64"])
def test_dtype_of_the_result(solution, name):
    dtype = getattr(torch, name)
    assert solution.affine(torch.ones(2, dtype=dtype), 2).dtype is dtype


LAYOUTS = {
    "contiguous": lambda: torch.arange(6.0).reshape(2, 3),
    "transposed": lambda: torch.arange(6.0).reshape(2, 3).t(),
    "sliced": lambda: torch.arange(20.0).reshape(4, 5)[1:3, ::2],
    "expanded": lambda: torch.arange(3.0).expand(4, 3),
    "expanded-number": lambda: torch.tensor(2.0).expand(2, 2),
    "windows": lambda: torch.arange(6.0).unfold(0, 3, 1),
    "channels-last": lambda: torch.arange(24.0).reshape(1, 2, 3, 4).to(memory_format=torch.channels_last),
    "conjugate": lambda: torch.tensor([1 + 2j, 3j]).conj(),
    "leaf": lambda: torch.ones(2, requires_grad=True),
    "non-leaf": lambda: torch.ones(2, requires_grad=True) * 2,
    "parameter": lambda: torch.nn.Parameter(torch.ones(2)),
    "frozen-parameter": lambda: torch.nn.Parameter(torch.ones(2), requires_grad=False),
    "meta": lambda: torch.empty(2, 3, device="meta"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_of_an_argument(solution, reference, name):
    x = LAYOUTS[name]()
    assert solution.facts(x) == reference.facts(x)


@pytest.mark.parametrize("name", [n for n in LAYOUTS if n != "meta"])
def test_values_of_strided_arguments(solution, name):
    x = LAYOUTS[name]()
    assert torch.equal(solution.copy(x), x)


def test_layout_of_a_result(solution):
    y = solution.transposed(torch.zeros(2, 3))
    assert y.stride() == (1, 3)
    assert not y.is_contiguous()
    with pytest.raises(RuntimeError):
        y.view(-1)


def test_expanded_result(solution):
    y = solution.widened(torch.zeros(3), 4)
    assert y.stride() == (0, 1)
    assert_close(y, torch.ones(4, 3))


def test_meta_result(solution):
    y = solution.affine(torch.empty(2, 3, device="meta"))
    assert y.device.type == "meta"
    assert y.shape == (2, 3)


def test_one_result_twice(solution):
    first, second = solution.twice(torch.zeros(2))
    assert first is second["same"]


def test_result_that_is_the_argument(solution):
    x = torch.ones(2)
    assert solution.echo(x) is x
    assert solution.echo([1, {"x": x}])[1]["x"] is x


def test_result_that_is_not_the_argument(solution):
    x = torch.ones(2)
    y = solution.copy(x)
    y.zero_()
    assert x.tolist() == [1, 1]


def test_result_that_is_a_view_of_the_argument(solution):
    x = torch.arange(6.0).reshape(2, 3)
    row = solution.apply(torch.t, x)
    assert row.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    row[0, 1] = 9
    assert x[1, 0] == 9


def test_one_argument_twice(solution):
    x = torch.ones(2)
    assert solution.related(x, x) == [True, True]
    assert solution.related(x, x.clone()) == [False, False]


def test_aliased_arguments(solution):
    x = torch.zeros(4)
    assert solution.related(x, x[1:]) == [False, True]
    assert solution.write_and_read(x[:3], x).tolist() == [7, 7, 7, 0]
    assert x.tolist() == [7, 7, 7, 0]


# ------------------------------------------------------------------------------------------------ changed arguments


def test_mutated_argument(solution):
    x = torch.ones(3)
    version = x._version
    y = solution.double_(x)
    assert x.tolist() == [2, 2, 2]
    assert y is x
    assert x._version > version


@pytest.mark.parametrize("name", ["transposed", "sliced"])
def test_mutated_view(solution, name):
    base = torch.arange(12.0).reshape(3, 4)
    view = base.t() if name == "transposed" else base[1:, ::2]
    before = view.clone()
    solution.double_(view)
    assert torch.equal(view, 2 * before)
    assert base[0, 1] == (2 if name == "transposed" else 1)


def test_untouched_argument(solution):
    x, bias = torch.ones(3), torch.ones(())
    version = x._version
    assert_not_mutated(solution.affine, x, 2.0, shift=bias)
    assert x._version == version


def test_mutation_is_noticed(solution):
    with pytest.raises(AssertionError, match="changed in place"):
        assert_not_mutated(solution.double_, torch.ones(3))


def test_mutation_inside_a_list(solution):
    xs = [torch.ones(2), torch.ones(2)]
    assert solution.fill_first(xs, 5) is None
    assert [x.tolist() for x in xs] == [[5, 5], [1, 1]]


def test_mutation_before_an_error(solution):
    x = torch.ones(2)
    with pytest.raises(ValueError, match="too late"):
        solution.fail_after_writing(x)
    assert x.tolist() == [0, 0]


def test_mutation_of_a_list(solution):
    items = [1, 2, 3]
    assert solution.append_to(items) == 4
    assert items == [1, 2, 3, 4]


@pytest.mark.parametrize("name", ["values", "gradient", "flag", "items"])
def test_undeclared_mutation(solution, name):
    x = torch.ones(2, requires_grad=name == "gradient")
    xs = [x]
    with pytest.raises(CheckFailed, match="changed in place"):
        solution.disturb(xs, name)
    assert len(xs) == 1
    assert x.tolist() == [1, 1]
    assert (x.grad, x.requires_grad) == (None, name == "gradient")


def test_mutation_in_inference_mode(solution):
    with torch.inference_mode():
        x = torch.ones(2)
        solution.double_(x)
        assert x.tolist() == [2, 2]
