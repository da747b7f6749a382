"""Hidden tests: inverted dropout."""

from itertools import pairwise

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_mode_matters,
    assert_not_mutated,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_KIND = pytest.mark.parametrize("whole_channels", [False, True], ids=["values", "channels"])


def nowhere_zero(rng, *shape, dtype=F32):
    """Values of both signs, none of them zero, so that zeros of the output are those of the mask."""
    x = rng.randn(*shape, dtype=F64)
    return torch.where(x < 0, x - 0.5, x + 0.5).to(dtype)


def check_scaled(y, x, p):
    """Every value is either zero or x / (1 - p); gives the mask."""
    check(y.shape == x.shape and y.dtype == x.dtype, "shape and dtype of the output must be those of x")
    mask = y != 0
    assert_close(y, torch.where(mask, x / (1 - p), torch.zeros_like(x)), name="survivors")
    return mask


def check_whole(mask):
    """A channel of a sample is kept or dropped as one; gives one bool for each."""
    flat = mask.reshape(*mask.shape[:2], -1)
    check(bool((flat == flat[:, :, :1]).all()), "some channel was dropped in part: its values must share one fate")
    return flat[:, :, 0]


@sample
@points(1)
def test_survivors_are_enlarged(solution):
    """Survivors of p = 0.75 are four times as large, everything else is zero."""
    y = solution.MyDropout(p=0.75)(torch.full((40, 50), 3.0))
    mask = check_scaled(y, torch.full((40, 50), 3.0), 0.75)
    check(bool(mask.any()) and not bool(mask.all()), "some values must survive, and some must not")


@sample
@points(1)
def test_evaluation_does_nothing(solution):
    """In evaluation the output is the input, whatever it holds."""
    layer = solution.MyDropout(p=0.5)
    layer.eval()
    x = torch.tensor([[1.0, -2.0, 0.0], [float("inf"), float("nan"), 1e30]])
    assert_close(layer(x), x, rtol=0.0, atol=0.0, equal_nan=True)


@sample
@points(1)
def test_one_fate_for_a_channel(solution):
    """With whole_channels=True all values of a channel of a sample survive, or none."""
    x = torch.full((8, 16, 2, 3), -1.0)
    kept = check_whole(check_scaled(solution.MyDropout(0.5, whole_channels=True)(x), x, 0.5))
    check(bool(kept.any()) and not bool(kept.all()), "some channels must survive, and some must not")


@points(2)
@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_shares_of_a_million(probes, rng, p):
    """The share of zeros, or the mean of the output, is off over a million values."""
    found = probes.statistics(p, 1000, 1000, rng.seed())
    check(abs(found["zeros"] - p) < 0.01, "the share of zeros must be p")
    check(abs(found["mean"] - 1) < 0.01, "the mean must stay what it was: survivors are divided by 1 - p")


@points(1)
def test_share_of_channels(solution, rng):
    """The share of channels that are dropped must be p as well."""
    x = torch.ones(200, 200, 1)
    layer = solution.MyDropout(0.2, whole_channels=True)
    kept = check_whole(check_scaled(layer(x), x, 0.2))
    check(abs(float(kept.double().mean()) - 0.8) < 0.02, "the share of channels that survive must be 1 - p")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@EACH_KIND
def test_backward_uses_the_same_mask(solution, rng, whole_channels, dtype):
    """The gradient must pass exactly where the values passed, with the same factor."""
    x = nowhere_zero(rng, 6, 7, 4, dtype=dtype).requires_grad_()
    cotangent = nowhere_zero(rng, 6, 7, 4, dtype=dtype)
    y = solution.MyDropout(0.4, whole_channels)(x)
    mask = check_scaled(y.detach(), x.detach(), 0.4)
    check(y.requires_grad, "the output is detached from x")
    (gradient,) = torch.autograd.grad(y, x, cotangent)
    assert_close(gradient, torch.where(mask, cotangent / 0.6, torch.zeros_like(cotangent)), name="gradient of x")


