"""Hidden tests: strides."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

MANY = 120


def permuted(rng):
    x = torch.empty([rng.choice((1, 2, 2, 3, 4)) for _ in range(rng.integer(1, 5))])
    return x.permute(rng.permutation(x.dim()).tolist())


def sliced(rng):
    x = torch.empty([rng.choice((2, 4, 6)) for _ in range(rng.integer(1, 4))])
    steps = [rng.choice((slice(None), slice(None), slice(None, None, 2), slice(1, None))) for _ in range(x.dim())]
    return x[tuple(steps)]


def expanded(rng):
    sizes = [rng.choice((2, 3, 4)) for _ in range(rng.integer(1, 5))]
    return torch.empty([rng.choice((1, n)) for n in sizes]).expand(sizes)


def contiguous(rng):
    return torch.empty([rng.choice((1, 2, 3, 4)) for _ in range(rng.integer(0, 5))])


def mixed(rng):
    x = permuted(rng)
    x = x[tuple(slice(None, None, rng.choice((1, 1, 2))) for _ in range(x.dim()))]
    return x.unsqueeze(0).expand(rng.choice((1, 2)), *x.shape)


MAKERS = {f.__name__: f for f in (contiguous, permuted, sliced, expanded, mixed)}


def another_shape(rng, x):
    """Sizes of x split and merged at random, so that views are about as frequent as refusals."""
    sizes = list(x.shape)
    for _ in range(rng.integer(1, 4)):
        at = rng.integer(0, len(sizes) + 1)
        if len(sizes) > 1 and at < len(sizes) - 1 and rng.integer(0, 2):
            sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
        elif at < len(sizes):
            factor = rng.choice([n for n in range(1, sizes[at] + 1) if sizes[at] % n == 0] or [1])
            sizes[at : at + 1] = [factor, sizes[at] // factor]
    return tuple(sizes)


def viewable(x, sizes):
    try:
        x.view(sizes)
    except RuntimeError:
        return False
    return True


def compare(actual, expected):
    check(type(actual) is list and len(actual) == len(expected), "something else than one answer for each case")
    check(all(type(one) is bool for one in actual), "can_view gives something else than True or False")
    refused = sum(one and not other for other, one in zip(actual, expected, strict=True))
    granted = sum(other and not one for other, one in zip(actual, expected, strict=True))
    check(not refused, f"{refused} of {len(expected)} views that exist are denied")
    check(not granted, f"{granted} of {len(expected)} cases are said to be viewable and are not")


@sample
def test_stride_of_four_dimensions(solution):
    """The strides of (2, 3, 4, 5) are (60, 20, 5, 1)."""
    assert_close(solution.contiguous_stride((2, 3, 4, 5)), (60, 20, 5, 1))


@sample
def test_view_of_a_matrix(solution):
    """A contiguous matrix can be flattened, a transposed one cannot."""
    assert_close(solution.can_view((3, 4), (4, 1), (12,)), True, name="contiguous")
    assert_close(solution.can_view((4, 3), (1, 4), (12,)), False, name="transposed")


@sample
def test_images_with_channels_last(solution):
    """The shape stays (2, 3, 4, 5), the strides become (60, 1, 15, 3)."""
    x = torch.arange(120.0).reshape(2, 3, 4, 5)
    y = solution.to_channels_last(x)
    assert_close(y, x)
    assert_close(tuple(y.stride()), (60, 1, 15, 3), name="strides")


@points(1)
def test_strides_at_random(solution, probes, rng):
    """Contiguous strides of hundreds of random shapes, with ones among the sizes."""
    shapes = [tuple(rng.choice((1, 2, 3, 5)) for _ in range(rng.integer(0, 6))) for _ in range(MANY)]
    assert_close(probes.strides_of(shapes), [tuple(torch.empty(s).stride()) for s in shapes], name="strides")


@points(1)
def test_stride_of_nothing(solution, probes, rng):
    """A size of 0 counts as 1 in the strides of the others; no dimension has no stride."""
    n = rng.integer(2, 6)
    shapes = [(), (0,), (n, 0), (0, n), (n, 0, 3), (2, 0, n, 0)]
    assert_close(probes.strides_of(shapes), [tuple(torch.empty(s).stride()) for s in shapes], name="strides")


@points(1)
def test_stride_of_a_list(solution, rng):
    """A shape may be a list, which stays as it is, and the result is a tuple."""
    n = rng.integer(2, 9)
    assert_close(assert_not_mutated(solution.contiguous_stride, [n, 3, 2]), (6, 2, 1))


@points(3)
@pytest.mark.parametrize("kind", MAKERS)
def test_views_at_random(solution, probes, rng, kind):
    """A hundred random tensors of one kind: every view that exists, and no other."""
    tensors = [MAKERS[kind](rng) for _ in range(MANY)]
    cases = [(tuple(x.shape), tuple(x.stride()), another_shape(rng, x)) for x in tensors]
    expected = [viewable(x, sizes) for x, (_, _, sizes) in zip(tensors, cases, strict=True)]
    compare(probes.views_of(cases), expected)


@points(2)
def test_gaps_between_rows(solution, probes, rng):
    """A tensor with gaps is not contiguous; its dimensions can be split all the same, and merged where no gap lies between."""
    n, gap = rng.integer(2, 6), rng.integer(1, 5)
    row = 4 * n + gap
    stride = (row, 1)
    cases = [
        ((6, 4 * n), stride, (2, 3, 4 * n)),
        ((6, 4 * n), stride, (6, n, 4)),
        ((6, 4 * n), stride, (3, 2, 2, 2 * n)),
        ((2, 3, 4 * n), (3 * row, *stride), (6, 4 * n)),
        ((6, 4 * n), stride, (24 * n,)),
        ((6, 4 * n), stride, (3, 8 * n)),
    ]
    compare(probes.views_of(cases), [True, True, True, True, False, False])


@points(2)
def test_size_one_has_any_stride(solution, probes, rng):
    """A dimension of size 1 is never walked, so its stride must not decide anything."""
    odd = rng.integer(50, 90)
    cases = [
        ((2, 1, 3), (3, odd, 1), (6,)),
        ((1, 6), (odd, 1), (2, 3)),
        ((6, 1), (1, odd), (6,)),
        ((6, 1), (2, odd), (1, 3, 1, 2)),
        ((3, 1, 2), (1, odd, 3), (6,)),
    ]
    compare(probes.views_of(cases), [True, True, True, True, False])


@points(2)
def test_size_one_may_be_added(solution, probes, rng):
    """Dimensions of size 1 may be added and dropped anywhere, at the border of blocks too."""
    n = rng.integer(2, 6)
    cases = [
        ((n, 3), (1, n), (1, n, 1, 1, 3, 1)),
        ((1, n, 1, 3), (1, 1, 1, n), (n, 3)),
        ((), (), (1, 1)),
        ((1, 1), (1, 1), ()),
        ((n, 3), (1, n), (1, 3 * n)),
    ]
    compare(probes.views_of(cases), [True, True, True, True, False])


@points(1)
def test_repeated_elements(solution, probes, rng):
    """Stride 0 is a stride like any other: 0 = size · 0 merges, and splits as well."""
    n = rng.integer(2, 6)
    cases = [
        ((n, 4), (0, 0), (4 * n,)),
        ((4, n), (0, 1), (2, 2, n)),
        ((n, 4), (0, 1), (4 * n,)),
        ((n, 4), (1, 0), (4 * n,)),
    ]
    compare(probes.views_of(cases), [True, True, False, False])


@points(1)
def test_another_number_of_elements(solution, probes, rng):
    """A view has as many elements as the tensor, neither more nor fewer."""
    n = rng.integer(2, 6)
    cases = [((n, 3), (3, 1), (n, 2)), ((n, 3), (3, 1), (n, 3, 2)), ((n, 3), (3, 1), (2, n, 3)), ((n,), (1,), ())]
    cases += [((n, 4), (1, n), (n, 2, 4)), ((n, 4), (1, n), (4,)), ((n, 3), (3, 1), (0,))]
    compare(probes.views_of(cases), [False] * len(cases))


@points(1)
def test_nothing_to_view(solution, probes, rng):
    """Where there are no elements every shape without elements is a view, whatever the strides; and no other shape."""
    n = rng.integer(2, 6)
    cases = [
        ((0, n), (1, 7), (n, 0)),
        ((n, 0, 3), (1, 5, 2), (0,)),
        ((0,), (1,), (3, 0, 2)),
        ((0, n), (n, 1), (n,)),
        ((0,), (1,), ()),
    ]
    compare(probes.views_of(cases), [True, True, True, False, False])


@points(2)
def test_huge_sizes(solution, rng):
    """Strides are arithmetic: neither time nor memory may depend on the sizes."""
    n = 10**12 + rng.integer(0, 1000)
    assert_close(solution.contiguous_stride((7, n, 3)), (3 * n, 3, 1))
    assert_close(solution.can_view((n, 6), (6, 1), (2 * n, 3)), True, name="contiguous")
    assert_close(solution.can_view((n, 6), (1, n), (6 * n,)), False, name="transposed")


@points(1)
def test_lists_stay_as_they_are(solution):
    """Lists are welcome, and are not used up on the way."""
    assert_close(assert_not_mutated(solution.can_view, [2, 1, 3], [3, 9, 1], [3, 2]), True)


@points(2)
@pytest.mark.parametrize("layout", ["contiguous", "sliced", "transposed", "expanded"])
def test_channels_last_from_any_layout(solution, rng, layout):
    """Whatever the layout of x: the same values in the same shape, with the channels next to each other in memory."""
    n, c, h, w = (rng.integer(2, 5) for _ in range(4))
    x = {
        "contiguous": lambda: rng.randn(n, c, h, w),
        "sliced": lambda: rng.randn(n, 2 * c, h, w + 1)[:, ::2, :, 1:],
        "transposed": lambda: rng.randn(w, h, c, n).permute(3, 2, 1, 0),
        "expanded": lambda: rng.randn(n, 1, h, w).expand(n, c, h, w),
    }[layout]()
    y = solution.to_channels_last(x)
    assert_close(y, x)
    assert_close(tuple(y.stride()), (h * w * c, 1, w * c, c), name="strides")


@points(1)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.uint8], ids=["float64", "float16", "uint8"])
def test_channels_last_of_every_dtype(solution, rng, dtype):
    """The dtype stays as it is."""
    x = rng.randint(0, 200, (2, 3, 2, 4)).to(dtype)
    assert_close(solution.to_channels_last(x), x)


@attested
@points(2)
@pytest.mark.parametrize("source", ["first-result", "permuted"])
def test_no_second_copy(solution, rng, source):
    """Images that already are channels-last are not copied again."""
    x = rng.randn(2, 4, 5, 3).permute(0, 3, 1, 2)
    if source == "first-result":
        x = solution.to_channels_last(rng.randn(2, 3, 4, 5)).clone(memory_format=torch.preserve_format)
    y = solution.to_channels_last(x)
    assert_close(y, x)
    check(tuple(y.stride()) == tuple(x.stride()), "the strides changed although the layout was right")
    check(y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(), "the images were copied once more")


@points(1)
@pytest.mark.parametrize("shape", [(1, 1, 4, 5), (2, 3, 1, 1)], ids=["one-grey-image", "one-pixel"])
def test_channels_last_with_ones(solution, rng, shape):
    """Sizes of 1 are images too: same values, and contiguous in the channels-last sense."""
    x = rng.randn(*shape)
    y = solution.to_channels_last(x)
    assert_close(y, x)
    check(y.is_contiguous(memory_format=torch.channels_last), "the result is not contiguous in channels-last order")


@points(1)
def test_channels_last_gradient(solution, reference, rng):
    """A copy in another order is differentiable: gradients must reach x, and x stays as it is."""
    x = rng.randn(2, 3, 2, 4, dtype=torch.float64)
    assert_same_gradients(solution.to_channels_last, reference.to_channels_last, x)
    assert_not_mutated(solution.to_channels_last, x)
