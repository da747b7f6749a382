"""Hidden tests: twenty puzzles against loops over elements, and a count of operators."""

import itertools

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

F32, F64, I64 = torch.float32, torch.float64, torch.int64
BUDGETS = {
    "sums": 3,
    "gaps": 5,
    "same_token": 4,
    "band": 7,
    "prefix_mask": 4,
    "label_means": 9,
    "swap_neighbours": 4,
    "antidiagonal": 4,
    "circulant": 6,
    "windows": 6,
    "last_states": 5,
    "undo": 4,
    "skewed": 8,
    "runs": 6,
    "first_true": 4,
    "enlarge": 4,
    "block_sums": 4,
    "forms": 4,
    "traces": 4,
    "weighted_gram": 4,
}
MOVES = ["swap_neighbours", "antidiagonal", "circulant", "windows", "last_states", "skewed", "enlarge"]
FREE = {f"torch.Tensor.{name}" for name in ("size", "dim", "numel", "__len__", "is_floating_point", "dtype.__get__")}
FREE |= {f"torch.Tensor.{name}.__get__" for name in ("shape", "device", "ndim", "layout")}
LEAVES_TORCH = {f"torch.Tensor.{name}" for name in ("tolist", "item", "numpy", "__array__")}
EACH = pytest.mark.parametrize("name", BUDGETS)


def draw(rng, dtype):
    """Draws floating-point numbers, or whole ones for int64."""
    return (
        (lambda *shape: rng.randint(-9, 10, shape)) if dtype == I64 else (lambda *shape: rng.randn(*shape, dtype=dtype))
    )


def arguments(name, rng, dtype=F64, s=1):
    """Arguments of one puzzle; sizes are different primes, times s."""
    x = draw(rng, dtype)
    return {
        "sums": lambda: (x(3 * s), x(5 * s)),
        "gaps": lambda: (x(5 * s),),
        "same_token": lambda: (rng.randint(0, 3, (2 * s, 5 * s)),),
        "band": lambda: (7 * s, 3),
        "prefix_mask": lambda: (rng.randint(0, 6 * s, (7 * s,)), 5 * s),
        "label_means": lambda: (x(11 * s, 3), rng.randint(0, 4, (11 * s,)), 7 * s),
        "swap_neighbours": lambda: (x(3 * s, 10 * s),),
        "antidiagonal": lambda: (x(5 * s, 5 * s),),
        "circulant": lambda: (x(5 * s),),
        "windows": lambda: (x(7 * s), 3 * s),
        "last_states": lambda: (x(5 * s, 7, 3), rng.randint(1, 8, (5 * s,))),
        "undo": lambda: (rng.permutation(7 * s),),
        "skewed": lambda: (x(5 * s, 7 * s),),
        "runs": lambda: (rng.randint(-1, 2, (13 * s,)),),
        "first_true": lambda: (rng.rand(11 * s, 5 * s) < 0.3,),
        "enlarge": lambda: (x(2 * s, 5 * s), 3),
        "block_sums": lambda: (x(3 * 2 * s, 3 * 5 * s), 3),
        "forms": lambda: (x(2 * s, 3 * s), x(7 * s, 3 * s, 5), x(2 * s, 5)),
        "traces": lambda: (x(3 * s, 5, 2 * s), x(3 * s, 2 * s, 5)),
        "weighted_gram": lambda: (x(7 * s, 3), x(7 * s)),
    }[name]()


def build(shape, element):
    """A tensor from a function of its indices."""
    cells = [element(*place) for place in itertools.product(*map(range, shape))]
    made = torch.stack(cells) if isinstance(cells[0], torch.Tensor) else torch.tensor(cells)
    return made.reshape(shape)


def label_mean(x, ids, label, column):
    own = [i for i, v in enumerate(ids.tolist()) if v == label]
    return sum((x[i, column] for i in own), x[0, 0] * 0) / max(len(own), 1)


def block(x, r, i, j):
    return sum(x[i * r + a, j * r + b] for a in range(r) for b in range(r))


def products(*pairs):
    return sum(pairs[1:], pairs[0])


