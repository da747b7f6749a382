"""Hidden tests: group normalisation."""

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

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
SIZES = {  # shape, groups, eps
    "features": ((3, 6), 2, 1e-5),
    "sequence": ((2, 6, 5), 3, 1e-3),
    "image": ((3, 4, 3, 5), 2, 1e-5),
    "volume": ((1, 6, 2, 3, 2), 2, 0.1),
    "one-group": ((2, 5, 4), 1, 1e-5),
    "each-alone": ((2, 5, 4), 5, 1e-5),
}


def built(solution, groups, weight, bias, eps=1e-5):
    layer = solution.GroupNorm(groups, len(weight), eps)
    shapes = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    check(
        shapes == {"weight": (len(weight),), "bias": (len(weight),)},
        "state_dict() must hold weight and bias, (channels,) each",
    )
    if weight.dtype is F64:
        layer.to(F64)
    layer.load_state_dict({"weight": weight.clone(), "bias": bias.clone()})
    return layer


def expected(x, groups, weight, bias, eps=1e-5):
    return F.group_norm(x, groups, weight, bias, eps)


def drawn(rng, shape, dtype=F64):
    x = 3 * rng.randn(*shape, dtype=dtype) + 2 * rng.randn(shape[0], shape[1], *[1] * (len(shape) - 2), dtype=dtype)
    return x, 1 + rng.randn(shape[1], dtype=dtype), rng.randn(shape[1], dtype=dtype)


@sample
@points(1)
def test_by_hand(solution):
    """Two groups of two channels: each pair becomes −1 and 1."""
    layer = solution.GroupNorm(2, 4, eps=0.0)
    found = layer(torch.tensor([[1.0, 3.0, 10.0, 30.0]]))
    assert_close(found.detach(), torch.tensor([[-1.0, 1.0, -1.0, 1.0]]))


@sample
@points(1)
def test_how_it_starts(solution):
    """The gain starts at one, the bias at zero; without affine there is neither."""
    state = solution.GroupNorm(3, 6).state_dict()
    check(sorted(state) == ["bias", "weight"], "state_dict() must hold weight and bias")
    assert_close(state["weight"], torch.ones(6), name="weight")
    assert_close(state["bias"], torch.zeros(6), name="bias")
    check(not solution.GroupNorm(3, 6, affine=False).state_dict(), "without affine, the state must be empty")


@sample
@points(1)
def test_groups_must_divide(solution):
    """Groups that do not divide the channels are a ValueError."""
    with pytest.raises(ValueError):
        solution.GroupNorm(4, 6)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("name", SIZES)
def test_values(solution, rng, name, dtype):
    """The values differ: which elements share their mean and variance, and to what does a gain belong?"""
    shape, groups, eps = SIZES[name]
    x, weight, bias = drawn(rng, shape, dtype)
    assert_close(
        built(solution, groups, weight, bias, eps)(x).detach(), expected(x, groups, weight, bias, eps), scale=2.0
    )


@points(3)
@pytest.mark.parametrize("name", ["features", "image", "one-group"])
def test_gradients(solution, rng, name):
    """A gradient of x, weight or bias differs: it passes through mean and variance."""
    shape, groups, eps = SIZES[name]
    tensors = drawn(rng, shape)
    cotangent = rng.randn(*shape, dtype=F64)
    layer = built(solution, groups, *tensors[1:], eps)
    named = dict(layer.named_parameters())
    check(set(named) == {"weight", "bias"}, "weight and bias must be parameters")
    mine = tensors[0].clone().requires_grad_()
    out = layer(mine)
    check(out.requires_grad, "the result is detached from x")
    found = torch.autograd.grad(out, [mine, named["weight"], named["bias"]], cotangent)
    leaves = [t.clone().requires_grad_() for t in tensors]
    wanted = torch.autograd.grad(expected(leaves[0], groups, *leaves[1:], eps), leaves, cotangent)
    for label, a, b in zip(("x", "weight", "bias"), found, wanted, strict=True):
        assert_close(a, b, scale=8.0, name=f"gradient of {label}")


