"""Hidden tests: the contrastive loss of images and texts, whole and in shares."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("image", "text", "log_scale", "all_image", "all_text")


def true_loss(image, text, log_scale, all_image=None, all_text=None, rank=0, max_scale=100.0):
    """Pair by pair, from cosines."""
    if all_image is None:
        all_image, all_text, rank = image, text, 0
    scale = log_scale.exp() if float(log_scale) < math.log(max_scale) else log_scale * 0 + max_scale
    total, n = log_scale * 0, image.shape[0]
    for i in range(n):
        for own, others in ((image[i], all_text), (text[i], all_image)):
            s = torch.stack([scale * (own @ x) / (own @ own).sqrt() / (x @ x).sqrt() for x in others])
            total = total + s.logsumexp(0) - s[rank * n + i]
    return total / (2 * n)


def pairs(rng, n=5, width=7, dtype=F64, scale=5.0):
    """Features of different lengths, and the logarithm of a scale."""
    lengths = 0.1 + 3 * rng.rand(n, 1, dtype=dtype)
    image = rng.randn(n, width, dtype=dtype)
    text = image + rng.randn(n, width, dtype=dtype)
    return image * lengths, text * lengths.flip(0), torch.tensor(math.log(scale), dtype=dtype)


def shares(solution, image, text, log_scale, world):
    """The mean of the losses of all processes."""
    size = image.shape[0] // world
    parts = [slice(rank * size, (rank + 1) * size) for rank in range(world)]
    losses = [
        solution.clip_loss(image[part], text[part], log_scale, image, text, rank) for rank, part in enumerate(parts)
    ]
    return torch.stack(losses).mean()


@sample
@points(1)
def test_perfect_pairs(solution):
    """Orthogonal pairs with a scale of log 4: each has the probability 4 / 5 of being found, whatever the lengths are."""
    image, text = torch.tensor([[3.0, 0.0], [0.0, 0.5]]), torch.tensor([[2.0, 0.0], [0.0, 7.0]])
    log_scale = torch.tensor(math.log(math.log(4.0)))
    assert_close(solution.clip_loss(image, text, log_scale), torch.tensor(math.log(5 / 4)))


@sample
@points(1)
def test_two_directions(solution):
    """Equal texts: no image finds its own, and which image belongs to them is no better known for any of them."""
    image, text = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    log_scale = torch.tensor(math.log(math.log(4.0)))
    of_images, of_texts = math.log(2), (math.log(5 / 4) + math.log(5)) / 2
    assert_close(solution.clip_loss(image, text, log_scale), torch.tensor((of_images + of_texts) / 2))


@sample
@points(1)
def test_second_process(solution):
    """The only pair of process 1 is number 1 of the whole batch, and has the pair of process 0 beside it."""
    image, text = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    log_scale = torch.tensor(math.log(math.log(4.0)))
    loss = solution.clip_loss(image[1:], text[1:], log_scale, image, text, 1)
    assert_close(loss, torch.tensor(math.log(5 / 4)))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(5, 7), (7, 3)], ids=["5x7", "7x3"])
def test_values_and_gradients(solution, rng, shape, dtype):
    """The loss or a gradient is wrong: normalise rows, scale, and classify rows and columns."""
    # at a larger scale float32 leaves little of the gradient of a pair that is easily found
    inputs = pairs(rng, *shape, dtype=dtype, scale=rng.uniform(1, 20 if dtype is F64 else 4))
    assert_same_gradients(solution.clip_loss, true_loss, inputs, names=NAMES, scale=16.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_one_share(solution, rng, rank, dtype):
    """The share of a process or one of its gradients is wrong: its rows against all columns, with labels that are shifted."""
    all_image, all_text, log_scale = pairs(rng, 6, 5, dtype, rng.uniform(1, 20 if dtype is F64 else 4))
    part = slice(2 * rank, 2 * rank + 2)
    inputs = all_image[part], all_text[part], log_scale, all_image, all_text, rank
    assert_same_gradients(solution.clip_loss, true_loss, inputs, names=NAMES, scale=16.0)


@points(3)
@pytest.mark.parametrize("world", [1, 2, 6])
def test_shares_make_the_whole(solution, rng, world):
    """The mean of the shares must be the loss of the whole batch, in value and in gradient, through the gathered features too."""
    inputs = pairs(rng, 6, 5)
    assert_same_gradients(lambda *x: shares(solution, *x, world), true_loss, inputs, names=NAMES, scale=16.0)


@points(2)
def test_images_and_texts_exchanged(solution, rng):
    """Exchanging images and texts must not change the loss: both directions have the same weight."""
    image, text, log_scale = pairs(rng)
    expected = solution.clip_loss(image, text, log_scale)
    assert_close(solution.clip_loss(text, image, log_scale), expected)
    again = solution.clip_loss(text[:2], image[:2], log_scale, text[:4], image[:4], 0)
    assert_close(again, solution.clip_loss(image[:2], text[:2], log_scale, image[:4], text[:4], 0))


@points(2)
def test_lengths(solution, rng):
    """Lengths must not matter, not even small ones, and no gradient points along a feature."""
    image, text, log_scale = pairs(rng)
    expected = solution.clip_loss(image, text, log_scale)
    longer = image * (1e-3 + 5 * rng.rand(5, 1, dtype=F64)), text * (1e-3 + 5 * rng.rand(5, 1, dtype=F64))
    assert_close(solution.clip_loss(*longer, log_scale), expected)
    assert_close(solution.clip_loss(1e-5 * image, 1e5 * text, log_scale), expected)
    image.requires_grad_(), text.requires_grad_()
    loss = solution.clip_loss(image, text, log_scale)
    check(isinstance(loss, torch.Tensor) and loss.requires_grad, "the loss is detached from the features")
    for x, gradient in zip((image, text), torch.autograd.grad(loss, (image, text)), strict=True):
        check(bool(gradient.any()), "a gradient is 0 everywhere")
        along = (gradient * x.detach()).sum(1) / gradient.norm(dim=1) / x.detach().norm(dim=1)
        check(bool((along.abs() < 1e-9).all()), "a gradient changes the length of a feature")


@points(2)
def test_order_and_rotation(solution, rng):
    """The same pairs in another order, or all features rotated together, must give the same loss."""
    image, text, log_scale = pairs(rng)
    expected = solution.clip_loss(image, text, log_scale)
    order = rng.permutation(5)
    assert_close(solution.clip_loss(image[order], text[order], log_scale), expected)
    turn = torch.linalg.qr(rng.randn(7, 7, dtype=F64))[0]
    assert_close(solution.clip_loss(image @ turn, text @ turn, log_scale), expected)


@points(1)
@pytest.mark.parametrize("how", ["equal-features", "tiny-scale", "one-pair"])
def test_nothing_to_choose(solution, rng, how):
    """Where all candidates look alike, the loss must be the logarithm of their number; with one candidate it is 0."""
    image, text, log_scale = pairs(rng)
    if how == "equal-features":
        image, text = image[:1].expand(5, 7), text[:1].expand(5, 7)
    elif how == "tiny-scale":
        log_scale = torch.tensor(-60.0, dtype=F64)
    else:
        image, text = image[:1], text[:1]
    n = image.shape[0]
    assert_close(solution.clip_loss(image, text, log_scale), torch.tensor(math.log(n), dtype=F64))
    if n > 1:
        share = solution.clip_loss(image[1:2], text[1:2], log_scale, image, text, 1)
        assert_close(share, torch.tensor(math.log(5), dtype=F64), name="share")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("log_scale", [4.7, 80.0, 1000.0])
def test_bounded_scale(solution, rng, log_scale, dtype):
    """Beyond the bound the scale is max_scale, and log_scale has the gradient 0, not NaN: bound the logarithm first."""
    image, text, _ = pairs(rng, dtype=dtype)
    free = torch.tensor(log_scale, dtype=dtype).requires_grad_()
    # An answer may use a constant beyond the bound. The features give the loss a graph all the same.
    loss = solution.clip_loss(image.clone().requires_grad_(), text, free)
    expected = true_loss(image, text, free.detach())
    # Scores reach 100, and so their rounding does not shrink with the loss.
    assert_close(loss.detach(), expected, scale=400.0)
    (gradient,) = torch.autograd.grad(loss, free, allow_unused=True)
    zero = torch.zeros((), dtype=dtype)
    assert_close(zero if gradient is None else gradient, zero, name="gradient of log_scale")


@points(2)
def test_another_bound(solution, rng):
    """max_scale bounds the scale, not its logarithm, and below it nothing changes."""
    image, text, _ = pairs(rng)
    small = torch.tensor(math.log(3.0), dtype=F64)
    for log_scale, limit in ((small, 2.0), (small, 4.0), (small + 2, 50.0), (small - 4, 0.5)):
        expected = true_loss(image, text, log_scale, max_scale=limit)
        assert_close(solution.clip_loss(image, text, log_scale, max_scale=limit), expected, scale=50.0)
        actual = solution.clip_loss(image[:2], text[:2], log_scale, image[:4], text[:4], 0, limit)
        share = true_loss(image[:2], text[:2], log_scale, image[:4], text[:4], 0, limit)
        assert_close(actual, share, scale=50.0, name="share")


@points(3)
@EACH_DTYPE
def test_large_similarities(solution, rng, dtype):
    """Pairs that are far apart at a large scale cost thousands, exactly, and keep their gradient: stay in the logarithm."""
    image, _, _ = pairs(rng, dtype=dtype)
    text = image.roll(1, 0) - 0.5 * image
    log_scale = torch.tensor(math.log(1e4), dtype=dtype)
    options = {"names": NAMES, "scale": 64.0, "max_scale": 1e6}
    assert_same_gradients(solution.clip_loss, true_loss, (image, text, log_scale), wrt=[0, 1], **options)
    assert_same_gradients(solution.clip_loss, true_loss, (image, -2 * image, log_scale + 1), wrt=[2], **options)


@points(1)
def test_defaults(solution, rng):
    """Without a rank the share is that of process 0, and without a bound the scale may be 100 at most."""
    image, text, log_scale = pairs(rng)
    given = image[:2], text[:2], log_scale + 9, image, text
    assert_close(solution.clip_loss(*given), true_loss(*given, 0, 100.0), scale=100.0)


@points(1)
def test_rank_without_others(solution, rng):
    """Without gathered features the process is alone, whatever its rank is."""
    inputs = pairs(rng)
    assert_close(solution.clip_loss(*inputs, rank=1), true_loss(*inputs))


@points(1)
def test_layouts(solution, rng):
    """Inputs that are not contiguous are tensors like any other."""
    image, text, log_scale = pairs(rng, 6, 6)
    inputs = image.t(), text.t(), log_scale
    assert_same_gradients(solution.clip_loss, true_loss, inputs, names=NAMES, scale=16.0)
    inputs = image[::2, ::2], text[::2, 1::2], log_scale
    assert_same_gradients(solution.clip_loss, true_loss, inputs, names=NAMES, scale=16.0)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither features nor the scale may be written to."""
    image, text, log_scale = pairs(rng)
    assert_not_mutated(solution.clip_loss, image, text, log_scale + 9)
    assert_not_mutated(solution.clip_loss, image[:2], text[:2], log_scale, image[:4], text[:4], 0)
