"""Hidden tests: dimensions merged and split."""

import itertools

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

# (how to make x, start, end): the strides of x permit a view
FREE = {
    "contiguous": (lambda rng: rng.randn(2, 3, 4, 2), 1, 2),
    "narrowed": (lambda rng: rng.randn(2, 3, 8)[:, :, 1:5], 0, 1),
    "every-other": (lambda rng: rng.randn(6, 3, 4)[::2], 1, 2),
    "stepped": (lambda rng: rng.randn(2, 3, 8)[:, :, ::2], 0, 2),
    "permuted": (lambda rng: rng.randn(4, 2, 3).permute(1, 2, 0), 0, 1),
    "expanded": (lambda rng: rng.randn(1, 1, 3).expand(4, 5, 3), 0, 1),
    "size-one": (lambda rng: rng.randn(5, 1, 3).transpose(0, 1), 0, 1),
    "same": (lambda rng: rng.randn(3, 4).t(), 1, 1),
}
# the numbers have to move
MOVED = {
    "transposed": (lambda rng: rng.randn(4, 3).t(), 0, 1),
    "narrowed": (lambda rng: rng.randn(3, 6)[:, :4], 0, 1),
    "expanded": (lambda rng: rng.randn(3, 1).expand(3, 4), 0, 1),
    "permuted": (lambda rng: rng.randn(2, 3, 4).permute(0, 2, 1), 1, 2),
}


def by_hand(x, start, end):
    """The merged values, index by index."""
    sizes = x.shape[start : end + 1]
    parts = [x[(slice(None),) * start + at] for at in itertools.product(*(range(n) for n in sizes))]
    return torch.stack(parts, start)


def shares(out, x):
    return bool(out.untyped_storage().data_ptr() == x.untyped_storage().data_ptr())


@sample
def test_merge_three_dimensions(solution):
    """Merging the first two dimensions of (2, 3, 2) gives (6, 2); both ends are included."""
    x = torch.arange(12).reshape(2, 3, 2)
    assert_close(solution.merge_dims(x, 0, 1), torch.arange(12).reshape(6, 2))


@sample
@attested
def test_merge_shares_memory(solution):
    """Merging dimensions of a contiguous tensor needs no copy."""
    x = torch.arange(12).reshape(2, 3, 2)
    check(shares(solution.merge_dims(x, 1, 2), x), "the result is a copy, and a view was possible")


@sample
def test_split_with_what_is_left(solution):
    """Splitting 6 into (2, -1) gives 2 and 3."""
    x = torch.arange(12).reshape(6, 2)
    assert_close(solution.split_dim(x, 0, (2, -1)), torch.arange(12).reshape(2, 3, 2))


@sample
def test_heads_of_two_positions(solution):
    """The first half of each position's features belongs to the first head."""
    x = torch.tensor([[[0, 1, 10, 11], [2, 3, 12, 13]]])
    expected = torch.tensor([[[[0, 1], [2, 3]], [[10, 11], [12, 13]]]])
    assert_close(solution.to_heads(x, 2), expected)
    assert_close(solution.from_heads(expected), x)


@attested
@points(2)
@pytest.mark.parametrize("case", FREE.values(), ids=FREE.keys())
def test_merge_without_a_copy(solution, rng, case):
    """Where strides permit a view there must be no copy; a tensor need not be contiguous for that."""
    make, start, end = case
    x = make(rng)
    out = solution.merge_dims(x, start, end)
    assert_close(out, by_hand(x, start, end))
    check(shares(out, x), "the result is a copy, and a view was possible")


@points(2)
@pytest.mark.parametrize("case", MOVED.values(), ids=MOVED.keys())
def test_merge_with_a_copy(solution, rng, case):
    """Where no strides describe the merged dimension, the numbers must be copied in row-major order."""
    make, start, end = case
    x = make(rng)
    assert_close(solution.merge_dims(x, start, end), by_hand(x, start, end))


