"""Hidden tests: quantisation and an int8 linear layer."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

SYMMETRIES = {"symmetric": True, "affine": False}
EACH = pytest.mark.parametrize("symmetric", list(SYMMETRIES.values()), ids=list(SYMMETRIES))
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def limits(bits, symmetric):
    high = 2 ** (bits - 1) - 1
    return (-high if symmetric else -high - 1), high


def check_quantized(solution, x, bits, symmetric):
    """All that the statement says of q, scale and zero_point; gives the numbers that come back."""
    found = solution.quantize(x, bits, symmetric)
    check(type(found) is tuple and len(found) == 3, "quantize should return (q, scale, zero_point)")
    q, scale, zero_point = found
    low, high = limits(bits, symmetric)
    least, most = min(0.0, float(x.min())), max(0.0, float(x.max()))
    step = max(most, -least) / high if symmetric else (most - least) / (high - low)
    check(q.dtype == torch.int8 and q.shape == x.shape, "q should be int8, in the shape of x")
    check(type(zero_point) is int, "zero_point should be a Python int")
    check(int(q.min()) >= low and int(q.max()) <= high, "a level lies outside the range of this number of bits")
    assert_close(scale, torch.tensor(step or 1.0, dtype=x.dtype), name="scale")
    check(low <= zero_point <= high and (zero_point == 0 or not symmetric), "zero_point is no level, or not 0")
    back = solution.dequantize(q, scale, zero_point)
    check(
        back.dtype == x.dtype and back.shape == x.shape, "dequantize should give the dtype of the scale and q's shape"
    )
    error = (back - x).abs().max().item()
    check(error <= 0.5 * scale.item() * (1 + 1e-4), "an error is larger than half a step")
    return back


def rows(x):
    largest = x.abs().amax(-1, keepdim=True)
    scale = torch.where(largest == 0, torch.ones_like(largest), largest / 127)
    return torch.round(x / scale), scale


def off_ties(x):
    """x with all values near the middle between two levels moved onto a level: there, rounding decides which level is nearer."""
    q, scale = rows(x)
    level = x / scale
    return torch.where((level - level.floor() - 0.5).abs() < 1e-3, q * scale, x)


def by_formula(x, weight, bias=None):
    """The layer's output as the statement has it."""
    (q_x, s_x), (q_w, s_w) = rows(x), rows(weight)
    y = (q_x.double() @ q_w.double().T).to(x.dtype) * s_x * s_w.squeeze(1)
    return y if bias is None else y + bias


def relative_error(actual, expected):
    return ((actual - expected).norm(dim=-1) / expected.norm(dim=-1)).max().item()


@sample
@points(1)
def test_symmetric_by_hand(solution):
    """Symmetric: the largest magnitude goes to level 127 (or -127), and zero to 0."""
    q, scale, zero_point = solution.quantize(torch.tensor([-1.0, 0.0, 0.5, 2.54]))
    assert_close(q, torch.tensor([-50, 0, 25, 127], dtype=torch.int8), name="q")
    assert_close(scale, torch.tensor(0.02), name="scale")
    check(zero_point == 0, "the zero point is 0")


@sample
@points(1)
def test_affine_by_hand(solution):
    """Affine: the range from the smallest to the largest value fills all 256 levels, from -128 to 127."""
    q, scale, zero_point = solution.quantize(torch.tensor([-1.0, 0.0, 0.5, 1.55]), symmetric=False)
    assert_close(scale, torch.tensor(0.01), name="scale")
    check(zero_point == -28, "the zero point is -28: -1.0 is 100 steps below zero")
    assert_close(q, torch.tensor([-128, -28, 22, 127], dtype=torch.int8), name="q")
    assert_close(solution.dequantize(q, scale, zero_point), torch.tensor([-1.0, 0.0, 0.5, 1.55]), name="dequantized")


@sample
@points(1)
def test_a_small_layer(solution):
    """The layer agrees with the float one where all numbers are on the grid."""
    layer = solution.Int8Linear(torch.tensor([[127.0, 1.0], [0.5, -1.27]]), torch.tensor([1.0, -1.0]))
    y = layer(torch.tensor([[1.0, -127.0]]))
    assert_close(y, torch.tensor([[1.0, 0.5 + 1.27 * 127 - 1]]))


@points(2)
@EACH
@pytest.mark.parametrize("bits", [8, 4, 2])
def test_error_is_half_a_step(solution, rng, bits, symmetric):
    """The step or an error is too large for this number of bits: use the whole range of levels, and round to the nearest."""
    x = rng.uniform(0.01, 100) * rng.randn(5, 40) + rng.uniform(-1, 1)
    check_quantized(solution, x, bits, symmetric)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("bits", [8, 5, 3, 2])