BY_HAND = {
    "sums": lambda a, b: build((len(a), len(b)), lambda i, j: a[i] + b[j]),
    "gaps": lambda x: build((len(x), len(x)), lambda i, j: (x[i] - x[j]).abs()),
    "same_token": lambda ids: build((*ids.shape, ids.shape[1]), lambda b, i, j: bool(ids[b, i] == ids[b, j])),
    "band": lambda n, w: build((n, n), lambda i, j: 0 <= i - j < w),
    "prefix_mask": lambda lengths, t: build((len(lengths), t), lambda b, j: j < int(lengths[b])),
    "label_means": lambda x, ids, k: build((k, x.shape[1]), lambda i, j: label_mean(x, ids, i, j)),
    "swap_neighbours": lambda x: build(x.shape, lambda i, j: x[i, j + 1 - 2 * (j % 2)]),
    "antidiagonal": lambda x: build((len(x),), lambda i: x[i, len(x) - 1 - i]),
    "circulant": lambda c: build((len(c), len(c)), lambda i, j: c[(j - i) % len(c)]),
    "windows": lambda x, w: build((len(x) - w + 1, w), lambda i, j: x[i + j]),
    "last_states": lambda x, n: build((x.shape[0], x.shape[2]), lambda b, j: x[b, int(n[b]) - 1, j]),
    "undo": lambda p: build((len(p),), lambda i: p.tolist().index(i)),
    "skewed": lambda x: build(x.shape, lambda i, j: x[i, (j - i) % x.shape[1]]),
    "runs": lambda x: build((len(x),), lambda i: sum(int(x[t] != x[t - 1]) for t in range(1, i + 1))),
    "first_true": lambda mask: build((len(mask),), lambda b: [*mask[b].tolist(), True].index(True)),
    "enlarge": lambda x, r: build((r * x.shape[0], r * x.shape[1]), lambda i, j: x[i // r, j // r]),
    "block_sums": lambda x, r: build((x.shape[0] // r, x.shape[1] // r), lambda i, j: block(x, r, i, j)),
    "forms": lambda x, w, y: build((len(x), len(w)), lambda b, k: x[b] @ w[k] @ y[b]),
    "traces": lambda a, b: build((len(a),), lambda i: (a[i] @ b[i]).trace()),
    "weighted_gram": lambda x, w: build(
        (x.shape[1],) * 2, lambda i, j: products(*(w[t] * x[t, i] * x[t, j] for t in range(len(w))))
    ),
}


def floats(args):
    return [i for i, a in enumerate(args) if isinstance(a, torch.Tensor) and a.is_floating_point()]


def compare(solution, name, args):
    call, wrt = getattr(solution, name), floats(args)
    if wrt:
        assert_same_gradients(call, BY_HAND[name], args, wrt=wrt, scale=4.0)
    else:
        assert_close(call(*args), BY_HAND[name](*args), name=name)


@sample
@points(1)
def test_sums_by_hand(solution):
    """A column against a row: all pairs."""
    found = solution.sums(torch.tensor([10.0, 20.0]), torch.tensor([1.0, 2.0, 3.0]))
    assert_close(found, torch.tensor([[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]]))


@sample
@points(1)
def test_runs_by_hand(solution):
    """The number of a run grows by one where a value differs from its left neighbour."""
    assert_close(solution.runs(torch.tensor([4, 4, 7, 7, 7, 4])), torch.tensor([0, 0, 1, 1, 1, 2]))


@sample
@points(1)
def test_band_by_hand(solution):
    """Each row of the band sees itself and the w − 1 places before it."""
    expected = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]).bool()
    assert_close(solution.band(4, 2), expected)


@points(2)
@EACH
def test_values(solution, rng, name):
    """An element of the result, or a gradient, differs from the loop over elements: write down what element (i, j) is."""
    for dtype in (F64, F32):
        compare(solution, name, arguments(name, rng, dtype))


@attested
@points(1)
@EACH
def test_budget(solution, attest, rng, name):
    """The line takes more operators than its budget, or leaves torch on the way: which one function does the work of several?"""
    seen = attest(getattr(solution, name), *arguments(name, rng, F32, 5)).operators
    check(not LEAVES_TORCH & set(seen), "values leave torch: tolist, item or numpy was called")
    used = sum(count for each, count in seen.items() if each.startswith("torch.") and each not in FREE)
    check(used <= BUDGETS[name], f"{name} took {used} operators, and its budget is {BUDGETS[name]}")


@points(2)
@pytest.mark.parametrize("name", MOVES)
def test_whole_numbers(solution, rng, name):
    """Moving elements must work for int64 too, and keep it: large numbers would be rounded as floats."""
    first, *rest = arguments(name, rng, I64)
    first = first * 2**53 + 1
    assert_close(getattr(solution, name)(first, *rest), BY_HAND[name](first, *rest), name=name)


@points(2)
def test_sizes_of_one(solution, rng):
    """A size of 1 is a size like any other: look for a squeeze, or a broadcast that was not meant."""
    one, row = rng.randn(1, dtype=F64), rng.randn(1, 4, dtype=F64)
    zero = torch.zeros(1, dtype=I64)
    cases = [
        ("sums", (one, row[0])),
        ("sums", (row[0], one)),
        ("gaps", (one,)),
        ("same_token", (zero[None],)),
        ("band", (1, 1)),
    ]
    cases += [
        ("label_means", (row, zero, 1)),
        ("label_means", (row[:, :1], zero, 3)),
        ("swap_neighbours", (row[:, :2],)),
    ]
    cases += [("antidiagonal", (one[None],)), ("circulant", (one,)), ("windows", (row[0], 1)), ("windows", (row[0], 4))]
    cases += [("last_states", (row[None], zero + 1)), ("last_states", (one.view(1, 1, 1), zero + 1)), ("undo", (zero,))]
    cases += [
        ("skewed", (row,)),
        ("skewed", (row.T,)),
        ("runs", (zero,)),
        ("enlarge", (row, 1)),
        ("enlarge", (row.T, 2)),
    ]
    cases += [("block_sums", (row, 1)), ("first_true", (zero[None].bool(),)), ("first_true", (~zero[None].bool(),))]
    cases += [
        ("forms", (one[None], one.view(1, 1, 1), one[None])),
        ("traces", (row[None], row.T[None])),
        ("weighted_gram", (row, one)),
    ]
    for name, args in cases:
        assert_close(getattr(solution, name)(*args), BY_HAND[name](*args), name=name)


@points(2)
@pytest.mark.parametrize("w", [0, 1, 5, 9])
def test_widths_of_the_band(solution, w):
    """A band of width 0 is empty, of width 1 the diagonal, and a wide one the whole lower triangle."""
    assert_close(solution.band(5, w), BY_HAND["band"](5, w))


@points(1)
def test_lengths_at_both_ends(solution):
    """A length of 0 gives a row of False, a length of t a row of True."""
    lengths = torch.tensor([0, 3, 1])
    assert_close(solution.prefix_mask(lengths, 3), BY_HAND["prefix_mask"](lengths, 3))


@points(2)
def test_labels_without_rows(solution, rng):
    """A label that no row has gives zeros, also the last ones, and no NaN reaches a gradient."""
    for ids in (torch.tensor([4, 1, 4, 1, 1]), torch.zeros(5, dtype=I64)):
        compare(solution, "label_means", (rng.randn(5, 3, dtype=F64), ids, 7))


@points(1)
def test_undone_twice(solution, rng):
    """Undoing a permutation twice gives the permutation, and p read at its places is 0, 1, 2, …"""
    p = rng.permutation(11)
    back = solution.undo(p)
    assert_close(p[back], torch.arange(11), name="p[undo(p)]")
    assert_close(solution.undo(back), p, name="undo(undo(p))")


@points(2)
def test_rows_without_true(solution):
    """The first of several, a row that is true at once, and a row that never is, which gives T."""
    mask = torch.tensor([[0, 1, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 1]]).bool()
    assert_close(solution.first_true(mask), torch.tensor([1, 0, 4, 3]))


@points(1)
def test_far_apart(solution):
    """Runs are about equality, not about order or nearness: values fall, return, and are large."""
    big = 2**62
    x = torch.tensor([5, 3, 3, 5, -big, big, big, big - 1, 0])
    assert_close(solution.runs(x), BY_HAND["runs"](x))


@points(2)
def test_negative_weights(solution, rng):
    """Weights of both signs: a weight has no root, and belongs to one factor alone."""
    compare(solution, "weighted_gram", (rng.randn(4, 3, dtype=F64), torch.tensor([-2.0, 0.0, 3.0, -0.5], dtype=F64)))


@attested
@points(1)
def test_traces_without_products(solution, attest, rng):
    """A trace needs the diagonal of the product alone: no tensor on the way is larger than a."""
    seen = attest(solution.traces, rng.randn(2, 41, 3), rng.randn(2, 3, 41))
    check(seen.largest_numel <= 2 * 41 * 3, "a tensor on the way has more elements than a")


@points(2)
def test_views(solution, rng):
    """Transposed and strided arguments are tensors like any other, and no argument may be changed."""
    for name in BUDGETS:
        args = [spread(a) if isinstance(a, torch.Tensor) else a for a in arguments(name, rng)]
        found = assert_not_mutated(getattr(solution, name), *args)
        assert_close(found, BY_HAND[name](*args), scale=4.0, name=name)


def spread(tensor):
    """The same values, with gaps in memory, and the last dimension first."""
    order = [tensor.dim() - 1, *range(tensor.dim() - 1)]
    moved = tensor.permute(order).contiguous().repeat_interleave(2, 0)[::2]
    return moved.permute([*range(1, tensor.dim()), 0])
