"""Hidden tests: five filters against loops over pixels, in Python's whole numbers."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, points, sample

U8, I64 = torch.uint8, torch.int64
SIZES = [(5, 7), (4, 3), (1, 6), (5, 1), (1, 1), (2, 2)]
EACH_SIZE = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def each_image(f, image, last=2):
    """The function applied to each image of a batch, as nested Python lists."""
    if image.dim() == last:
        return f(image.tolist())
    return torch.stack([each_image(f, one, last) for one in image])


def true_grey(image):
    def one(c):
        rows, columns = range(len(c[0])), range(len(c[0][0]))
        values = [
            [(299 * c[0][i][j] + 587 * c[1][i][j] + 114 * c[2][i][j] + 500) // 1000 for j in columns] for i in rows
        ]
        return torch.tensor(values, dtype=U8)

    return each_image(one, image, 3)


def true_threshold(image, level):
    return each_image(lambda g: torch.tensor([[255 if v >= level else 0 for v in row] for row in g], dtype=U8), image)


def true_histogram(image, bins=256):
    def one(g):
        counts = [0] * bins
        for row in g:
            for v in row:
                counts[v * bins // 256] += 1
        return torch.tensor(counts)

    return each_image(one, image)


def true_blur(image, radius):
    def pixel(g, i, j):
        rows = g[max(i - radius, 0) : i + radius + 1]
        window = [v for row in rows for v in row[max(j - radius, 0) : j + radius + 1]]
        return (2 * sum(window) + len(window)) // (2 * len(window))

    return each_image(
        lambda g: torch.tensor([[pixel(g, i, j) for j in range(len(g[0]))] for i in range(len(g))], dtype=U8), image
    )


def true_edges(image):
    kernel = ((-1, 0, 1), (-2, 0, 2), (-1, 0, 1))

    def pixel(g, i, j):
        h, w = len(g), len(g[0])
        near = [[g[min(max(i + a, 0), h - 1)][min(max(j + b, 0), w - 1)] for b in (-1, 0, 1)] for a in (-1, 0, 1)]
        gx = sum(kernel[a][b] * near[a][b] for a in range(3) for b in range(3))
        gy = sum(kernel[b][a] * near[a][b] for a in range(3) for b in range(3))
        return min(255, abs(gx) + abs(gy))

    return each_image(
        lambda g: torch.tensor([[pixel(g, i, j) for j in range(len(g[0]))] for i in range(len(g))], dtype=U8), image
    )


def drawn(rng, *shape):
    """A random image, a dark one, a bright one and one with two values."""
    yield rng.randint(0, 256, shape).to(U8)
    yield rng.randint(0, 12, shape).to(U8)
    yield rng.randint(240, 256, shape).to(U8)
    yield (255 * rng.randint(0, 2, shape)).to(U8)


@sample
@points(1)
def test_grey_by_hand(solution):
    """Weights of 299, 587 and 114 thousandths, rounded: 255, 100 and 7 give 136, not what is left after wrapping around."""
    image = torch.tensor([255, 100, 7], dtype=U8).view(3, 1, 1)
    assert_close(solution.grey(image), torch.tensor([[136]], dtype=U8))


@sample
@points(1)
def test_blur_by_hand(solution):
    """The first window holds 10 and 13, whose mean 11.5 is rounded to 12; the second all three numbers."""
    image = torch.tensor([[10, 13, 200]], dtype=U8)
    assert_close(solution.box_blur(image, 1), torch.tensor([[12, 74, 107]], dtype=U8))


@sample
@points(1)
def test_edges_by_hand(solution):
    """A step of 50 from column to column gives (1 + 2 + 1) · 50 = 200 beside it; the border repeats the outermost pixel."""
    image = torch.tensor([[0, 0, 50, 50]] * 3, dtype=U8)
    assert_close(solution.edges(image), torch.tensor([[0, 200, 200, 0]] * 3, dtype=U8))


@points(2)
@EACH_SIZE
def test_grey(solution, rng, size):
    """A byte of the grey image differs: the weights, the order of the colours, the rounding or the arithmetic of bytes."""
    for image in drawn(rng, 3, *size):
        assert_close(solution.grey(image), true_grey(image))


@points(2)
def test_grey_of_single_colours(solution):
    """Every brightness of a single colour, and of all three: the products are larger than a byte."""
    for channels in ([0], [1], [2], [0, 1, 2]):
        image = torch.zeros(3, 1, 256, dtype=U8)
        image[channels] = torch.arange(256, dtype=U8)
        assert_close(solution.grey(image), true_grey(image))


@points(2)
@pytest.mark.parametrize("level", [-300, -1, 0, 1, 127, 128, 255, 256, 383, 1000])
def test_threshold(solution, rng, level):
    """At the level itself a pixel is white; a level outside of the bytes makes all of them white, or none."""
    image = torch.cat([torch.arange(256).view(16, 16), rng.randint(0, 256, (3, 16))]).to(U8)
    assert_close(solution.threshold(image, level), true_threshold(image, level))


@points(2)
@pytest.mark.parametrize("bins", [256, 1, 2, 3, 10, 255, 300, 1000])
def test_histogram(solution, rng, bins):
    """A count differs: which bin does a pixel belong to, and is there a count for each bin that nobody is in?"""
    for image in drawn(rng, 6, 5):
        assert_close(solution.histogram(image, bins), true_histogram(image, bins))
    every = torch.arange(256).view(16, 16).to(U8)
    assert_close(solution.histogram(every, bins), true_histogram(every, bins))


@points(1)
def test_histogram_of_bytes(solution, rng):
    """Without a second argument there are 256 bins, one for each byte, also if the image is dark."""
    for image in drawn(rng, 4, 7):
        assert_close(solution.histogram(image), true_histogram(image))


@points(1)
def test_many_equal_pixels(solution):
    """Counts, sums and products are larger than a byte, and than two: large images of one value."""
    image = torch.full((300, 300), 255, dtype=U8)
    assert_close(solution.histogram(image, 2), torch.tensor([0, 90000]))
    assert_close(solution.box_blur(image[:40, :40], 39), image[:40, :40])


@points(3)
@EACH_SIZE
@pytest.mark.parametrize("radius", [0, 1, 2, 9])
def test_box_blur(solution, rng, size, radius):
    """A mean differs: at the border fewer pixels count, halves are rounded up, and a window may cover the whole image."""
    for image in drawn(rng, *size):
        assert_close(solution.box_blur(image, radius), true_blur(image, radius))


@points(3)
@EACH_SIZE
def test_edges(solution, rng, size):
    """A strength differs: both directions count, beyond 255 it stays 255, and the border repeats the outermost pixel."""
    for image in drawn(rng, *size):
        assert_close(solution.edges(image), true_edges(image))
        assert_close(solution.edges(image // 16), true_edges(image // 16))


@points(2)
def test_symmetries(solution, rng):
    """Blur and edges do the same for a transposed or mirrored image, and edges for its negative."""
    image = rng.randint(0, 64, (5, 8)).to(U8)
    for name, extra in (("box_blur", (2,)), ("edges", ())):
        found = getattr(solution, name)(image, *extra)
        assert_close(
            getattr(solution, name)(image.T.contiguous(), *extra), found.T, name="result for the transposed image"
        )
        assert_close(
            getattr(solution, name)(image.flip(0, 1), *extra), found.flip(0, 1), name="result for the mirrored image"
        )
    assert_close(solution.edges(255 - image), solution.edges(image), name="edges of the negative")


@points(2)
@pytest.mark.parametrize("leading", [(), (1,), (2,), (2, 3)], ids=str)
def test_batches(solution, rng, leading):
    """Images of a batch do not mix: each has its own counts and its own border."""
    colour, image = rng.randint(0, 256, (*leading, 3, 4, 5)).to(U8), rng.randint(0, 256, (*leading, 4, 5)).to(U8)
    assert_close(solution.grey(colour), true_grey(colour), name="grey")
    assert_close(solution.threshold(image, 90), true_threshold(image, 90), name="threshold")
    assert_close(solution.histogram(image, 7), true_histogram(image, 7), name="histogram")
    assert_close(solution.box_blur(image, 1), true_blur(image, 1), name="box_blur")
    assert_close(solution.edges(image), true_edges(image), name="edges")


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Views are ordinary images, and no image is changed."""
    colour = rng.randint(0, 256, (4, 10, 3)).to(U8).permute(2, 0, 1)[:, :, ::2]
    assert_close(assert_not_mutated(solution.grey, colour), true_grey(colour))
    image = rng.randint(0, 256, (10, 4)).to(U8).T[:, ::2]
    assert_close(assert_not_mutated(solution.threshold, image, 90), true_threshold(image, 90))
    assert_close(assert_not_mutated(solution.histogram, image, 7), true_histogram(image, 7))
    assert_close(assert_not_mutated(solution.box_blur, image, 1), true_blur(image, 1))
    assert_close(assert_not_mutated(solution.edges, image), true_edges(image))


@points(1)
def test_wrong_arguments(solution):
    """Fewer than one bin and a negative radius are a ValueError."""
    image = torch.zeros(3, 3, dtype=U8)
    for bins in (0, -4):
        with pytest.raises(ValueError):
            solution.histogram(image, bins)
    with pytest.raises(ValueError):
        solution.box_blur(image, -1)
