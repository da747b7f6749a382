"""Hidden tests: a linear layer, and its gradients as formulas."""

import pytest
import torch
from torch import nn

from grader.testing import (
    assert_close,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
LEADING = {"none": (), "rows": (7,), "two": (2, 3), "three": (2, 1, 3), "empty": (0,), "empty-row": (3, 0, 2)}
EACH_LEADING = pytest.mark.parametrize("leading", LEADING.values(), ids=LEADING.keys())


def pair(solution, rng, n_in, n_out, dtype=F64, bias=True):
    """The answer's layer and torch's, with one state."""
    theirs = nn.Linear(n_in, n_out, bias=bias).to(dtype)
    state = {name: rng.randn(*value.shape, dtype=dtype) for name, value in theirs.state_dict().items()}
    theirs.load_state_dict(state)
    mine = solution.MyLinear(n_in, n_out, bias=bias).to(dtype)
    check(sorted(mine.state_dict()) == sorted(state), "state_dict() has other names than that of nn.Linear")
    mine.load_state_dict({name: value.clone() for name, value in state.items()})
    return mine, theirs


def backward(solution, x, weight, grad):
    """The three gradients of the answer, where torch records nothing."""
    with torch.inference_mode():
        found = solution.linear_backward(x, weight, grad)
    check(type(found) is tuple and len(found) == 3, "linear_backward should return a tuple of three")
    return found


@sample
@points(1)
def test_two_rows(solution):
    """Each output is the product of a row of the weight with the input, plus its bias."""
    layer = solution.MyLinear(2, 3)
    weight = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    layer.load_state_dict({"weight": weight, "bias": torch.tensor([0.0, 0.0, 100.0])})
    found = layer(torch.tensor([[1.0, 10.0], [0.0, 1.0]]))
    assert_close(found.detach(), torch.tensor([[21.0, 43.0, 165.0], [2.0, 4.0, 106.0]]))


@sample
@points(1)
def test_two_rows_backwards(solution):
    """linear_backward: the three gradients by hand."""
    x, weight = torch.tensor([[1.0, 10.0], [0.0, 1.0]]), torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    grad = torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    grad_x, grad_weight, grad_bias = backward(solution, x, weight, grad)
    assert_close(grad_x, torch.tensor([[1.0, 2.0], [10.0, 12.0]]), name="grad_x")
    assert_close(grad_weight, torch.tensor([[1.0, 10.0], [0.0, 0.0], [0.0, 2.0]]), name="grad_weight")
    assert_close(grad_bias, torch.tensor([1.0, 0.0, 2.0]), name="grad_bias")


@sample
@points(1)
def test_shapes_of_the_parameters(solution):
    """The weight has the shape (out_features, in_features)."""
    state = solution.MyLinear(3, 5).state_dict()
    check({n: tuple(v.shape) for n, v in state.items()} == {"weight": (5, 3), "bias": (5,)}, "names or shapes differ")


@points(2)
@EACH_LEADING
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "none"])
def test_values_and_gradients(solution, rng, leading, bias):
    """The output or the gradient of x differs: the layer works on the last dimension and keeps all others."""
    mine, theirs = pair(solution, rng, 3, 5, bias=bias)
    assert_same_gradients(mine, theirs, (rng.randn(*leading, 3, dtype=F64),), names=("x",))


@points(2)
@EACH_DTYPE
@EACH_LEADING
def test_gradients_of_parameters(solution, rng, leading, dtype):
    """weight or bias gets no gradient, or a wrong one."""
    mine, theirs = pair(solution, rng, 4, 2, dtype)
    x, cotangent = rng.randn(*leading, 4, dtype=dtype), rng.randn(*leading, 2, dtype=dtype)
    found = []
    for module in (mine, theirs):
        named = dict(module.named_parameters())
        check(sorted(named) == ["bias", "weight"], "the parameters must be weight and bias")
        found.append(torch.autograd.grad(module(x), [named["weight"], named["bias"]], cotangent))
    for name, one, other in zip(("weight", "bias"), *found, strict=True):
        assert_close(one, other, scale=4.0, name=f"gradient of {name}")


@points(1)
def test_without_a_bias(probes):
    """With bias=False the attribute is None, and neither parameters nor state list it."""
    found = probes.without_bias()
    check(found["none"], "with bias=False the attribute bias must be None")
    check(found["parameters"] == found["state"] == ["weight"], "with bias=False there is one parameter, weight")


