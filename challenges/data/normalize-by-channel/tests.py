"""Hidden tests: to_float_image, channel_statistics, normalize, denormalize."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def expected_statistics(batches):
    """All pixels of a channel together, in float64."""
    pixels = torch.cat([b.double().transpose(0, 1).flatten(1) for b in batches], 1)
    mean = pixels.mean(1)
    return mean, (pixels - mean[:, None]).square().mean(1).sqrt()


def statistics(found):
    """Mean and deviation of an answer, as float32 after their own dtype was looked at."""
    check(len(found) == 2, "the answer must be the pair (mean, std)")
    check(all(t.dtype == torch.float64 for t in found), "mean and std must be float64")
    return [t.float() for t in found]


def check_statistics(found, batches):
    mean, std = expected_statistics(batches)
    found_mean, found_std = statistics(found)
    assert_close(found_mean, mean.float(), name="mean")
    assert_close(found_std, std.float(), name="std")


def some(rng, channels):
    return 2 * rng.randn(channels, dtype=torch.float64), 0.3 + 2 * rng.rand(channels, dtype=torch.float64)


@sample
@points(1)
def test_one_red_pixel(solution):
    """A picture of one row: red, and green at a fifth."""
    image = torch.tensor([[[255, 0, 0], [0, 51, 0]]], dtype=torch.uint8)
    expected = torch.tensor([[[1.0, 0.0]], [[0.0, 0.2]], [[0.0, 0.0]]])
    assert_close(solution.to_float_image(image), expected)


@sample
@points(1)
def test_zeros_and_fours(solution):
    """Three pixels of 0 and one of 4: mean 1, variance 3."""
    batches = [torch.zeros(3, 1, 1, 1), torch.full((1, 1, 1, 1), 4.0)]
    mean, std = statistics(solution.channel_statistics(batches))
    assert_close(mean, torch.tensor([1.0]), name="mean")
    assert_close(std, torch.tensor([3.0]).sqrt(), name="std")


@sample
@points(1)
def test_constant_channel(solution):
    """The second channel is constant: it becomes 0, and comes back."""
    x = torch.tensor([[[1.0, 3.0]], [[5.0, 5.0]]])
    mean, std = torch.tensor([2.0, 5.0]).double(), torch.tensor([1.0, 0.0]).double()
    z = solution.normalize(x, mean, std)
    assert_close(z, torch.tensor([[[-1.0, 1.0]], [[0.0, 0.0]]]))
    assert_close(solution.denormalize(z, mean, std), x)


@points(2)
@pytest.mark.parametrize("shape", [(5, 7, 3), (3, 3, 3), (2, 3, 1), (1, 4, 4)], ids=["wide", "cube", "grey", "row"])
def test_bytes_to_floats(solution, rng, shape):
    """A pixel is in the wrong place or has the wrong value: which axis moves, and what is divided by what?"""
    image = rng.randint(0, 256, shape).to(torch.uint8)
    expected = torch.stack([image[:, :, c] for c in range(shape[2])]).double().div(255).float()
    assert_close(solution.to_float_image(image), expected)


@points(1)
def test_every_byte(solution):
    """A byte is off by more than rounding: all of the arithmetic should be in float32, by 255 itself."""
    image = torch.arange(256).to(torch.uint8).reshape(16, 16, 1)
    expected = (torch.arange(256, dtype=torch.float64) / 255).float().reshape(1, 16, 16)
    # 2e-7 is three units in the last place of 1: a product with the rounded 1 / 255 passes
    assert_close(solution.to_float_image(image), expected, rtol=0.0, atol=2e-7)


@points(1)
def test_a_view_of_bytes(solution, rng):
    """A picture that is a transposed view gives the same pixels."""
    image = rng.randint(0, 256, (3, 6, 5)).to(torch.uint8).permute(1, 2, 0)
    expected = torch.stack([image[:, :, c] for c in range(3)]).double().div(255).float()
    assert_close(solution.to_float_image(image), expected)


@points(2)
@DTYPES
@pytest.mark.parametrize("sizes", [[4, 4, 4], [5, 2, 7], [1]], ids=["equal", "unequal", "one"])
def test_statistics_of_batches(solution, rng, sizes, dtype):
    """Mean or deviation differ from those of all pixels together: averages of averages lose something."""
    batches = [(1 + i) * rng.randn(n, 3, 4, 5, dtype=dtype) + i - 1 for i, n in enumerate(sizes)]
    check_statistics(solution.channel_statistics(batches), batches)


@points(2)
def test_pictures_of_different_sizes(solution, rng):
    """Each pixel counts the same, also if the pictures of one batch are larger."""
    batches = [rng.randn(2, 2, 3, 3), 5 + rng.randn(2, 2, 7, 9), rng.randn(1, 2, 1, 2) - 3]
    check_statistics(solution.channel_statistics(batches), batches)


@points(2)
def test_large_mean(solution, rng):
    """With a mean of a thousand deviations the digits run out: in which dtype do you add up?"""
    batches = [(300.0 + 0.3 * rng.randn(4, 2, 6, 5, dtype=torch.float64)) for _ in range(3)]
    check_statistics(solution.channel_statistics(batches), batches)
    narrow = [batch.float() for batch in batches]
    check_statistics(solution.channel_statistics(narrow), narrow)


@points(2)
def test_statistics_of_constant_channels(solution, rng):
    """A constant channel has a deviation of nearly 0, and rounding must not make it NaN."""
    values = torch.tensor([rng.uniform(0.05, 0.95) for _ in range(40)])
    batches = [values.view(1, 40, 1, 1).expand(n, 40, 3, 7) for n in (2, 5, 3)]
    mean, std = statistics(solution.channel_statistics(batches))
    assert_close(mean, values, name="mean")
    check(bool((std < 1e-6).all()) and bool((std >= 0).all()), "a constant channel must have a deviation below 1e-6")


@points(1)
def test_read_once(probes, rng):
    """A generator gives its batches once: go through them in one loop."""
    batches = [rng.randn(n, 2, 3, 4) for n in (3, 1, 2)]
    check_statistics(probes.from_a_generator(batches), batches)


@points(2)
@DTYPES
@pytest.mark.parametrize("shape", [(3, 5, 7), (4, 2, 3, 5), (3, 3, 3, 3)], ids=["picture", "batch", "square"])
def test_normalizing(solution, rng, shape, dtype):
    """Values differ: along which axis do the statistics go, and what is their dtype?"""
    x, (mean, std) = 3 * rng.randn(*shape, dtype=dtype), some(rng, shape[-3])
    channels = [(x.select(-3, c).double() - mean[c]) / std[c] for c in range(shape[-3])]
    assert_close(solution.normalize(x, mean, std), torch.stack(channels, -3).to(dtype))


@points(2)
@DTYPES
@pytest.mark.parametrize("shape", [(3, 5, 7), (4, 2, 3, 5), (3, 3, 3, 3)], ids=["picture", "batch", "square"])
def test_back(solution, rng, shape, dtype):
    """The inverse multiplies first and adds afterwards, with the same statistics."""
    z, (mean, std) = rng.randn(*shape, dtype=dtype), some(rng, shape[-3])
    channels = [z.select(-3, c).double() * std[c] + mean[c] for c in range(shape[-3])]
    assert_close(solution.denormalize(z, mean, std), torch.stack(channels, -3).to(dtype))


@points(2)
@DTYPES
def test_nearly_constant_channels(solution, rng, dtype):
    """A deviation below 1e-6 counts as 1, in both directions, and one above does not."""
    x = rng.randn(2, 4, 3, 5, dtype=dtype)
    mean, std = rng.randn(4, dtype=torch.float64), torch.tensor([0.0, 5e-7, 1e-6, 2.0], dtype=torch.float64)
    used = torch.tensor([1.0, 1.0, 1e-6, 2.0], dtype=torch.float64)
    for c in range(4):
        one = slice(c, c + 1)
        x_c = x[:, one]
        expected = ((x_c.double() - mean[c]) / used[c]).to(dtype)
        z = solution.normalize(x_c, mean[one], std[one])
        assert_close(z, expected, name="normalized")
        back = (expected.double() * used[c] + mean[c]).to(dtype)
        assert_close(solution.denormalize(expected, mean[one], std[one]), back, name="back")


@points(1)
@DTYPES
def test_constant_among_others(solution, rng, dtype):
    """Each channel is looked at for itself: a constant one changes nothing for the others."""
    x = rng.randn(2, 3, 4, 5, dtype=dtype)
    mean, std = rng.randn(3, dtype=torch.float64), torch.tensor([2.0, 5e-7, 0.5], dtype=torch.float64)
    used = torch.tensor([2.0, 1.0, 0.5], dtype=torch.float64)[:, None, None]
    z = ((x.double() - mean[:, None, None]) / used).to(dtype)
    assert_close(solution.normalize(x, mean, std), z, name="normalized")
    assert_close(solution.denormalize(z, mean, std), x, name="back")


@points(2)
def test_gradients(solution, rng):
    """A gradient differs: is the input detached, or turned into numbers, on the way?"""
    mean, std = some(rng, 3)
    x = rng.randn(2, 3, 4, 5, dtype=torch.float64).requires_grad_()
    assert_same_gradients(
        lambda t: solution.normalize(t, mean, std),
        lambda t: (t - mean[:, None, None]) / std[:, None, None],
        x,
    )
    assert_same_gradients(
        lambda t: solution.denormalize(t, mean, std),
        lambda t: t * std[:, None, None] + mean[:, None, None],
        x,
    )


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Pictures, batches and statistics belong to the caller."""
    mean, std = some(rng, 2)
    std[0] = 0.0
    x = rng.randn(3, 2, 4, 5, dtype=torch.float64)
    assert_not_mutated(solution.to_float_image, rng.randint(0, 256, (4, 3, 2)).to(torch.uint8))
    assert_not_mutated(solution.channel_statistics, [x, x + 1])
    assert_not_mutated(solution.normalize, x, mean, std)
    assert_not_mutated(solution.denormalize, x, mean, std)