def test_ends_of_the_range(solution, rng, bits, dtype):
    """Where the range is as wide below zero as above, its end falls between two levels: clamp after adding the zero point."""
    for size in (3.0, 1.0, rng.uniform(0.1, 9), rng.uniform(0.1, 9)):
        for symmetric in (False, True):
            x = size * torch.tensor([-1.0, 0.0, 0.3, 1.0], dtype=dtype)
            back = check_quantized(solution, x, bits, symmetric)
            check(back[1].item() == 0.0, "zero does not come back as zero")


@points(2)
@pytest.mark.parametrize("sign", [1, -1], ids=["positive", "negative"])
def test_zero_is_exact(solution, rng, sign):
    """Zero must come back as exactly zero, also when all other values lie far on one side of it."""
    x = sign * (5 + rng.rand(30, dtype=torch.float64))
    check_quantized(solution, x, 8, False)
    x[7] = 0.0
    for symmetric in (True, False):
        back = check_quantized(solution, x, 8, symmetric)
        check(back[7].item() == 0.0, "zero does not come back as zero")


@points(1)
@EACH
@pytest.mark.parametrize("value", [0.0, 3.0, -0.02])
def test_constant_input(solution, symmetric, value):
    """A constant comes back as it was; if all is zero, the scale is 1 and nothing is NaN."""
    x = torch.full((3, 2), value, dtype=torch.float64)
    assert_close(check_quantized(solution, x, 8, symmetric), x, rtol=1e-6)


@points(1)
@EACH
def test_empty_input(solution, symmetric):
    """An empty tensor gives empty levels and the scale 1."""
    q, scale, zero_point = solution.quantize(torch.zeros(0, 3), 8, symmetric)
    assert_close(q, torch.zeros(0, 3, dtype=torch.int8), name="q")
    assert_close(scale, torch.tensor(1.0), name="scale")
    assert_close(solution.dequantize(q, scale, zero_point), torch.zeros(0, 3), name="dequantized")


@points(1)
@EACH_DTYPE
def test_dtypes_and_layouts(solution, rng, dtype):
    """The scale has the dtype of x; any memory layout is fine, large and tiny magnitudes too; nothing is changed."""
    for magnitude in (1e-20, 1e20):
        x = magnitude * rng.randn(6, 4, dtype=dtype).T[:, ::2]
        assert_not_mutated(solution.quantize, x)
        check_quantized(solution, x, 8, False)
        check_quantized(solution, x, 8, True)


@points(1)
def test_dequantize_does_not_overflow(solution):
    """Levels are int8, and their difference to the zero point is not: -128 with a zero point of 127 is 255 steps away."""
    q = torch.tensor([-128, 0, 127], dtype=torch.int8)
    for zero_point, expected in ((127, [-63.75, -31.75, 0.0]), (-128, [0.0, 32.0, 63.75])):
        back = solution.dequantize(q, torch.tensor(0.25, dtype=torch.float64), zero_point)
        assert_close(back, torch.tensor(expected, dtype=torch.float64))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("biased", [True, False], ids=["bias", "no-bias"])
def test_layer_by_formula(solution, rng, dtype, biased):
    """The output differs from the formula: int8 weights with a scale for each row, int8 inputs with a scale for each token."""
    weight, bias = off_ties(rng.randn(5, 16, dtype=dtype)), rng.randn(5, dtype=dtype) if biased else None
    x = off_ties(rng.randn(7, 16, dtype=dtype))
    y = solution.Int8Linear(weight, bias)(x)
    assert_close(y.detach(), by_formula(x, weight, bias), scale=4.0)


@points(1)
def test_long_sums_are_exact(solution, rng):
    """The sum over products of levels is a whole number of any size: in float32 a long one loses digits that float64 has."""
    weight, x = (0.5 + 0.5 * rng.rand(n, 4000, dtype=torch.float64) for n in (3, 2))
    assert_close(solution.Int8Linear(weight)(x).detach(), by_formula(x, weight))


@points(2)
def test_layer_is_close_to_the_float_one(solution, rng):
    """The output is further than 2 % from that of the float layer."""
    weight, x = rng.randn(128, 64), rng.randn(10, 64)
    y = solution.Int8Linear(weight)(x).detach()
    check(relative_error(y, F.linear(x, weight)) < 0.02, "the relative error of a token is above 2 %")


