"""Hidden tests: convolution of stride 1 with zeros around the images."""

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def by_hand(x, w, padding=0):
    """Adds up one place in the kernel after the other, in float64."""
    images, channels, height, width = x.shape
    padded = torch.zeros(images, channels, height + 2 * padding, width + 2 * padding, dtype=F64)
    padded[:, :, padding : padding + height, padding : padding + width] = x
    rows, columns = padded.shape[2] - w.shape[2] + 1, padded.shape[3] - w.shape[3] + 1
    out = torch.zeros(images, len(w), rows, columns, dtype=F64)
    for i in range(w.shape[2]):
        for j in range(w.shape[3]):
            part = padded[:, :, i : i + rows, j : j + columns]
            out += torch.einsum("oc,nchw->nohw", w[:, :, i, j].to(F64), part)
    return out.to(x.dtype)


def compare(solution, x, w, *padding):
    assert_close(solution.convolve(x, w, *padding), by_hand(x, w, *padding), scale=2.0)


@sample
@points(1)
def test_by_hand(solution):
    """Two pixels side by side, weighted 1 and 10: the kernel is not mirrored."""
    x = torch.arange(9.0).view(1, 1, 3, 3)
    found = solution.convolve(x, torch.tensor([[[[1.0, 10.0]]]]))
    assert_close(found, torch.tensor([[[[10.0, 21.0], [43.0, 54.0], [76.0, 87.0]]]]))


@sample
@points(1)
def test_padding_by_hand(solution):
    """A kernel of ones over one padded pixel gives the pixel wherever the kernel covers it."""
    found = solution.convolve(torch.full((1, 1, 1, 1), 5.0), torch.ones(1, 1, 2, 2), 1)
    assert_close(found, torch.full((1, 1, 2, 2), 5.0))


@sample
@points(1)
def test_two_images(solution, rng, exhibit):
    """Values differ for two images of three channels, with four kernels of 2 x 3."""
    x, w = rng.randn(2, 3, 4, 5), rng.randn(4, 3, 2, 3)
    found = solution.convolve(x, w)
    exhibit.difference("two images, four kernels", found, by_hand(x, w))
    compare(solution, x, w)


SIZES = {  # N, C, H, W, O, kh, kw, padding
    "one-of-each": (1, 1, 1, 1, 1, 1, 1, 0),
    "kernel-of-one": (2, 3, 4, 5, 4, 1, 1, 0),
    "whole-image": (2, 3, 5, 4, 3, 5, 4, 0),
    "wide-kernel": (1, 2, 5, 9, 3, 2, 5, 0),
    "tall-kernel": (3, 1, 9, 5, 2, 4, 1, 0),
    "padded": (2, 4, 6, 5, 3, 3, 3, 1),
    "much-padding": (1, 2, 3, 4, 2, 3, 2, 3),
    "larger-than-the-image": (2, 2, 2, 3, 5, 5, 4, 2),
    "many-channels": (2, 17, 7, 7, 11, 3, 3, 1),
    "many-pixels": (2, 3, 37, 21, 4, 3, 3, 1),
}


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("name", SIZES)
def test_sizes(solution, rng, name, dtype):
    """Values differ for some sizes: images, channels, kernels, heights and widths are independent of each other."""
    images, channels, height, width, kernels, kh, kw, padding = SIZES[name]
    x = rng.randn(images, channels, height, width, dtype=dtype)
    compare(solution, x, rng.randn(kernels, channels, kh, kw, dtype=dtype), padding)


@points(2)
def test_padding_is_optional(solution, rng):
    """Without the argument there is no padding, and with it, each side gets as many zeros as it says."""
    x, w = rng.randn(1, 2, 6, 7), rng.randn(3, 2, 3, 2)
    compare(solution, x, w)
    for padding in (0, 1, 2):
        compare(solution, x, w, padding)


@points(2)
def test_a_kernel_that_shifts(solution, rng):
    """A kernel with a single 1 moves the image: rows by rows, columns by columns."""
    x = rng.randn(1, 1, 6, 8)
    for i, j in ((0, 0), (2, 1), (1, 3)):
        w = torch.zeros(1, 1, 3, 4)
        w[0, 0, i, j] = 1.0
        assert_close(solution.convolve(x, w), x[:, :, i : i + 4, j : j + 5].contiguous())


@points(2)
def test_images_and_kernels_keep_their_order(solution, rng):
    """Images in another order give results in that order, and so do kernels."""
    x, w = rng.randn(4, 2, 5, 6, dtype=F64), rng.randn(4, 2, 3, 2, dtype=F64)
    found = solution.convolve(x, w, 1)
    order = torch.tensor([2, 0, 3, 1])
    assert_close(solution.convolve(x[order], w, 1), found[order], name="other images")
    assert_close(solution.convolve(x, w[order], 1), found[:, order], name="other kernels")


@points(2)
def test_linear(solution, rng):
    """The result is linear in the images: the sum of two, one of them negative and large."""
    x, y = -rng.rand(2, 2, 5, 5, dtype=F64), 1e5 * rng.randn(2, 2, 5, 5, dtype=F64)
    w = rng.randn(3, 2, 3, 3, dtype=F64)
    compare(solution, x, w, 1)
    compare(solution, y, w, 1)
    assert_close(solution.convolve(x + y, w, 1), solution.convolve(x, w, 1) + solution.convolve(y, w, 1))


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    x, w = rng.randn(2, 5, 7, 3).permute(0, 3, 1, 2), rng.randn(4, 3, 3, 6)[..., ::2]
    found = assert_not_mutated(solution.convolve, x, w, 1)
    assert_close(found, by_hand(x, w, 1), scale=2.0)
    compare(solution, -x, w, 1)
    assert_deterministic(solution.convolve, x, w, 1)


@points(1)
@pytest.mark.parametrize("new_tensors", [False, True], ids=["written-over", "new-tensors"])
def test_other_values_at_the_same_address(probes, rng, new_tensors):
    """A result is computed from values of an earlier call: other values may be in the same tensor, or at the same address."""
    pairs = [(rng.randn(2, 3, 5, 6), rng.randn(4, 3, 3, 2)) for _ in range(2)]
    first, second = probes.at_one_address(pairs, new_tensors)
    assert_close(first, by_hand(*pairs[0], 1), scale=2.0, name="result of the first call")
    assert_close(second, by_hand(*pairs[1], 1), scale=2.0, name="result for other values at the same address")
