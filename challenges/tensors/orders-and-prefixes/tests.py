"""Hidden tests: order and prefixes, against Python's own sorting and adding."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

F32, F64, I64 = torch.float32, torch.float64, torch.int64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64, I64], ids=["float32", "float64", "int64"])
EACH_FLOAT = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_KIND = pytest.mark.parametrize("kind", ["sum", "product", "max"])
LEAVES_TORCH = {f"torch.Tensor.{name}" for name in ("tolist", "item", "numpy", "__array__", "__iter__")}


def drawn(rng, *shape, dtype=F64, equal=False):
    """Numbers of both signs; whole ones, many of them equal, where asked."""
    if dtype == I64 or equal:
        return rng.randint(-3, 4, shape).to(dtype)
    return rng.randn(*shape, dtype=dtype)


def each_row(f, x):
    """f of each row, as a list, put back together."""
    rows = [torch.tensor(f(row), dtype=I64) for row in x.reshape(-1, x.shape[-1]).tolist()]
    return torch.stack(rows).reshape((*x.shape[:-1], *rows[0].shape))


def true_first(x, dim, largest=True):
    return each_row(lambda row: row.index(max(row) if largest else min(row)), x.movedim(dim, -1))


def true_order(x):
    return each_row(lambda row: sorted(range(len(row)), key=row.__getitem__), x)


def true_top(x, k):
    indices = each_row(lambda row: sorted(range(len(row)), key=lambda i: (-row[i], i))[:k], x.detach())
    return x.gather(-1, indices), indices


def true_prefix(x, kind):
    """One element after the other."""
    rows = [x[..., 0]]
    for i in range(1, x.shape[-1]):
        if kind == "max":
            rows.append(torch.where(x[..., i] > rows[-1], x[..., i], rows[-1]))
        else:
            rows.append(rows[-1] + x[..., i] if kind == "sum" else rows[-1] * x[..., i])
    return torch.stack(rows, -1)


def true_windows(x, w):
    return torch.stack([x[..., max(i - w + 1, 0) : i + 1].sum(-1) for i in range(x.shape[-1])], -1)


@sample
@points(1)
def test_order_by_hand(solution):
    """The first of two equal elements comes first, in ascending order as well as among the largest."""
    x = torch.tensor([3.0, 1.0, 3.0, 2.0])
    assert_close(solution.stable_order(x), torch.tensor([1, 3, 0, 2]))
    values, indices = solution.top_k(x, 3)
    assert_close(indices, torch.tensor([0, 2, 3]), name="indices")
    assert_close(values, torch.tensor([3.0, 3.0, 2.0]), name="values")
    assert_close(solution.first_extreme(x, 0), torch.tensor(0))


@sample
@points(1)
def test_prefix_by_hand(solution):
    """Each place combines all elements up to itself."""
    x = torch.tensor([2, -1, 3, 0, 5])
    assert_close(solution.prefix(x, "sum"), torch.tensor([2, 1, 4, 4, 9]))
    assert_close(solution.prefix(x, "product"), torch.tensor([2, -2, -6, 0, 0]))
    assert_close(solution.prefix(x, "max"), torch.tensor([2, 2, 3, 3, 5]))


@sample
@points(1)
def test_windows_by_hand(solution):
    """The sum of the last two elements; before the first there is nothing."""
    assert_close(solution.window_sums(torch.tensor([1.0, 2.0, 4.0, 8.0]), 2), torch.tensor([1.0, 3.0, 6.0, 12.0]))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("largest", [True, False], ids=["largest", "smallest"])
def test_first_extreme(solution, rng, dtype, largest):
    """An index differs: along the given dimension, and the first one where several elements are equal."""
    for equal in (True, False):
        x = drawn(rng, 3, 7, 5, dtype=dtype, equal=equal)
        for dim in (0, 1, 2, -1, -3):
            assert_close(solution.first_extreme(x, dim, largest), true_first(x, dim, largest))


@points(1)
def test_first_of_many(solution):
    """A row of equal elements has its first extreme at 0, also if it is long."""
    x = torch.zeros(2, 100)
    for largest in (True, False):
        assert_close(solution.first_extreme(x, 1, largest), torch.tensor([0, 0]))
        assert_close(solution.first_extreme(x.T, 0, largest), torch.tensor([0, 0]))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("n", [1, 2, 3, 8, 13, 40])
def test_stable_order(solution, rng, dtype, n):
    """The order of a row differs: smaller elements first, and equal ones as they stood."""
    for equal in (True, False):
        x = drawn(rng, 3, n, dtype=dtype, equal=equal)
        assert_close(solution.stable_order(x), true_order(x))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("k", [0, 1, 4, 9])
def test_top_k(solution, rng, dtype, k):
    """Values or indices differ: the largest first, and of equal elements the one that stands first."""
    for equal in (True, False):
        x = drawn(rng, 2, 3, 9, dtype=dtype, equal=equal)
        found, (values, indices) = solution.top_k(x, k), true_top(x, k)
        check(type(found) is tuple and len(found) == 2, "the result must be (values, indices)")
        assert_close(found[1], indices, name="indices")
        assert_close(found[0], values, name="values")


@points(1)
def test_large_whole_numbers(solution):
    """Whole numbers beyond 2 ** 53 stay exact: they are neither turned into floats nor negated carelessly."""
    big, low = 2**62, -(2**63)
    x = torch.tensor([big, big + 1, low, big - 1, low + 1, 0])
    assert_close(solution.stable_order(x), true_order(x))
    assert_close(solution.top_k(x, 4)[0], true_top(x, 4)[0])
    assert_close(solution.first_extreme(x, 0, False), torch.tensor(2))
    assert_close(solution.first_extreme(x, 0), torch.tensor(1))
    assert_close(solution.prefix(x, "max"), true_prefix(x, "max"))
    y = torch.tensor([2**60 + 1, 3, 2**53, -(2**60), 5])
    assert_close(solution.prefix(y, "sum"), true_prefix(y, "sum"))
    assert_close(solution.window_sums(y, 3), true_windows(y, 3))
    z = torch.tensor([3**20, -(3**15), 7])
    assert_close(solution.prefix(z, "product"), true_prefix(z, "product"))


@points(2)
@EACH_FLOAT
def test_gradients_of_the_largest(solution, rng, dtype):
    """The gradient of the values goes to the elements that were taken, and to no others."""
    x = rng.randn(3, 8, dtype=dtype)
    assert_same_gradients(lambda v: solution.top_k(v, 3)[0], lambda v: true_top(v, 3)[0], (x,), names=("x",))


@points(3)
@EACH_KIND
@EACH_DTYPE
def test_prefix(solution, rng, dtype, kind):
    """A prefix or its gradient differs: which elements have been combined, for lengths that are no powers of two?"""
    for n in (1, 2, 3, 5, 8, 13, 33):
        x = drawn(rng, 2, n, dtype=dtype)
        # Redrawn until no two elements of a row are equal: which of two equal maxima gets the gradient is left open.
        while kind == "max" and dtype != I64 and any(len(set(row)) < n for row in x.tolist()):
            x = drawn(rng, 2, n, dtype=dtype)
        if dtype == I64:
            x = torch.where(x == 0, 2, x)[:, :13]
            assert_close(solution.prefix(x, kind), true_prefix(x, kind))
        else:
            assert_same_gradients(
                lambda v: solution.prefix(v, kind), lambda v: true_prefix(v, kind), (x,), names=("x",), scale=16.0
            )


@points(2)
@EACH_FLOAT
def test_zeros_in_a_product(solution, rng, dtype):
    """Zeros and negative numbers in a product: neither logarithms nor quotients get the gradient right."""
    x = rng.randn(3, 9, dtype=dtype)
    x[0, 4], x[1, 2], x[1, 6], x[2, 0] = 0, 0, 0, 0
    inputs = (x,)
    assert_same_gradients(
        lambda v: solution.prefix(v, "product"), lambda v: true_prefix(v, "product"), inputs, names=("x",), scale=16.0
    )


@points(1)
def test_negative_maxima(solution, rng):
    """All elements are negative, some very much so: what stands before the first must not win."""
    for size in (1.0, 1e30):
        x = -size * (1 + rng.rand(2, 11))
        assert_close(solution.prefix(x, "max"), true_prefix(x, "max"))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("w", [1, 2, 5, 11, 12, 100])
def test_window_sums(solution, rng, dtype, w):
    """A sum or its gradient differs: the last w elements, or fewer at the beginning."""
    x = drawn(rng, 3, 11, dtype=dtype)
    if dtype == I64:
        assert_close(solution.window_sums(x, w), true_windows(x, w))
    else:
        assert_same_gradients(
            lambda v: solution.window_sums(v, w), lambda v: true_windows(v, w), (x,), names=("x",), scale=8.0
        )


@points(2)
def test_accuracy_of_windows(solution, rng):
    """A large number must leave no trace in windows that it is not in: a difference of two prefixes keeps its rounding."""
    x = rng.rand(1, 24)
    x[0, 3] = 1e9
    found = solution.window_sums(x, 4)[:, 7:]
    assert_close(found, true_windows(x.double(), 4)[:, 7:].float(), scale=2.0)


@points(2)
def test_prefix_of_reversed(solution, rng):
    """The last prefix combines all elements, in whatever order they stand."""
    x = rng.randn(3, 10, dtype=F64)
    for kind, whole in (("sum", x.sum(-1)), ("product", x.prod(-1)), ("max", x.amax(-1))):
        assert_close(solution.prefix(x, kind)[..., -1], whole, scale=8.0)
        assert_close(solution.prefix(x.flip(-1), kind)[..., -1], whole, scale=8.0)


@points(2)
def test_views_and_leading_dimensions(solution, rng):
    """Transposed and strided inputs with any leading dimensions are ordinary, and x is left as it is."""
    wide = drawn(rng, 12, 4, 2, equal=True)
    for x in (wide.permute(1, 2, 0)[..., ::2], wide[:, 0].T, wide[:, 1, 1]):
        assert_close(assert_not_mutated(solution.stable_order, x), true_order(x))
        assert_close(assert_not_mutated(solution.top_k, x, 2)[1], true_top(x, 2)[1])
        assert_close(assert_not_mutated(solution.first_extreme, x, -1), true_first(x, -1))
        assert_close(assert_not_mutated(solution.window_sums, x, 3), true_windows(x, 3))
        for kind in ("sum", "product", "max"):
            assert_close(assert_not_mutated(solution.prefix, x, kind), true_prefix(x, kind), scale=8.0)


@attested
@points(1)
@pytest.mark.parametrize("name", ["first_extreme", "stable_order", "top_k", "sum", "product", "max", "window_sums"])
def test_no_loop(solution, attest, rng, name):
    """A call takes more than 200 calls into torch for 1000 elements, or its values leave torch on the way."""
    x = rng.rand(1000)
    call, rest = {
        "first_extreme": (solution.first_extreme, (0,)),
        "stable_order": (solution.stable_order, ()),
        "top_k": (solution.top_k, (7,)),
        "window_sums": (solution.window_sums, (5,)),
    }.get(name, (solution.prefix, (name,)))
    seen = attest(call, x, *rest).operators
    check(not LEAVES_TORCH & set(seen), "values leave torch: tolist, item, numpy or a Python iteration was used")
    used = sum(count for each, count in seen.items() if each.startswith("torch.") and not each.endswith("__get__"))
    check(used <= 200, f"{used} calls into torch, and at most 200 are allowed")


@points(1)
def test_wrong_arguments(solution):
    """k beyond the row, a window of no elements and an unknown kind are a ValueError."""
    x = torch.zeros(2, 5)
    for k in (-1, 6):
        with pytest.raises(ValueError):
            solution.top_k(x, k)
    for w in (0, -3):
        with pytest.raises(ValueError):
            solution.window_sums(x, w)
    with pytest.raises(ValueError):
        solution.prefix(x, "min")