@points(2)
@pytest.mark.parametrize("where", ["token", "channel"])
def test_outliers_stay_alone(solution, rng, where):
    """One token, or one output channel, a thousand times larger than the others must not cost them their precision."""
    weight, x = rng.randn(8, 64), rng.randn(6, 64)
    (x if where == "token" else weight)[2] *= 1000
    y, expected = solution.Int8Linear(weight)(x).detach(), F.linear(x, weight)
    if where == "channel":
        y, expected = y.T, expected.T
    check(relative_error(y, expected) < 0.2, "the others have lost their precision")


@points(1)
def test_zeros_in_the_layer(solution, rng):
    """A row of zeros in the weight and a token of zeros give zeros plus bias, not NaN."""
    weight, bias, x = off_ties(rng.randn(4, 6)), rng.randn(4), off_ties(rng.randn(3, 6))
    weight[1], x[2] = 0, 0
    layer = solution.Int8Linear(weight, bias)
    y = layer(x).detach()
    assert_close(y, by_formula(x, weight, bias))
    assert_close(y[2], bias, name="output of a token of zeros")
    assert_close(dict(layer.state_dict())["scale"], rows(weight)[1].squeeze(1), name="scale")


@points(1)
@EACH_DTYPE
def test_tiny_rows_and_tokens(solution, rng, dtype):
    """Rows and tokens of very small numbers use all levels, too: no constant may be added to a scale or bound it."""
    weight, x, tiny = off_ties(rng.randn(4, 6, dtype=dtype)), off_ties(rng.randn(3, 6, dtype=dtype)), 2.0**-40
    y = solution.Int8Linear(weight * tiny)(x * tiny).detach()
    assert_close(y / tiny**2, by_formula(x, weight), scale=4.0, name="output, scaled back")


@points(2)
def test_what_is_stored(solution, rng):
    """The state has q_weight in int8, scale, and bias if there is one: nothing else, no parameters, few bytes."""
    weight, bias = off_ties(rng.randn(24, 100)), rng.randn(24)
    for given in (bias, None):
        layer = solution.Int8Linear(weight, given)
        state = dict(layer.state_dict())
        names = {"q_weight", "scale"} | ({"bias"} if given is not None else set())
        check(set(state) == names, "state_dict() should have q_weight, scale, and bias if one is given")
        check(state["q_weight"].dtype == torch.int8, "q_weight should be int8")
        check(state["q_weight"].shape == weight.shape, "q_weight should have the shape of the weight")
        check(state["scale"].shape == (24,), "there should be one scale for each output channel")
        check(len(list(layer.parameters())) == 0, "a layer for serving has no parameters")
        assert_close(state["q_weight"], rows(weight)[0].to(torch.int8), name="q_weight")
        used = sum(t.numel() * t.element_size() for t in state.values())
        check(used < 0.3 * 4 * weight.numel(), "30 % of the float weights, or more, are stored")


@points(1)
def test_state_travels(solution, rng):
    """A layer that loads the state of another one gives its outputs; the mode does not matter."""
    weight, bias, x = off_ties(rng.randn(5, 6)), rng.randn(5), off_ties(rng.randn(3, 6))
    assert_state_dict_round_trip(lambda: solution.Int8Linear(weight, bias), x)
    assert_ignores_mode(solution.Int8Linear(weight, bias), x)
    mine, other = solution.Int8Linear(weight, bias), solution.Int8Linear(rng.randn(5, 6), rng.randn(5))
    other(x)  # whatever a layer keeps from a call must not outlive the state that it was made of
    other.load_state_dict({name: value.clone() for name, value in mine.state_dict().items()})
    assert_close(other(x).detach(), by_formula(x, weight, bias))


@points(1)
def test_memory_of_the_layer(probes, rng):
    """A layer shares no memory with weight and bias: writing to them does not change it, loading a state does not change them."""
    weight, bias, x = off_ties(rng.randn(5, 6)), rng.randn(5), off_ties(rng.randn(3, 6))
    found = probes.written_to(weight, bias, x)
    assert_close(found["output"], by_formula(x, weight, bias), name="output after weight and bias were overwritten")
    for name in ("weight", "bias"):
        check(not found[name].any(), f"loading a state into the layer has changed the {name} that it was made from")


@points(1)
@pytest.mark.parametrize(
    "shape", [(6,), (2, 3, 6), (0, 6), (1, 6)], ids=["one-token", "batch", "empty", "batch-of-one"]
)
def test_input_shapes(solution, rng, shape):
    """x may have any leading dimensions, also none, one or an empty one; it is not changed."""
    weight, x = off_ties(rng.randn(5, 6)), off_ties(rng.randn(*shape))
    layer = solution.Int8Linear(weight)
    assert_close(assert_not_mutated(layer, x).detach(), by_formula(x, weight))