@points(2)
def test_without_affine(solution, rng):
    """Without affine nothing is scaled or shifted."""
    x, _, _ = drawn(rng, (3, 6, 4))
    layer = solution.GroupNorm(2, 6, affine=False)
    check(not list(layer.parameters()), "without affine there must be no parameters")
    assert_close(layer(x).detach(), F.group_norm(x, 2), scale=2.0)


@points(2)
def test_the_two_limits(solution, rng):
    """One group is the layer norm of a whole sample, as many groups as channels instance norm."""
    x, _, _ = drawn(rng, (3, 4, 5, 2))
    one, each = solution.GroupNorm(1, 4)(x.float()).detach(), solution.GroupNorm(4, 4)(x.float()).detach()
    assert_close(one, F.layer_norm(x.float(), (4, 5, 2)), scale=2.0, name="one group")
    assert_close(each, F.instance_norm(x.float()), scale=2.0, name="each channel alone")


@points(2)
def test_samples_do_not_mix(solution, rng):
    """A sample gives the same alone and in a batch."""
    x, weight, bias = drawn(rng, (4, 6, 3))
    layer = built(solution, 3, weight, bias)
    assert_close(layer(x[1:2]).detach(), layer(x).detach()[1:2], rtol=1e-9, atol=1e-9)


@points(2)
def test_invariances(solution, rng):
    """A group that is shifted and scaled gives the same, apart from epsilon."""
    x, weight, bias = drawn(rng, (3, 6, 4))
    layer = built(solution, 2, weight, bias, 1e-12)
    moved = x.clone()
    moved[:, :3] = 5 * moved[:, :3] - 40
    assert_close(layer(moved).detach(), layer(x).detach(), scale=64.0)


@points(2)
@EACH_DTYPE
def test_far_from_zero(solution, rng, dtype):
    """Data with a large mean: the mean of squares minus the square of the mean loses every digit."""
    x = rng.randint(-4, 5, (2, 4, 8)).to(dtype)
    layer = built(solution, 2, torch.ones(4, dtype=dtype), torch.zeros(4, dtype=dtype))
    assert_close(layer(x + 2.0**16).detach(), layer(x).detach(), scale=4.0)


@points(1)
def test_constant_groups(solution):
    """A constant group gives the bias, and no NaN, in value and gradient."""
    layer = built(solution, 2, torch.tensor([2.0, 3.0, 4.0, 5.0]), torch.tensor([1.0, -1.0, 0.5, 0.0]))
    x = torch.full((2, 4, 3), 7.0).requires_grad_()
    out = layer(x)
    assert_close(out.detach(), torch.tensor([1.0, -1.0, 0.5, 0.0])[:, None].expand(2, 4, 3))
    (grad,) = torch.autograd.grad(out, x, torch.arange(24.0).view(2, 4, 3))
    check(bool(grad.isfinite().all()), "the gradient of a constant group is not finite")


@points(1)
@pytest.mark.parametrize("bad", [(0, 6), (-2, 6), (4, 6), (7, 6)], ids=str)
def test_numbers_of_groups(solution, bad):
    """Less than one group, and groups that do not divide the channels, are a ValueError."""
    with pytest.raises(ValueError):
        solution.GroupNorm(*bad)


@points(1)
@pytest.mark.parametrize("shape", [(2, 4, 3), (2, 12), (6, 3)], ids=str)
def test_wrong_channels(solution, rng, shape):
    """Another number of channels is a ValueError, even where the groups would divide it, and without a weight, too."""
    for affine in (True, False):
        layer = solution.GroupNorm(2, 6, affine=affine)
        with pytest.raises(ValueError):
            layer(rng.randn(*shape))


@points(1)
def test_inputs_state_and_mode(solution, rng):
    """x is left as it was, a loaded state decides, views are ordinary inputs, and the mode makes no difference."""
    x, weight, bias = drawn(rng, (2, 6, 3), F32)
    layer = built(solution, 2, weight, bias)
    assert_not_mutated(layer, x)
    assert_ignores_mode(layer, x)
    assert_state_dict_round_trip(lambda: solution.GroupNorm(2, 6), (x,))
    view = rng.randn(3, 6, 2).transpose(0, 2)
    assert_close(layer(view).detach(), expected(view, 2, weight, bias), scale=2.0)