@points(2)
@EACH_KIND
def test_each_call_has_its_own_backward_mask(solution, rng, whole_channels):
    """A layer may be called twice before backward: the gradient of each call passes through the mask of that call."""
    layer = solution.MyDropout(0.5, whole_channels)
    inputs = [nowhere_zero(rng, 9, 8, 3).requires_grad_() for _ in range(2)]
    outputs = [layer(x) for x in inputs]
    cotangent = nowhere_zero(rng, 9, 8, 3)
    for x, y in zip(inputs, outputs, strict=True):
        mask = check_scaled(y.detach(), x.detach(), 0.5)
        (gradient,) = torch.autograd.grad(y, x, cotangent)
        assert_close(gradient, torch.where(mask, cotangent / 0.5, torch.zeros_like(cotangent)), name="gradient of x")


@points(1)
def test_evaluation_lets_gradients_pass(solution, rng):
    """In evaluation the gradient arrives as it was sent."""
    layer = solution.MyDropout(0.4)
    layer.eval()
    x, cotangent = rng.randn(3, 4).requires_grad_(), rng.randn(3, 4)
    y = layer(x)
    check(y.requires_grad, "the output is detached from x")
    assert_close(torch.autograd.grad(y, x, cotangent)[0], cotangent, name="gradient of x")


@points(1)
@EACH_KIND
def test_bfloat16_stays(solution, rng, whole_channels):
    """Inputs of lower precision keep their dtype: mind the dtype of the mask."""
    x = nowhere_zero(rng, 9, 8, 3, dtype=torch.bfloat16)
    check_scaled(solution.MyDropout(0.25, whole_channels)(x), x, 0.25)


@points(1)
@EACH_KIND
def test_large_values(solution, rng, whole_channels):
    """Large values are scaled like others."""
    x = 1e6 * nowhere_zero(rng, 7, 5, 2)
    check_scaled(solution.MyDropout(0.3, whole_channels)(x), x, 0.3)


@points(1)
@pytest.mark.parametrize("shape", [(12, 9), (6, 9, 5), (4, 9, 2, 3, 2)], ids=["two", "three", "five"])
def test_channels_of_any_rank(solution, rng, shape):
    """The second dimension is the channel, however many dimensions follow it."""
    x = nowhere_zero(rng, *shape)
    kept = check_whole(check_scaled(solution.MyDropout(0.5, True)(x), x, 0.5))
    check(bool(kept.any()) and not bool(kept.all()), "some channels must survive, and some must not")


@points(2)
@EACH_KIND
def test_nobody_shares_a_mask(solution, rng, whole_channels):
    """Every value, or every channel of every sample, is drawn on its own."""
    x = nowhere_zero(rng, 60, 60, 2)
    mask = check_scaled(solution.MyDropout(0.5, whole_channels)(x), x, 0.5)
    samples, channels = mask.flatten(1), mask.transpose(0, 1).flatten(1)
    check(len(samples.unique(dim=0)) == 60, "two samples of a batch have the same mask")
    check(len(channels.unique(dim=0)) == 60, "two channels have the same mask in all samples")
    if not whole_channels:
        check(bool((mask[..., 0] != mask[..., 1]).any()), "values of one channel always share their fate")


@points(2)
@EACH_KIND
def test_every_call_draws_anew(probes, rng, whole_channels):
    """A second call of the same layer must not repeat the mask of the first."""
    x = nowhere_zero(rng, 20, 20)
    first, second, third = probes.in_a_row(x, whole_channels, 3, rng.seed())
    masks = [check_scaled(y, x, 0.5) for y in (first, second, third)]
    differ = all(bool((one != other).any()) for one, other in pairwise(masks))
    check(differ, "two calls in a row gave the same mask")


