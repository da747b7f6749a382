"""Hidden tests: patches, positions and tokens of a vision transformer."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64


def slices(images, p):
    """Patches as slices of the image, in the order of the statement."""
    H, W = images.shape[2:]
    cut = [images[:, :, y : y + p, x : x + p] for y in range(0, H, p) for x in range(0, W, p)]
    return torch.stack([piece.flatten(1) for piece in cut], 1)


def cubic(old, new, dtype):
    """The matrix of a bicubic resize of one axis, with a = -0.75 and edges repeated."""
    a, result = -0.75, torch.zeros(new, old, dtype=F64)
    for i in range(new):
        source = (i + 0.5) * old / new - 0.5
        first = math.floor(source)
        for j in range(first - 1, first + 3):
            t = abs(source - j)
            near = (a + 2) * t**3 - (a + 3) * t**2 + 1
            far = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
            result[i, min(max(j, 0), old - 1)] += near if t <= 1 else far
    return result.to(dtype)


def resized(pos, old, new):
    grid = pos[1:].reshape(*old, -1)
    grid = torch.einsum("yh,hwd->ywd", cubic(old[0], new[0], pos.dtype), grid)
    grid = torch.einsum("xw,ywd->yxd", cubic(old[1], new[1], pos.dtype), grid)
    return torch.cat([pos[:1], grid.flatten(0, 1)])


def by_convolution(images, weight, bias, cls, pos, grid):
    features = F.conv2d(images, weight, bias, stride=weight.shape[-1])
    new = tuple(features.shape[2:])
    tokens = torch.cat([cls.expand(len(images), 1, -1), features.flatten(2).mT], 1)
    return tokens + (pos if new == tuple(grid) else resized(pos, grid, new))


def draw(rng, B, C, size, p, d, grid, dtype=F64):
    """images, weight, bias, cls, pos."""
    return (
        rng.randn(B, C, *size, dtype=dtype),
        rng.randn(d, C, p, p, dtype=dtype),
        rng.randn(d, dtype=dtype),
        rng.randn(d, dtype=dtype),
        rng.randn(1 + grid[0] * grid[1], d, dtype=dtype),
    )


@sample
def test_worked_example(solution):
    """The worked example of the statement is off: two patches side by side, the class token in front, positions added to all."""
    image = torch.arange(8.0).view(1, 1, 2, 4)
    patches = torch.tensor([[[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0]]])
    assert_close(solution.patchify(image, 2), patches, name="patches")
    bias, cls, pos = torch.tensor([100.0]), torch.tensor([-1.0]), torch.tensor([[0.5], [1.0], [2.0]])
    tokens = solution.embed(image, torch.ones(1, 1, 2, 2), bias, cls, pos, (1, 2))
    assert_close(tokens, torch.tensor([[[-0.5], [111.0], [120.0]]]), name="tokens")


@sample
def test_order_inside_a_patch(solution):
    """A patch is flattened by channel, then row, then column, as the weight of a convolution is."""
    image = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]]]])
    assert_close(solution.patchify(image, 2), torch.tensor([[[1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0]]]))


@sample
def test_positions_of_a_wider_image(solution, rng, exhibit):
    """A row of four positions stretched to eight is off: compare with the bicubic kernel, and leave the class token's alone."""
    pos = rng.randn(5, 3)
    actual = solution.resize_positions(pos, (1, 4), (1, 8))
    exhibit.difference("positions of a grid of 1 x 8", actual, resized(pos, (1, 4), (1, 8)))
    assert_close(actual, resized(pos, (1, 4), (1, 8)))


@sample
def test_pixels_that_do_not_fit(solution, rng):
    """A height or a width that the patch size does not divide raises ValueError; pixels are not dropped silently."""
    for size in ((6, 8), (8, 6), (7, 7)):
        images, weight, bias, cls, pos = draw(rng, 1, 2, size, 4, 3, (2, 2), F32)
        with pytest.raises(ValueError):
            solution.patchify(images, 4)
        with pytest.raises(ValueError):
            solution.embed(images, weight, bias, cls, pos, (2, 2))