@points(1)
def test_negative_dimensions(solution, rng):
    """Dimensions may be counted from the end, also a mixture of both."""
    x = rng.randint(0, 100, (2, 3, 4, 5))
    assert_close(solution.merge_dims(x, -2, -1), x.clone().view(2, 3, 20), name="merged -2 to -1")
    assert_close(solution.merge_dims(x, 1, -2), x.clone().view(2, 12, 5), name="merged 1 to -2")
    assert_close(solution.merge_dims(x, -4, -3), x.clone().view(6, 4, 5), name="merged -4 to -3")
    assert_close(solution.split_dim(x, -2, (2, 2)), x.clone().view(2, 3, 2, 2, 5), name="split -2")


@points(1)
@pytest.mark.parametrize(
    ("shape", "start", "end", "merged"),
    [((0, 3, 4), 1, 2, (0, 12)), ((2, 0, 4), 0, 1, (0, 4)), ((2, 3, 0), 0, 1, (6, 0))],
    ids=["outside-before", "inside", "outside-behind"],
)
def test_merge_nothing(solution, shape, start, end, merged):
    """A tensor without elements has merged sizes too: they are products, not what is left after a division."""
    assert_close(solution.merge_dims(torch.empty(shape), start, end), torch.empty(merged))


@points(1)
@pytest.mark.parametrize("dims", [(2, 1), (-1, 0)], ids=["positive", "mixed"])
def test_merge_refuses_reversed_dimensions(solution, dims):
    """start after end is a ValueError, after negative dimensions have been understood."""
    with pytest.raises(ValueError):
        solution.merge_dims(torch.zeros(2, 3, 4), *dims)


@points(1)
@pytest.mark.parametrize("entry", ["merge-end", "merge-start", "split"])
def test_dimensions_that_do_not_exist(solution, entry):
    """A dimension that does not exist is an IndexError."""
    x = torch.zeros(2, 3, 4)
    call, rest = {
        "merge-end": (solution.merge_dims, (0, 3)),
        "merge-start": (solution.merge_dims, (-4, 1)),
        "split": (solution.split_dim, (3, (1, -1))),
    }[entry]
    with pytest.raises(IndexError):
        call(x, *rest)


@attested
@points(2)
@pytest.mark.parametrize("layout", ["transposed", "stepped", "expanded"])
def test_split_is_a_view(solution, rng, layout):
    """Splitting one dimension never needs a copy: its parts have strides of their own, whatever the others look like."""
    x = {
        "transposed": lambda: rng.randn(12, 3).t(),
        "stepped": lambda: rng.randn(6, 36)[::2, ::3],
        "expanded": lambda: rng.randn(3, 1).expand(3, 12),
    }[layout]()
    out = solution.split_dim(x, 1, (2, 3, 2))
    assert_close(out, x.clone().contiguous().view(3, 2, 3, 2))
    check(shares(out, x), "the result is a copy; splitting never needs one")


@points(1)
@pytest.mark.parametrize(
    ("n", "sizes"),
    [(6, (5, 2)), (6, (4, -1)), (16, (2, 2, 2)), (6, (0, -1)), (0, (0, -1))],
    ids=["too-many", "indivisible", "too-few", "nothing-times-what", "anything"],
)
def test_split_refuses_other_products(solution, n, sizes):
    """Sizes that do not multiply to the size of the dimension are a ValueError, also where a -1 is among them."""
    with pytest.raises(ValueError):
        solution.split_dim(torch.zeros(2, n), 1, sizes)


@points(1)
def test_split_beside_nothing(solution):
    """What is left over is a matter of one dimension alone; a size of 0 is split like any other."""
    x = torch.empty(0, 6)
    assert_close(solution.split_dim(x, 1, (2, -1)), torch.empty(0, 2, 3), name="beside a size of 0")
    assert_close(solution.split_dim(x, 0, (0, 3)), torch.empty(0, 3, 6), name="0 into (0, 3)")
    assert_close(solution.split_dim(x, 0, (4, -1)), torch.empty(4, 0, 6), name="0 into (4, -1)")


