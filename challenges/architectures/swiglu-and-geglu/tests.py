"""Hidden tests: gated feed-forward layers."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
ACTIVATIONS = {
    "silu": lambda z: z * z.sigmoid(),
    "gelu": lambda z: z * 0.5 * (1 + torch.erf(z / math.sqrt(2))),
    "relu": lambda z: z.clamp(min=0),
    "sigmoid": torch.sigmoid,
}
EACH_ACTIVATION = pytest.mark.parametrize("activation", list(ACTIVATIONS))


def formula(x, gate, up, down, activation):
    return (ACTIVATIONS[activation](x @ gate.T) * (x @ up.T)) @ down.T


def draw(rng, d, h, dtype):
    """The gate rows, the up rows and the down matrix."""
    return rng.randn(h, d, dtype=dtype), rng.randn(h, d, dtype=dtype), rng.randn(d, h, dtype=dtype)


def loaded(solution, gate, up, down, activation):
    """A module with these weights, in their dtype."""
    h, d = gate.shape
    module = solution.GatedMLP(d, h, activation)
    if gate.dtype is not F32:
        module.to(gate.dtype)
    module.load_state_dict({"gate_up.weight": torch.cat([gate, up]), "down.weight": down.clone()})
    return module


def width(solution, *args, **kwargs):
    return tuple(solution.GatedMLP(*args, **kwargs).state_dict()["down.weight"].shape)[-1]


@sample
def test_worked_example(solution):
    """The worked example of the statement is off: the first half of the rows is the gate, and the activation acts on it alone."""
    rows = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]])
    module = loaded(solution, rows[:2], rows[2:], torch.tensor([[1.0, 0.0], [0.0, 10.0]]), "relu")
    out = module(torch.tensor([[3.0, 2.0], [-3.0, 2.0]]))
    assert_close(out, torch.tensor([[15.0, 20.0], [0.0, -100.0]]))


@sample
def test_names_and_shapes(solution):
    """The state holds `gate_up.weight` and `down.weight`, both trainable, and no bias: compare names and shapes."""
    module = solution.GatedMLP(3, 5)
    state = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    check(state == {"gate_up.weight": (10, 3), "down.weight": (3, 5)}, "names or shapes of the state are not as stated")
    trained = {name for name, p in module.named_parameters() if p.requires_grad}
    check(trained == set(state), "both weights must be parameters that train, and the only ones")


@sample
@EACH_ACTIVATION
def test_one_hidden_unit(solution, exhibit, activation):
    """With one input and one hidden unit the layer draws a(x) times x: compare the curve with the table of activations."""
    one = torch.ones(1, 1)
    x = torch.linspace(-4, 4, 33)[:, None]
    out = loaded(solution, one, one, one, activation)(x)
    expected = ACTIVATIONS[activation](x) * x
    lines = {"yours": out.detach().flatten(), "expected": expected.flatten()}
    exhibit.curve(f"{activation}: a(x) times x, for x from -4 to 4", lines)
    assert_close(out, expected)


@sample
def test_width(solution):
    """Without `hidden`, the width is the smallest multiple of `multiple_of` that is not below 8d/3."""
    for d, multiple_of, expected in ((10, 8, 32), (12, 8, 32), (13, 8, 40)):
        found = width(solution, d, multiple_of=multiple_of)
        check(found == expected, f"d = {d}, multiple_of = {multiple_of}: the width should be {expected}")
    check(width(solution, 512) == 1408, "d = 512: the width should be 1408")


CASES = {  # shape of x, h, activation, dtype
    "matrix": ((4, 5), 3, "silu", F64),
    "vector": ((5,), 7, "gelu", F64),
    "tokens": ((2, 3, 7), 2, "silu", F32),
    "as-many-tokens-as-units": ((2, 6, 5), 3, "sigmoid", F64),
    "four-dimensions": ((2, 1, 3, 4), 5, "gelu", F32),
    "one-unit": ((3, 2), 1, "relu", F64),
    "no-rows": ((0, 4), 3, "silu", F32),
}


@points(2)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(solution, rng, name):
    """The output or the gradient of x is off: both halves depend on x, and both send a gradient back."""
    shape, h, activation, dtype = CASES[name]
    weights = draw(rng, shape[-1], h, dtype)
    module = loaded(solution, *weights, activation)
    assert_same_gradients(
        module, lambda x: formula(x, *weights, activation), (rng.randn(*shape, dtype=dtype),), names=["x"]
    )


@points(2)
@EACH_ACTIVATION
def test_activations_in_float64(solution, rng, activation):
    """An activation is only nearly right: an approximation, another sigmoid, or float32 in between."""
    weights = draw(rng, 3, 16, F64)
    x = 2 * rng.randn(20, 3, dtype=F64)
    assert_close(loaded(solution, *weights, activation)(x), formula(x, *weights, activation))


@points(3)
@EACH_ACTIVATION
def test_gradients_of_both_halves(solution, rng, activation):
    """A gradient of the gate rows, the up rows or the down matrix is off: was one of the halves detached, or swapped?"""
    dtype = F32 if activation in ("relu", "silu") else F64
    weights = draw(rng, 3, 5, dtype)
    x, cotangent = rng.randn(2, 4, 3, dtype=dtype), rng.randn(2, 4, 3, dtype=dtype)
    module = loaded(solution, *weights, activation)
    out = module(x)
    check(out.shape == cotangent.shape, "output: the shape is wrong")
    out.backward(cotangent)
    leaves = [w.requires_grad_() for w in weights]
    gate, up, down = torch.autograd.grad(formula(x, *leaves, activation), leaves, cotangent)
    found = {name: p.grad for name, p in module.named_parameters()}
    expected = {"gate_up.weight": torch.cat([gate, up]), "down.weight": down}
    for name, gradient in expected.items():
        check(found.get(name) is not None, f"{name} received no gradient")
        assert_close(found[name], gradient, scale=4.0, name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize("multiple_of", [1, 7, 64])
def test_width_rule(solution, rng, multiple_of):
    """The width is off for some d: an exact multiple stays as it is, and everything else is rounded up, by any fraction."""
    for d in (1, 3, 6, 12, 21, 96, rng.integer(2, 90)):
        # the definition, read from below
        expected = next(w for w in range(multiple_of, 9 * d + multiple_of, multiple_of) if 3 * w >= 8 * d)
        check(width(solution, d, multiple_of=multiple_of) == expected, "the width is not the smallest that is allowed")


@points(1)
def test_a_given_width_is_kept(solution):
    """A given `hidden` is the width, whatever `multiple_of` says: only the default is rounded."""
    for h in (1, 5, 13):
        check(width(solution, 4, hidden=h) == h, "`hidden` was not taken as it is")
        check(width(solution, 4, hidden=h, multiple_of=8) == h, "`hidden` was rounded")


@points(1)
def test_unknown_activation(solution):
    """An unknown activation raises ValueError in the constructor, not later and not silently."""
    for name in ("swish", "SiLU", ""):
        with pytest.raises(ValueError):
            solution.GatedMLP(4, 8, activation=name)


@points(2)
@EACH_ACTIVATION
def test_large_gates(solution, activation):
    """Gates of ten thousand give NaN or infinity, or their gradients do: a sigmoid written with exp overflows."""
    for dtype in (F32, F64):
        gate = torch.tensor([[1e4], [-1e4], [100.0], [-100.0]], dtype=dtype)
        up, down = torch.ones(4, 1, dtype=dtype), torch.tensor([[1.0, 2.0, 3.0, 4.0]], dtype=dtype)
        module = loaded(solution, gate, up, down, activation)
        x = torch.tensor([[1.0], [-1.0]], dtype=dtype, requires_grad=True)
        out = module(x)
        expected = (4.0, -6.0) if activation == "sigmoid" else (10300.0, -20400.0)
        assert_close(out, torch.tensor(expected, dtype=dtype)[:, None])
        out.sum().backward()
        check(bool(x.grad.isfinite().all()), "the gradient of x is not finite")
        for name, p in module.named_parameters():
            check(p.grad is not None and bool(p.grad.isfinite().all()), f"the gradient of {name} is not finite")


@points(2)
def test_zeros_give_zeros(solution, rng):
    """Without biases a row of zeros gives exactly zero, for every activation."""
    for activation in ACTIVATIONS:
        out = loaded(solution, *draw(rng, 4, 6, F32), activation)(torch.zeros(3, 4))
        check(out.shape == (3, 4), "output: the shape is wrong")
        check(bool((out == 0).all()), "zeros did not give zeros")


@points(2)
def test_linear_in_the_up_rows(solution, rng):
    """The layer is linear in the up rows and in the down matrix: the activation belongs to the gate alone."""
    for activation in ACTIVATIONS:
        gate, up, down = draw(rng, 4, 6, F64)
        other = rng.randn(6, 4, dtype=F64)
        x = rng.randn(5, 4, dtype=F64)
        total = loaded(solution, gate, 2 * up - 3 * other, down, activation)(x).detach()
        parts = [loaded(solution, gate, rows, down, activation)(x).detach() for rows in (up, other)]
        assert_close(total, 2 * parts[0] - 3 * parts[1])
        assert_close(loaded(solution, gate, up, -2 * down, activation)(x).detach(), -2 * parts[0])


@points(1)
def test_hidden_units_may_be_permuted(solution, rng):
    """Hidden units have no order: the same permutation of gate rows, up rows and down columns must change nothing."""
    gate, up, down = draw(rng, 4, 7, F64)
    order, x = rng.permutation(7), rng.randn(5, 4, dtype=F64)
    before = loaded(solution, gate, up, down, "silu")(x).detach()
    check(bool(before.abs().max() > 1e-3), "the output is zero everywhere")
    assert_close(loaded(solution, gate[order], up[order], down[:, order], "silu")(x).detach(), before)


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other: no view that needs contiguous memory."""
    x = {
        "transposed": lambda: rng.randn(2, 6, 5, dtype=F64).transpose(1, 2),
        "strided": lambda: rng.randn(4, 12, dtype=F64)[::2, ::2],
        "expanded": lambda: rng.randn(1, 6, dtype=F64).expand(3, 6),
    }[layout]()
    weights = draw(rng, 6, 4, F64)
    module = loaded(solution, *weights, "gelu")
    assert_same_gradients(module, lambda x: formula(x, *weights, "gelu"), (x,), names=["x"])


@points(1)
def test_state_travels(solution, rng):
    """What state_dict() saves must be what load_state_dict() needs to give the same outputs."""
    assert_state_dict_round_trip(lambda: solution.GatedMLP(5, 4), rng.randn(3, 5))


@points(1)
def test_nothing_is_remembered(solution, rng):
    """The mode does not matter, x stays as it is, and a call does not depend on the calls before it."""
    weights = draw(rng, 6, 4, F32)
    module = loaded(solution, *weights, "silu")
    assert_ignores_mode(module, rng.randn(4, 6))
    for _ in range(3):
        x = rng.randn(4, 6)
        assert_close(assert_not_mutated(module, x), formula(x, *weights, "silu"))