PATCHES = {  # shape of images, patch, dtype
    "wide": ((2, 3, 4, 10), 2, F64),
    "tall": ((1, 2, 9, 3), 3, F32),
    "square": ((2, 2, 6, 6), 3, F64),
    "single-pixels": ((2, 3, 3, 4), 1, F64),
    "one-patch": ((3, 2, 5, 5), 5, F64),
    "everything-equal": ((2, 2, 4, 4), 2, F64),
}


@points(2)
@pytest.mark.parametrize("name", PATCHES)
def test_patches(solution, rng, name):
    """Patches, or the gradient of the image, differ from slices of the image: which axes were merged with which?"""
    shape, p, dtype = PATCHES[name]
    images = rng.randn(*shape, dtype=dtype)
    assert_same_gradients(lambda x: solution.patchify(x, p), lambda x: slices(x, p), (images,), names=["images"])


@points(1)
def test_each_pixel_once(solution, rng):
    """Cutting loses nothing and repeats nothing: each pixel must appear in exactly one patch, at its own item of the batch."""
    images = rng.permutation(2 * 3 * 6 * 4).float().view(2, 3, 6, 4)
    patches = solution.patchify(images, 2)
    check(patches.shape == (2, 6, 12), "patches: the shape is wrong")
    assert_close(patches.flatten(1).sort(1).values, images.flatten(1).sort(1).values, name="sorted pixels")


GRIDS = {  # old, new, d
    "larger": ((3, 3), (5, 5), 4),
    "smaller": ((6, 5), (2, 3), 3),
    "square-to-wide": ((4, 4), (3, 7), 5),
    "as-many-cells": ((2, 6), (3, 4), 3),
    "turned": ((2, 5), (5, 2), 2),
    "one-axis": ((3, 11), (3, 15), 3),  # 11 * (15 / 11) is below 15 in floating point
    "from-one-cell": ((1, 1), (2, 3), 3),
    "as-wide-as-features": ((4, 4), (2, 2), 4),
}


@points(3)
@pytest.mark.parametrize("name", GRIDS)
def test_resized_positions(solution, rng, name):
    """Resized positions, or their gradient, are off: rows stay rows, each feature is an image, and the kernel is bicubic."""
    old, new, d = GRIDS[name]
    pos = rng.randn(1 + old[0] * old[1], d, dtype=F64)
    assert_same_gradients(
        lambda pos: solution.resize_positions(pos, old, new), lambda pos: resized(pos, old, new), (pos,), names=["pos"]
    )


@points(2)
def test_what_resizing_keeps(solution, rng):
    """The same grid changes nothing, equal positions stay equal, and the class token's position never moves."""
    for old, new in (((3, 4), (3, 4)), ((3, 4), (5, 6)), ((5, 2), (1, 3))):
        pos = rng.randn(1 + old[0] * old[1], 3)
        out = solution.resize_positions(pos, old, new)
        check(out.shape == (1 + new[0] * new[1], 3), "resized positions: the shape is wrong")
        check(torch.equal(out[0], pos[0]), "the position of the class token was changed")
        if old == new:
            assert_close(out, pos, name="positions of the same grid")
        pos[1:] = rng.randn(3)
        constant = solution.resize_positions(pos, old, new)
        assert_close(constant[1:], pos[1:2].expand(new[0] * new[1], 3), name="equal positions")


@points(1)
def test_positions_of_another_grid(solution, rng):
    """Positions that do not belong to the old grid raise ValueError: the class token's is one of them."""
    for rows, old in ((12, (3, 4)), (14, (3, 4)), (1, (1, 1)), (17, (2, 4))):
        with pytest.raises(ValueError):
            solution.resize_positions(rng.randn(rows, 3), old, (2, 2))