@points(2)
def test_heads_of_random_features(solution, rng):
    """Follow one number: head h of position t holds the features h·d to (h+1)·d of position t, no others."""
    batch, tokens, heads, d = rng.integer(2, 4), rng.integer(3, 6), rng.integer(2, 5), rng.integer(2, 4)
    x = rng.randn(batch, tokens, heads * d, dtype=torch.float64)
    expected = torch.stack([x[:, :, h * d : (h + 1) * d] for h in range(heads)], 1)
    assert_close(solution.to_heads(x, heads), expected)
    assert_close(solution.from_heads(expected), x, name="from_heads")


@points(1)
@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4)], ids=["no-batch", "no-tokens"])
def test_heads_of_nothing(solution, shape):
    """A batch without elements has heads too: their number and size follow from the last dimension alone."""
    batch, tokens, _ = shape
    assert_close(solution.to_heads(torch.empty(shape), 2), torch.empty(batch, 2, tokens, 2), name="to_heads")
    assert_close(solution.from_heads(torch.empty(batch, 2, tokens, 2)), torch.empty(shape), name="from_heads")


@attested
@points(2)
@pytest.mark.parametrize("layout", ["contiguous", "tokens-first"])
def test_heads_are_views(solution, rng, layout):
    """Neither way round moves a number: to_heads is a view, and from_heads of its result is one again."""
    x = rng.randn(2, 5, 12) if layout == "contiguous" else rng.randn(5, 2, 12).transpose(0, 1)
    apart = solution.to_heads(x, 3)
    assert_close(apart, x.clone().contiguous().view(2, 5, 3, 4).transpose(1, 2), name="to_heads")
    check(shares(apart, x), "to_heads made a copy")
    together = solution.from_heads(apart)
    assert_close(together, x, name="from_heads(to_heads(x))")
    check(shares(together, x), "from_heads made a copy where the strides permit a view")


@points(1)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bool], ids=["float64", "bool"])
def test_dtypes(solution, rng, dtype):
    """The dtype of x stays, whatever it is."""
    x = rng.mask(4, 6).to(dtype)
    assert_close(solution.merge_dims(x, 0, 1), x.clone().view(24))
    assert_close(solution.split_dim(x, 0, (2, 2)), x.clone().view(2, 2, 6))


@points(2)
@pytest.mark.parametrize("entry", ["merge-view", "merge-copy", "split", "to_heads", "from_heads"])
def test_gradients(solution, reference, rng, entry):
    """Gradients must flow back to x through views and copies."""
    x = rng.randn(2, 3, 4, dtype=torch.float64)
    calls = {
        "merge-view": (lambda m: lambda t: m.merge_dims(t, 0, 1), x),
        "merge-copy": (lambda m: lambda t: m.merge_dims(t, 0, 1), x.transpose(0, 1)),
        "split": (lambda m: lambda t: m.split_dim(t, 2, (2, 2)), x),
        "to_heads": (lambda m: lambda t: m.to_heads(t, 2), x),
        "from_heads": (lambda m: m.from_heads, rng.randn(2, 3, 4, 2, dtype=torch.float64)),
    }
    call, inputs = calls[entry]
    assert_same_gradients(call(solution), call(reference), inputs)


@points(1)
def test_x_keeps_its_shape(solution, rng):
    """x keeps its shape, its strides and its values: no in-place transpose, no resize."""
    x = rng.randn(2, 3, 4)
    assert_not_mutated(solution.merge_dims, x, 0, 1)
    assert_not_mutated(solution.split_dim, x, 2, (2, 2))
    assert_not_mutated(solution.to_heads, x, 2)
    assert_not_mutated(solution.from_heads, rng.randn(2, 3, 4, 2))