@points(2)
@EACH_KIND
def test_follows_the_global_seed(solution, probes, rng, whole_channels):
    """Equal seeds of torch give equal masks, other seeds give others."""
    x = nowhere_zero(rng, 20, 20)
    assert_deterministic(solution.MyDropout(0.5, whole_channels), x)
    seed = rng.seed()
    first, again, other = (probes.in_a_row(x, whole_channels, 2, s) for s in (seed, seed, seed + 1))
    assert_close(again, first, rtol=0.0, atol=0.0, name="outputs after the same seed")
    check(not torch.equal(other[0], first[0]), "another seed gave the same mask")


@points(1)
def test_evaluation_draws_nothing(probes, rng):
    """In evaluation the global generator stays where it is; in training it moves."""
    training, evaluation = probes.generator_moved(rng.randn(5, 5))
    check(training is True, "in training the mask must come from the global generator")
    check(evaluation is False, "a random number was drawn in evaluation")


@points(1)
@EACH_KIND
def test_p_of_zero(solution, rng, whole_channels):
    """With p = 0 everything survives, as it is."""
    x = rng.randn(5, 6, 2)
    assert_close(solution.MyDropout(0.0, whole_channels)(x), x)


@points(2)
@EACH_KIND
def test_p_of_one(solution, rng, whole_channels):
    """With p = 1 nothing survives: zeros, and gradients of zero, without a division by zero."""
    x = rng.randn(5, 6, 2).requires_grad_()
    y = solution.MyDropout(1.0, whole_channels)(x)
    assert_close(y.detach(), torch.zeros(5, 6, 2))
    if y.requires_grad:
        (gradient,) = torch.autograd.grad(y, x, torch.ones(5, 6, 2), allow_unused=True)
        assert_close(torch.zeros(5, 6, 2) if gradient is None else gradient, torch.zeros(5, 6, 2), name="gradient of x")


@points(1)
@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan")], ids=["negative", "above-one", "nan"])
def test_p_must_be_a_probability(solution, p):
    """The constructor refuses everything that is no number from 0 to 1."""
    with pytest.raises(ValueError):
        solution.MyDropout(p)


@points(1)
def test_default_is_a_half(solution, rng):
    """Without arguments p is 0.5, and values are dropped one by one."""
    x = nowhere_zero(rng, 30, 4, 6)
    mask = check_scaled(solution.MyDropout()(x), x, 0.5)
    check(bool((mask != mask[..., :1]).any()), "values are dropped one by one unless whole channels are asked for")


@points(1)
def test_the_mode_decides(solution, rng):
    """train() and eval() switch the layer, as they switch every other."""
    assert_mode_matters(solution.MyDropout(0.5), rng.randn(10, 10))


@points(1)
def test_nothing_to_save(solution):
    """The layer has no parameters, and a mask is no state."""
    layer = solution.MyDropout(0.5)
    layer(torch.ones(3, 4))
    check(not list(layer.parameters()), "the layer must have no parameters")
    check(not layer.state_dict(), "state_dict() must be empty")


@points(1)
@EACH_KIND
def test_input_stays_as_it_is(solution, rng, whole_channels):
    """x belongs to the caller, also when it is a transposed view."""
    x = nowhere_zero(rng, 6, 8, 5).transpose(0, 2)
    check_scaled(assert_not_mutated(solution.MyDropout(0.5, whole_channels), x), x, 0.5)


@points(1)
@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 4, 0)], ids=["no-samples", "no-pixels"])
@EACH_KIND
def test_nothing_to_drop(solution, shape, whole_channels):
    """An empty input gives an empty output."""
    assert_close(solution.MyDropout(0.5, whole_channels)(torch.ones(shape)), torch.ones(shape))


@points(1)
def test_single_number(solution):
    """A tensor without dimensions is dropped or doubled."""
    y = solution.MyDropout(0.5)(torch.tensor(3.0))
    check(y.shape == () and float(y) in (0.0, 6.0), "a single number must come out as zero or doubled")