IMAGES = {  # B, C, size, p, d, grid, dtype
    "own-grid": (2, 3, (4, 6), 2, 5, (2, 3), F64),
    "wider": (2, 3, (6, 12), 3, 4, (2, 2), F64),
    "turned": (1, 2, (4, 6), 2, 3, (3, 2), F64),
    "one-patch": (3, 1, (4, 4), 4, 2, (2, 2), F64),
    "single-pixels": (2, 2, (3, 5), 1, 4, (3, 5), F64),
    "batch-of-features": (3, 3, (9, 9), 3, 3, (3, 3), F64),
    "float32": (2, 3, (8, 4), 2, 6, (2, 2), F32),
}


@points(3)
@pytest.mark.parametrize("name", IMAGES)
def test_tokens(solution, rng, name):
    """Tokens, or a gradient, differ from a convolution with a class token and positions: check each of the five tensors."""
    B, C, size, p, d, grid, dtype = IMAGES[name]
    assert_same_gradients(
        lambda *tensors: solution.embed(*tensors, grid),
        lambda *tensors: by_convolution(*tensors, grid),
        draw(rng, B, C, size, p, d, grid, dtype),
        names=("images", "weight", "bias", "cls", "pos"),
    )


@points(2)
def test_an_image_moved_by_one_patch(solution, rng):
    """An image rolled by a patch, down or to the right, must give the same tokens at rolled places of the grid."""
    images, weight, bias, cls, pos = draw(rng, 2, 3, (6, 8), 2, 5, (3, 4))
    pos = torch.zeros_like(pos)
    before = solution.embed(images, weight, bias, cls, pos, (3, 4))
    check(before.shape == (2, 13, 5), "tokens: the shape is wrong")
    cells = before[:, 1:].unflatten(1, (3, 4))
    for shift in ((1, 0), (0, 1), (2, 3)):
        moved = images.roll((2 * shift[0], 2 * shift[1]), (2, 3))
        after = solution.embed(moved, weight, bias, cls, pos, (3, 4))
        assert_close(after[:, 1:], cells.roll(shift, (1, 2)).flatten(1, 2))
        assert_close(after[:, 0], cls.expand(2, 5), name="class token")


@points(1)
def test_black_images(solution, rng):
    """A black image leaves bias and position for each patch, and the class token with its position, without a bias."""
    images, weight, bias, cls, pos = draw(rng, 2, 3, (4, 6), 2, 5, (2, 3), F32)
    out = solution.embed(torch.zeros_like(images), weight, bias, cls, pos, (2, 3))
    expected = torch.cat([cls + pos[:1], bias + pos[1:]])
    assert_close(out, expected.expand(2, 7, 5))


@points(1)
def test_layouts(solution, rng):
    """Images with channels last, transposed weights and sliced positions are ordinary inputs: assume nothing about strides."""
    images, weight, bias, cls, pos = draw(rng, 2, 3, (4, 6), 2, 5, (3, 2))
    args = (
        images.contiguous(memory_format=torch.channels_last),
        weight.mT.contiguous().mT,
        torch.stack([bias, cls], 1)[:, 0],
        cls,
        pos.repeat(1, 2)[:, :5],
    )
    assert_close(solution.embed(*args, (3, 2)), by_convolution(images, weight, bias, cls, pos, (3, 2)))
    assert_close(solution.patchify(images.transpose(2, 3), 2), slices(images.transpose(2, 3), 2))
    assert_close(solution.resize_positions(pos.T.contiguous().T, (3, 2), (2, 2)), resized(pos, (3, 2), (2, 2)))


@points(1)
def test_nothing_is_changed_or_remembered(solution, rng):
    """Inputs stay as they are, equal calls give equal results, and other values give other results."""
    for grid in ((2, 3), (3, 3), (2, 3)):
        inputs = draw(rng, 2, 3, (4, 6), 2, 5, grid, F32)
        assert_close(assert_not_mutated(solution.embed, *inputs, grid), by_convolution(*inputs, grid))
        assert_close(assert_not_mutated(solution.patchify, inputs[0], 2), slices(inputs[0], 2))
        pos = assert_not_mutated(solution.resize_positions, inputs[4], grid, (4, 2))
        assert_close(pos, resized(inputs[4], grid, (4, 2)))
    assert_deterministic(solution.embed, *inputs, grid)