@points(1)
@pytest.mark.parametrize("sizes", [(1, 1), (1, 4), (5, 1), (3, 3)], ids=str)
def test_sizes(solution, rng, sizes):
    """One input or one output is a size like any other, and a square weight is transposed too."""
    mine, theirs = pair(solution, rng, *sizes)
    x = rng.randn(6, sizes[0], dtype=F64)
    assert_close(mine(x), theirs(x))


@points(1)
def test_layouts(solution, rng):
    """A transposed or strided input is an input like any other, and is not written to."""
    mine, theirs = pair(solution, rng, 4, 3)
    for x in (rng.randn(4, 6, dtype=F64).t(), rng.randn(5, 2, 8, dtype=F64)[..., ::2]):
        assert_close(assert_not_mutated(mine, x), theirs(x))


@points(2)
@pytest.mark.parametrize("sizes", [(9, 400), (100, 300)], ids=["narrow", "wide"])
def test_how_it_starts(solution, rng, sizes):
    """Weight and bias start uniformly, within 1/sqrt(in_features), from torch's global generator."""
    seed, starts = rng.seed(), []
    for s in (seed, seed, seed + 1):
        torch.manual_seed(s)
        starts.append(dict(solution.MyLinear(*sizes).state_dict()))
    first, again, other = starts
    assert_close(again, first, rtol=0.0, atol=0.0, name="two layers after the same seed")
    for name in ("weight", "bias"):
        scaled = first[name] * sizes[0] ** 0.5
        check(not torch.equal(first[name], other[name]), f"another seed gives the same {name}")
        check(float(scaled.abs().max()) <= 1.0001, f"a {name} starts beyond the bound")
        check(float(scaled.abs().max()) > 0.9, f"the {name} starts in too narrow an interval")
        # at least 300 draws with a deviation of 0.577: the standard error of the mean is 0.0333; six of them
        check(abs(float(scaled.mean())) < 0.2, f"the mean of the {name} is not 0")
    # at least 3600 draws: the mean square is 1/3 with a standard error of 0.005; eight of them
    spread = float((first["weight"] * sizes[0] ** 0.5).square().mean())
    check(abs(spread - 1 / 3) < 0.04, "the weight does not start uniformly")


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """The parameters follow .to(dtype), and the result has their dtype."""
    layer = solution.MyLinear(3, 2).to(dtype)
    check(all(v.dtype == dtype for v in layer.state_dict().values()), "a parameter does not follow .to(dtype)")
    check(layer(rng.randn(4, 3, dtype=dtype)).dtype == dtype, "the result has another dtype than the parameters")


@points(1)
def test_state_travels(solution, rng):
    """A state that is loaded decides the output, and comes out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.MyLinear(3, 2), rng.randn(4, 3))


@points(3)
@EACH_DTYPE
@EACH_LEADING
def test_gradients_as_formulas(solution, rng, leading, dtype):
    """linear_backward: a gradient differs; weight and bias are used in each row, so theirs are sums over all rows."""
    x, weight = rng.randn(*leading, 3, dtype=dtype), rng.randn(5, 3, dtype=dtype)
    grad = rng.randn(*leading, 5, dtype=dtype)
    leaves = [t.clone().requires_grad_() for t in (x, weight)] + [torch.zeros(5, dtype=dtype, requires_grad=True)]
    expected = torch.autograd.grad(nn.functional.linear(*leaves), leaves, grad)
    found = backward(solution, x, weight, grad)
    for name, one, other in zip(("grad_x", "grad_weight", "grad_bias"), found, expected, strict=True):
        assert_close(one, other, scale=4.0, name=name)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """linear_backward: no argument may be written to, and transposed ones are arguments like any other."""
    x, weight, grad = rng.randn(3, 2, 4, dtype=F64).mT, rng.randn(2, 5, dtype=F64).T, rng.randn(3, 5, 4, dtype=F64).mT
    with torch.inference_mode():
        found = assert_not_mutated(solution.linear_backward, x, weight, grad)
    assert_close(found[0], grad @ weight, name="grad_x")
    assert_close(found[1], torch.einsum("abo,abi->oi", grad, x), name="grad_weight")
    assert_close(found[2], grad.sum((0, 1)), name="grad_bias")
