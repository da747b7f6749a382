"""Hidden tests: RMSNorm."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_ignores_mode,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64


def pair(solution, reference, rng, d, eps=1e-6, dtype=F32):
    """The answer's module and the reference's, with one random gain in `dtype`."""
    weight = rng.randn(d, dtype=dtype)
    modules = [source.RMSNorm(d, eps) for source in (solution, reference)]
    for module in modules:
        if dtype is not F32:
            module.to(dtype)
        module.load_state_dict({"weight": weight.clone()})
    return modules


@sample
def test_one_row(solution):
    """Divide by the root of the mean of the squares: the mean over the row, nothing subtracted."""
    out = solution.RMSNorm(4)(torch.tensor([[3.0, 4.0, 0.0, 0.0], [1.0, -1.0, 1.0, -1.0]]))
    assert_close(out, torch.tensor([[1.2, 1.6, 0.0, 0.0], [1.0, -1.0, 1.0, -1.0]]), rtol=1e-4)


@sample
def test_epsilon_is_under_the_root(solution):
    """sqrt(eps + mean of squares): epsilon is added before the root is taken."""
    out = solution.RMSNorm(2, eps=0.75)(torch.tensor([0.5, 0.5]))
    assert_close(out, torch.tensor([0.5, 0.5]))


@sample
def test_one_gain_per_feature(solution, rng):
    """`weight` is a parameter of shape (d,) that starts as ones and multiplies feature by feature."""
    module = solution.RMSNorm(3)
    state = module.state_dict()
    check(set(state) == {"weight"}, "the state dict must hold `weight` and nothing else")
    assert_close(state["weight"], torch.ones(3), name="weight at the start")
    names = [name for name, _ in module.named_parameters()]
    check(names == ["weight"], "`weight` must be a parameter, and the only one")
    x = rng.randn(5, 3)
    plain = module(x)
    module.load_state_dict({"weight": torch.tensor([2.0, 0.0, -1.0])})
    assert_close(module(x), plain.detach() * torch.tensor([2.0, 0.0, -1.0]))


SHAPES = {
    "matrix": (4, 6),
    "one-row": (7,),
    "tokens": (2, 5, 8),
    "square": (3, 3, 3),
    "four-dimensions": (2, 1, 3, 4),
    "one-feature": (5, 1),
    "no-rows": (0, 4),
}


@points(2)
@pytest.mark.parametrize("name", SHAPES)
def test_values_and_gradients(solution, reference, rng, name):
    """Values or the gradient of x are off: every row of the last dimension by itself, and the statistics belong to the graph."""
    shape = SHAPES[name]
    mine, theirs = pair(solution, reference, rng, shape[-1], dtype=F64)
    x = rng.randn(*shape, dtype=F64)
    if shape[-1] == 1:
        x = x + x.sign()  # the gradient is nearly 0, and its rounding grows with 1 / x
    assert_same_gradients(mine, theirs, (x,), names=["x"])


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_gradient_of_the_weight(solution, reference, rng, dtype):
    """The gradient of `weight` is off: it is collected from every row in which the gain was used."""
    x, cotangent = rng.randn(3, 4, 5, dtype=dtype), rng.randn(3, 4, 5, dtype=dtype)
    found = []
    for module in pair(solution, reference, rng, 5, dtype=dtype):
        module(x).backward(cotangent)
        gradients = [p.grad for p in module.parameters()]
        check(len(gradients) == 1 and gradients[0] is not None, "weight received no gradient")
        found.append(gradients[0])
    assert_close(*found, scale=4.0, name="gradient of weight")


@points(1)
@pytest.mark.parametrize("dtype", [F16, BF16, F64], ids=["float16", "bfloat16", "float64"])
def test_gradient_of_the_weight_in_another_dtype(solution, reference, rng, dtype):
    """The float32 `weight` learns from inputs of any dtype: its gradient is missing or off when x has another one."""
    x, cotangent = rng.randn(6, 5, dtype=dtype), rng.randn(6, 5, dtype=dtype)
    found = []
    for module in pair(solution, reference, rng, 5):
        module(x).backward(cotangent)
        gradients = [p.grad for p in module.parameters()]
        check(len(gradients) == 1 and gradients[0] is not None, "weight received no gradient")
        found.append(gradients[0])
    loose = 0.15 if dtype is not F64 else 1e-5  # the products may be rounded to x's dtype before they are summed
    assert_close(*found, rtol=loose, atol=loose, name="gradient of weight")


@points(2)
@pytest.mark.parametrize("dtype", [F16, BF16, F32, F64], ids=["float16", "bfloat16", "float32", "float64"])
def test_the_dtype_of_x_comes_out(solution, reference, rng, dtype):
    """The result has the dtype of x and its precision, also where `weight` is float32."""
    mine, theirs = pair(solution, reference, rng, 16)
    x = rng.randn(4, 16, dtype=dtype)
    assert_close(mine(x), theirs(x))


@points(1)
@pytest.mark.parametrize("dtype", [F16, BF16], ids=["float16", "bfloat16"])
def test_a_module_in_half_precision(solution, reference, rng, dtype):
    """After module.to(half) the gain is half too; float32 inputs still come out as float32."""
    mine, theirs = pair(solution, reference, rng, 8, dtype=dtype)
    for x in (rng.randn(3, 8, dtype=dtype), rng.randn(3, 8)):
        assert_close(mine(x), theirs(x))


@points(3)
@pytest.mark.parametrize("size", [3e2, 5e4, 1e-4], ids=["hundreds", "near-the-largest", "tiny"])
def test_half_precision_range(solution, reference, rng, size):
    """Squares of float16 numbers do not fit into float16, neither large nor tiny ones: compute the statistics in float32."""
    mine, theirs = pair(solution, reference, rng, 32, eps=1e-9)
    x = (size * (0.5 + 0.5 * rng.rand(3, 32))).half() * (1 - 2 * rng.mask(3, 32).half())
    assert_same_gradients(mine, theirs, (x,), names=["x"])


@points(2)
def test_bfloat16_statistics(solution, rng):
    """In bfloat16 a long mean of squares, or its root, loses digits when it is rounded on the way: stay in float32 to the end."""
    x = rng.randn(16, 512, dtype=BF16)
    exact = x.double() * torch.rsqrt(x.double().square().mean(-1, keepdim=True) + 1e-6)
    error = (solution.RMSNorm(512)(x).detach().double() - exact).abs() / exact.abs().clamp(min=1e-3)
    check(bool((error <= 2**-8).all()), "some element is more than one rounding to bfloat16 away")


@points(2)
def test_float64_all_the_way(solution, rng):
    """float64 inputs are computed in float64: a cast to float32 on the way costs half of the digits."""
    x = rng.randn(3, 6, dtype=F64)
    out = solution.RMSNorm(6)(x)
    assert_close(out, x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6))


@points(2)
@pytest.mark.parametrize("eps", [1e-6, 1e-3, 0.5])
def test_small_rows(solution, reference, rng, eps):
    """In rows about as small as sqrt(eps), epsilon decides the value and the gradient: where it is added, and how much."""
    mine, theirs = pair(solution, reference, rng, 6, eps=eps, dtype=F64)
    x = rng.randn(4, 6, dtype=F64) * eps**0.5 * torch.tensor([[0.01], [0.3], [1.0], [3.0]])
    assert_same_gradients(mine, theirs, (x,), names=["x"])


@points(2)
@pytest.mark.parametrize("dtype", [F16, F32], ids=["float16", "float32"])
def test_rows_of_zeros(solution, rng, dtype):
    """A row of zeros gives zeros, and its gradient is finite: w / sqrt(eps) times what comes in."""
    x = rng.randn(3, 4, dtype=dtype)
    x[1] = 0
    x.requires_grad_()
    out = solution.RMSNorm(4, eps=1e-4)(x)
    check(out.shape == x.shape, "output: the shape is wrong")
    assert_close(out[1].detach(), torch.zeros(4, dtype=dtype), name="row of zeros")
    out.sum().backward()
    check(bool(x.grad.isfinite().all()), "the gradient is not finite")
    assert_close(x.grad[1], torch.full((4,), 100.0, dtype=dtype), name="gradient of the row of zeros")


@points(2)
@pytest.mark.parametrize("dtype", [F16, BF16, F64], ids=["float16", "bfloat16", "float64"])
def test_epsilon_keeps_its_digits(solution, reference, rng, dtype):
    """module.to(dtype) moves the weight and must not round epsilon: 1e-9 is zero in float16. It is a number, not a buffer."""
    mine, theirs = pair(solution, reference, rng, 4, eps=1e-9, dtype=dtype)
    x = 3e-5 * rng.randn(3, 4).to(dtype)
    x[1] = 0
    assert_close(mine(x), theirs(x))


@points(1)
@pytest.mark.parametrize("gain", [F16, BF16, F32, F64], ids=["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("dtype", [F32, F64], ids=["x-float32", "x-float64"])
def test_any_gain_with_any_input(solution, reference, rng, dtype, gain):
    """The dtype of `weight` decides neither about the precision of the statistics nor about the dtype of the result."""
    mine, theirs = pair(solution, reference, rng, 8, dtype=gain)
    x = rng.randn(3, 8, dtype=dtype)
    assert_close(mine(x), theirs(x))


@points(1)
def test_the_mean_is_not_removed(solution, rng):
    """Nothing is subtracted: rows far from zero keep their common sign, and scaling a row changes nothing but rounding."""
    module = solution.RMSNorm(8)
    x = rng.randn(3, 8) + 100
    out = module(x)
    assert_close(out.detach(), x / x.square().mean(-1, keepdim=True).sqrt(), rtol=1e-5)
    assert_close(module(1000 * x).detach(), out.detach(), rtol=1e-5)


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, reference, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other: no view that needs contiguous memory."""
    x = {
        "transposed": lambda: rng.randn(2, 6, 5, dtype=F64).transpose(1, 2),
        "strided": lambda: rng.randn(4, 12, dtype=F64)[::2, ::2],
        "expanded": lambda: rng.randn(1, 6, dtype=F64).expand(3, 6),
    }[layout]()
    mine, theirs = pair(solution, reference, rng, 6, dtype=F64)
    assert_same_gradients(mine, theirs, (x,), names=["x"])


@points(1)
def test_state_travels(solution, rng):
    """What state_dict() saves must be what load_state_dict() needs to give the same outputs."""
    assert_state_dict_round_trip(lambda: solution.RMSNorm(5), rng.randn(3, 5))


@points(1)
def test_nothing_is_remembered(solution, rng):
    """Training and evaluation do the same, and a call does not depend on the calls before it."""
    module = solution.RMSNorm(6)
    x, other = rng.randn(4, 6), 50 * rng.randn(2, 6)
    assert_ignores_mode(module, x)
    before = module(x).detach()
    module(other)
    assert_close(module(x).detach(), before, rtol=0.0, atol=0.0, name="the same input after another call")
    assert_deterministic(module, x)


@points(1)
@pytest.mark.parametrize("dtype", [F16, BF16, F32, F64], ids=["float16", "bfloat16", "float32", "float64"])
def test_x_is_left_alone(solution, rng, dtype):
    """x was modified: in-place operations belong on tensors that you made yourself."""
    assert_not_mutated(solution.RMSNorm(6), rng.randn(4, 6, dtype=dtype))
