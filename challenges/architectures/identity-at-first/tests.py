"""Hidden tests: a residual block that starts as the identity."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_mode_matters,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

CASES = {  # c_in, c_out, stride, height, width
    "same": (3, 3, 1, 5, 7),
    "wider": (2, 5, 1, 6, 4),
    "narrower": (5, 2, 1, 4, 5),
    "one-channel": (1, 4, 1, 5, 5),
    "halved": (3, 6, 2, 8, 6),
    "halved-odd": (3, 6, 2, 7, 5),
    "stride-alone": (4, 4, 2, 6, 9),
    "stride-three": (2, 3, 3, 8, 7),
}
EACH_CASE = pytest.mark.parametrize("name", CASES)
NORM = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")


def shapes(c_in, c_out, stride):
    """The state dict that the statement asks for."""
    found = {"conv1.weight": (c_out, c_in, 3, 3), "conv2.weight": (c_out, c_out, 3, 3)}
    for norm in ("norm1", "norm2"):
        found |= {f"{norm}.{part}": (() if part == "num_batches_tracked" else (c_out,)) for part in NORM}
    if stride != 1 or c_in != c_out:
        found["shortcut.weight"] = (c_out, c_in, 1, 1)
    return found


def pair(solution, reference, rng, case, dtype=torch.float64):
    """The answer's block and the reference's, with the same random state."""
    c_in, c_out, stride, *_ = case
    mine, theirs = (source.ResidualBlock(c_in, c_out, stride).to(dtype) for source in (solution, reference))
    state = {}
    for name, value in theirs.state_dict().items():
        drawn = rng.randn(*value.shape, dtype=dtype) if value.is_floating_point() else value
        state[name] = drawn.square() + 0.5 if name.endswith("running_var") else drawn
    mine.load_state_dict(state)
    theirs.load_state_dict(state)
    return mine, theirs


@sample
@points(1)
def test_identity_at_the_start(solution, rng):
    """A fresh block without projection returns its input, negative values included."""
    x = rng.randn(2, 3, 5, 4)
    assert_close(solution.ResidualBlock(3, 3)(x).detach(), x)


@sample
@points(1)
def test_halves_and_widens(solution, rng):
    """With stride 2 and other channels, the result has half the size."""
    found = solution.ResidualBlock(3, 8, 2)(rng.randn(2, 3, 8, 6))
    check(found.shape == (2, 8, 4, 3), "the result should have shape (2, 8, 4, 3)")


@sample
@points(1)
def test_names(solution):
    """The state dict has the names of the statement; there is a projection only where shapes differ."""
    for case in ((3, 3, 1), (3, 5, 1), (3, 3, 2)):
        state = {name: tuple(value.shape) for name, value in solution.ResidualBlock(*case).state_dict().items()}
        check(state == shapes(*case), "names or shapes of the state dict are not as stated")


@points(3)
@EACH_CASE
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_values_and_gradients(solution, reference, rng, name, training):
    """The result or the gradient of x differs: check both paths, their strides, and what follows the addition."""
    mine, theirs = pair(solution, reference, rng, CASES[name])
    x = rng.randn(3, CASES[name][0], *CASES[name][3:], dtype=torch.float64)
    for module in (mine, theirs):
        module.train(training)
    assert_same_gradients(mine, theirs, (x,), names=["x"], scale=4.0)


@points(2)
@pytest.mark.parametrize("name", ["same", "halved-odd"])
def test_gradients_of_parameters(solution, reference, rng, name):
    """The gradient of a parameter is missing or differs."""
    mine, theirs = pair(solution, reference, rng, CASES[name])
    x = rng.randn(3, CASES[name][0], *CASES[name][3:], dtype=torch.float64)
    for module in (mine, theirs):
        module(x).square().sum().backward()
    expected = {key: p.grad for key, p in theirs.named_parameters()}
    found = {key: p.grad for key, p in mine.named_parameters()}
    check(set(found) == set(expected), "the parameters are not those of the statement")
    for key, value in expected.items():
        check(found[key] is not None, "a parameter receives no gradient")
        assert_close(found[key], value, scale=16.0, name="gradient of a parameter")


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_dtypes(solution, reference, rng, dtype):
    """The result has the dtype of the block and is computed in it."""
    mine, theirs = pair(solution, reference, rng, CASES["halved"], dtype)
    x = rng.randn(3, 3, 8, 6, dtype=dtype)
    assert_close(mine.eval()(x).detach(), theirs.eval()(x).detach(), scale=4.0)


@points(2)
def test_gradient_through_a_stack(solution, rng):
    """The gradient of the result must pass through fresh blocks unchanged, however many there are."""
    x = rng.randn(2, 4, 3, 5).requires_grad_()
    y = x
    for _ in range(8):
        y = solution.ResidualBlock(4, 4)(y)
    cotangent = rng.randn(2, 4, 3, 5)
    y.backward(cotangent)
    check(x.grad is not None, "no gradient reaches the input")
    assert_close(y.detach(), x.detach(), name="the result of a fresh stack")
    assert_close(x.grad, cotangent, name="gradient of the input")


@points(2)
@pytest.mark.parametrize("name", ["wider", "halved-odd", "stride-alone"])
def test_projection_at_the_start(solution, rng, name):
    """A fresh block with a projection gives what the projection gives alone."""
    c_in, c_out, stride, *size = CASES[name]
    module = solution.ResidualBlock(c_in, c_out, stride)
    x = rng.randn(2, c_in, *size)
    weight = module.state_dict()["shortcut.weight"]
    assert_close(module(x).detach(), F.conv2d(x, weight, stride=stride))


@points(2)
def test_start_of_the_parameters(solution, rng):
    """norm2.weight starts at zero, the other norm parameters at their defaults, and convolutions at random."""
    torch.manual_seed(rng.seed())
    one, two = (solution.ResidualBlock(6, 4, 2).state_dict() for _ in range(2))
    zeros, ones = torch.zeros(4), torch.ones(4)
    for key, value in (("norm1.weight", ones), ("norm2.weight", zeros), ("norm1.bias", zeros), ("norm2.bias", zeros)):
        assert_close(one[key], value, name=key)
    for key in ("conv1.weight", "conv2.weight", "shortcut.weight"):
        bound = one[key][0].numel() ** -0.5
        check(bool((one[key].abs() <= bound).all()), "a convolution does not start as nn.Conv2d does")
        check(bool(one[key].std() > 0.15 * bound), "a convolution does not start as nn.Conv2d does")
        check(not torch.equal(one[key], two[key]), "two blocks start with the same weights")


@points(1)
def test_first_gradients(solution, rng):
    """In the first step norm2.weight must receive a gradient, so that the inner path can begin to learn."""
    module = solution.ResidualBlock(3, 3)
    module(rng.randn(4, 3, 5, 5)).square().sum().backward()
    grads = {key: p.grad for key, p in module.named_parameters()}
    check(grads["norm2.weight"] is not None and bool(grads["norm2.weight"].any()), "norm2.weight receives no gradient")


@points(1)
def test_running_statistics(solution, reference, rng):
    """The batch norms keep running statistics in training mode, with the default momentum."""
    mine, theirs = pair(solution, reference, rng, CASES["same"])
    for _ in range(2):
        x = rng.randn(3, 3, 5, 7, dtype=torch.float64)
        mine(x), theirs(x)
    found, expected = mine.state_dict(), theirs.state_dict()
    for key in expected:
        if "running" in key or "num_batches" in key:
            assert_close(found[key], expected[key], scale=4.0, name=key)


@points(1)
def test_modes(solution, reference, rng):
    """Training mode uses the statistics of the batch, evaluation mode the stored ones."""
    mine, _ = pair(solution, reference, rng, CASES["same"])
    assert_mode_matters(mine, rng.randn(4, 3, 5, 7, dtype=torch.float64))


@points(1)
def test_state_comes_back(solution, rng):
    """A block that loads the state of another computes the same."""
    module, fresh = solution.ResidualBlock(2, 5, 2), solution.ResidualBlock(2, 5, 2)
    x = rng.randn(3, 2, 6, 5)
    fresh.load_state_dict(module.state_dict())
    assert_close(fresh.eval()(x).detach(), module.eval()(x).detach())


@points(1)
@pytest.mark.parametrize("name", ["same", "halved"])
def test_input_is_left_alone(solution, reference, rng, name):
    """The input is changed in place, or must be contiguous."""
    c_in, _, _, height, width = CASES[name]
    mine, theirs = pair(solution, reference, rng, CASES[name])
    x = rng.randn(2, width, height, c_in, dtype=torch.float64).permute(0, 3, 2, 1)
    assert_close(assert_not_mutated(mine, x).detach(), theirs(x).detach(), scale=4.0)
