"""Hidden tests: k-means with k-means++ seeding.

How often a right answer is refused. `expect_share` compares a share f of n independent draws with its probability p, and
refuses if n KL(f, p) > 20, where KL is the relative entropy of two coins. By Chernoff's bound, P(n KL(f, p) > c) <= 2
exp(-c) for any n and p, so one comparison refuses a right answer with a probability of at most 2 exp(-20) < 4.2e-9, and one
with p = 0 never does. The tests make 7 comparisons with p > 0 in test_first_row, 20 in each of the three cases of
test_second_row (pairs of different places), and 5 in test_third_row: 72 in all, together below 3.1e-7. Rounding moves a
probability by less than a millionth of itself, which changes n KL by far less than 1. test_generator and
test_global_generator draw 8 of 41 rows whose distances are all equal, so each order of 8 rows has the probability 33! / 41!
< 2.7e-13; two results that have to differ are equal as rarely. All other tests accept a right answer whatever it draws.
"""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
LIMIT = 20.0
DRAWS = 1500
PLACES = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 4.0]], dtype=F64)
COPIES = [12, 1, 1, 1, 1]  # most draws begin at the first place, so that frequencies after it are well known
PLACE_OF = torch.arange(5).repeat_interleave(torch.tensor(COPIES))
ROWS = PLACES[PLACE_OF]
# All differences are exact in float32 in each of these places; expanded squares lose them in the second.
VARIANTS = {
    "float64": ROWS,
    "far-away": (ROWS / 64 + 4096).float(),
    "close-together": (ROWS / 16384).float(),
}


def expect_share(hits, n, p, name):
    """Refuses if the share of hits is too far from p: see the top of this file."""
    f, distance = hits / n, 0.0
    for share, expected in ((f, p), (1 - f, 1 - p)):
        if share > 0:
            distance += math.inf if expected <= 0 else share * math.log(share / expected)
    check(n * distance <= LIMIT, f"{name}: {100 * f:.1f} % of {n} draws, where about {100 * p:.1f} % are expected")


def shares(*chosen):
    """The probabilities of the places of the next row, after rows at these places."""
    if not chosen:
        return [c / len(ROWS) for c in COPIES]
    squares = (PLACES[:, None] - PLACES[list(chosen)]).square().sum(-1).amin(1) * torch.tensor(COPIES)
    return (squares / squares.sum()).tolist()


def drawn(probes, x, k, rng, times=DRAWS):
    found = probes.many(x, k, times, rng.seed())
    check(found.dtype == torch.int64 and found.shape == (times, k), "indices of dtype int64 and shape (k,) expected")
    check(bool(((found >= 0) & (found < len(x))).all()), "an index names no row")
    check(bool((found.sort(1).values.diff(dim=1) != 0).all()), "the same row was chosen twice")
    return found


def one_step(x, centres):
    """The definition, in the dtype of the rows: centres, labels, inertia."""
    squares = torch.stack([(x - c).square().sum(1) for c in centres], dim=1)
    labels = torch.tensor([line.index(min(line)) for line in squares.tolist()])
    new = [x[labels == j].mean(0) if (labels == j).any() else c for j, c in enumerate(centres)]
    return torch.stack(new), labels, squares.amin(1).sum()


def whole_run(x, centres, steps=100):
    inertias, before = [], None
    while len(inertias) < steps:
        centres, labels, inertia = one_step(x, centres)
        inertias.append(inertia)
        if before is not None and torch.equal(labels, before):
            break
        before = labels
    return centres, labels, torch.stack(inertias)


def compare(found, wanted, **options):
    check(isinstance(found, tuple) and len(found) == 3, "the result must be (centres, labels, inertias)")
    for name, a, b in zip(("centres", "labels", "inertias"), found, wanted, strict=True):
        assert_close(a, b, name=name, **options)


@sample
@points(1)
def test_one_step_by_hand(solution):
    """Rows 0, 1 and 9, centres 0 and 8: the inertia is that before the move."""
    x = torch.tensor([[0.0], [1.0], [9.0]])
    found = solution.lloyd(x, torch.tensor([[0.0], [8.0]]), 1)
    compare(found, (torch.tensor([[0.5], [9.0]]), torch.tensor([0, 0, 1]), torch.tensor([2.0])))


@sample
@points(1)
def test_until_labels_repeat(solution):
    """The labels of the third step are those of the second: three inertias, and no fourth step."""
    x = torch.tensor([[0.0], [2.0], [4.0], [8.0]])
    found = solution.lloyd(x, torch.tensor([[0.0], [2.0]]))
    compare(found, (torch.tensor([[1.0], [6.0]]), torch.tensor([0, 0, 1, 1]), torch.tensor([40.0, 140 / 9, 10.0])))


@sample
@points(1)
def test_two_places(solution, rng):
    """Three copies and one other row: with k = 2, the other row is always chosen."""
    x = torch.tensor([[7.0, 1.0], [7.0, 1.0], [3.0, 1.0], [7.0, 1.0]])
    found = solution.plus_plus(x, 2, torch.Generator().manual_seed(rng.seed()))
    check(found.dtype == torch.int64 and found.shape == (2,), "indices of dtype int64 and shape (k,) expected")
    check(found.tolist().count(2) == 1, "row 2 must be one of the two rows")


@points(2)
def test_first_row(probes, rng):
    """The first row must be drawn uniformly, whatever the distances."""
    x = torch.tensor([0.0, 1.0, 2.0, 3.0, 50.0, 51.0, 900.0])[:, None]
    found = drawn(probes, x, 1, rng)
    counts = found[:, 0].bincount(minlength=7).tolist()
    for row in range(7):
        expect_share(counts[row], DRAWS, 1 / 7, "one of seven rows")


@points(3)
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_second_row(probes, rng, variant):
    """The second row has other frequencies than its squared distance to the first says."""
    found = PLACE_OF[drawn(probes, VARIANTS[variant], 2, rng)]
    counts = (5 * found[:, 0] + found[:, 1]).bincount(minlength=25).tolist()
    for first, p in enumerate(shares()):
        for second, q in enumerate(shares(first)):
            expect_share(counts[5 * first + second], DRAWS, p * q, "a pair of first rows")


@points(3)
def test_third_row(probes, rng):
    """The third row has other frequencies than the squared distances to the nearest chosen row say."""
    wanted = [0.0] * 5
    for first, p in enumerate(shares()):
        for second, q in enumerate(shares(first)):
            if q > 0:
                wanted = [w + p * q * r for w, r in zip(wanted, shares(first, second), strict=True)]
    counts = PLACE_OF[drawn(probes, ROWS, 3, rng)[:, 2]].bincount(minlength=5).tolist()
    for place in range(5):
        expect_share(counts[place], DRAWS, wanted[place], "a third row")


@points(3)
@pytest.mark.parametrize("places", [1, 3])
@EACH_DTYPE
def test_copies(probes, rng, places, dtype):
    """A copy of a chosen row was drawn, or the rows that come when all distances are 0 are not the smallest free indices."""
    n, k = 31, 7
    which = torch.cat([torch.arange(places), rng.randint(0, places, (n - places,))])[rng.permutation(n)]
    x = (100 + rng.randn(places, 3, dtype=dtype))[which]
    for line in drawn(probes, x, k, rng, times=40).tolist():
        check(len(set(which[line[:places]].tolist())) == places, "a copy of a chosen row was drawn")
        for t in range(places, k):
            check(line[t] == min(set(range(n)) - set(line[:t])), "not the smallest index that is free")


@points(1)
@EACH_DTYPE
def test_all_rows(probes, rng, dtype):
    """With k = n, every row is chosen once; one row is chosen from one."""
    found = drawn(probes, rng.randn(6, 2, dtype=dtype), 6, rng, times=5)
    assert_close(found.sort(1).values, torch.arange(6).expand(5, 6), name="sorted indices")
    assert_close(probes.many(rng.randn(1, 3, dtype=dtype), 1, 2, rng.seed()), torch.zeros(2, 1, dtype=torch.int64))


@points(3)
def test_generator(solution, rng):
    """A given generator decides alone: equal states repeat, the state moves on, and torch's own generator is left alone."""
    x, seed = torch.eye(41), rng.seed()
    torch.manual_seed(rng.seed())
    before = torch.get_rng_state()
    generator = torch.Generator().manual_seed(seed)
    first = solution.plus_plus(x, 8, generator)
    check(torch.equal(torch.get_rng_state(), before), "torch's own generator was used or seeded")
    second = solution.plus_plus(x, 8, generator)
    check(not torch.equal(first, second), "two results from one generator are equal: its state does not move on")
    torch.manual_seed(rng.seed())
    again = solution.plus_plus(x, 8, torch.Generator().manual_seed(seed))
    check(torch.equal(first, again), "the same state of the generator gives other rows")


@points(1)
def test_global_generator(solution, rng):
    """Without a generator, torch.manual_seed repeats a result, and two results in a row differ."""
    x, seed = torch.eye(41), rng.seed()
    torch.manual_seed(seed)
    first, second = solution.plus_plus(x, 8), solution.plus_plus(x, 8)
    torch.manual_seed(seed)
    check(torch.equal(first, solution.plus_plus(x, 8)), "the same seed gives other rows")
    check(not torch.equal(first, second), "two results in a row are equal")


@points(3)
@pytest.mark.parametrize("sizes", [(1, 1, 1), (23, 2, 3), (41, 3, 5), (17, 5, 2)], ids=str)
def test_runs(solution, rng, sizes):
    """Centres, labels or inertias differ after a whole run, or after a few steps."""
    n, d, k = sizes
    x, start = rng.randn(n, d, dtype=F64), rng.randn(k, d, dtype=F64)
    compare(solution.lloyd(x, start), whole_run(x, start))
    compare(solution.lloyd(x, start, steps=2), whole_run(x, start, 2))


@points(3)
@EACH_DTYPE
def test_step_by_step(solution, rng, dtype):
    """A step does not put rows to their nearest centre, or a centre not to the mean of its rows."""
    x, centres = 200 * rng.randn(61, 3, dtype=dtype), 200 * rng.randn(5, 3, dtype=dtype)
    for _ in range(4):
        new, labels, inertias = solution.lloyd(x, centres, 1)
        check(labels.shape == (61,) and labels.dtype == torch.int64, "labels (n,) of dtype int64 expected")
        squares = (x[:, None] - centres).square().sum(-1)
        assert_close(squares.gather(1, labels[:, None])[:, 0], squares.amin(1), name="distances to the own centre")
        means = [x[labels == j].mean(0) if (labels == j).any() else c for j, c in enumerate(centres)]
        assert_close(new, torch.stack(means), name="centres")
        assert_close(inertias, squares.amin(1).sum()[None], name="inertias")
        centres = new


@points(2)
@EACH_DTYPE
def test_equally_near(solution, rng, dtype):
    """Of equally near centres, the one with the smaller index must get the row."""
    x, centres = rng.randint(-3, 4, (50, 2)).to(dtype), rng.randint(-2, 3, (11, 2)).to(dtype)
    centres[7], centres[9] = centres[3], centres[0]
    compare(solution.lloyd(x, centres, 1), one_step_of(x, centres))
    line = torch.tensor([[0.0], [2.0], [4.0]], dtype=dtype)
    found = solution.lloyd(line, torch.tensor([[3.0], [1.0], [1.0]], dtype=dtype), 1)
    compare(found, (line.new_tensor([[3.0], [0.0], [1.0]]), torch.tensor([1, 0, 0]), line.new_tensor([3.0])))


def one_step_of(x, centres):
    centres, labels, inertia = one_step(x, centres)
    return centres, labels, inertia[None]


@points(3)
@EACH_DTYPE
def test_empty_clusters(solution, rng, dtype):
    """A centre without rows must stay where it is, and must not become NaN or vanish."""
    x = rng.randn(13, 3, dtype=dtype)
    start = torch.cat([x[:1] + 500, x[2:3], x[2:3], x[5:6], x[:1] - 700])
    centres, labels, inertias = solution.lloyd(x, start)
    check(
        bool(torch.isfinite(centres).all() and torch.isfinite(inertias).all()), "a centre or an inertia is not finite"
    )
    assert_close(centres[[0, 4]], start[[0, 4]], rtol=0.0, atol=0.0, name="centres without rows")
    check(not {0, 4} & set(labels.tolist()), "a row belongs to a centre that is far away")
    compare(solution.lloyd(x, start, 1), one_step_of(x, start))


@points(1)
def test_an_empty_cluster_comes_back(solution):
    """A centre that stayed without rows can be the nearest one later: it must still take part."""
    x = torch.tensor([[0.0], [10.0], [11.0], [12.0], [100.0]])
    start = torch.tensor([[4.0], [-5.0], [13.0]])
    compare(solution.lloyd(x, start), whole_run(x, start))


@points(1)
def test_more_centres_than_rows(solution, rng):
    """There may be more centres than rows."""
    x, start = rng.randn(3, 2, dtype=F64), rng.randn(8, 2, dtype=F64)
    compare(solution.lloyd(x, start), whole_run(x, start))


@points(2)
@EACH_DTYPE
def test_inertia_falls_to_a_fixed_point(solution, rng, dtype):
    """An inertia rises, or the end is no fixed point: another step from there must change nothing."""
    for _ in range(3):
        x, start = rng.randn(83, 2, dtype=dtype), 2 * rng.randn(7, 2, dtype=dtype)
        centres, labels, inertias = solution.lloyd(x, start)
        check(inertias.dim() == 1 and 2 <= len(inertias) <= 100, "one inertia for each step expected")
        slack = 1e-5 if dtype == F32 else 1e-12
        check(bool(inertias.isfinite().all()), "an inertia is NaN or infinite")
        check(bool((inertias[1:] <= inertias[:-1] * (1 + slack)).all()), "an inertia is larger than the one before")
        again = solution.lloyd(x, centres, 1)
        compare(again, (centres, labels, inertias[-1:]))
        check(len(solution.lloyd(x, centres)[2]) == 2, "from a fixed point, there are two steps: the labels repeat")


@points(2)
def test_far_from_the_origin(solution, rng):
    """Moved far away together, rows and centres give the same labels and inertias: do not expand the square."""
    x = rng.randint(0, 64, (47, 2)).float() / 64
    start = x[rng.permutation(47)[:4]]
    found = solution.lloyd(x + 4096, start + 4096, 1)
    _, labels, inertias = one_step_of(x, start)
    assert_close(found[1], labels, name="labels")
    assert_close(found[2], inertias, name="inertias")


@points(1)
def test_last_step(solution, rng):
    """With a limit, the last step moves its centres, too; the labels are those before the move, and all inertias are there."""
    x, start = rng.randn(67, 2, dtype=F64), rng.randn(6, 2, dtype=F64)
    for steps in (1, 3):
        found = solution.lloyd(x, start, steps)
        compare(found, whole_run(x, start, steps))


@points(1)
def test_default_limit(solution, rng):
    """At most 100 steps are done unless another limit is given."""
    # Centres at one end of a long line spread along it slowly: 247 steps at least with 300 seeds.
    x = (torch.arange(600, dtype=F64) + 0.1 * rng.rand(600, dtype=F64))[:, None]
    found = solution.lloyd(x, x[:24])
    check(len(found[2]) == 100, "the default limit is 100 steps")
    check(len(solution.lloyd(x, x[:24], 103)[2]) == 103, "a higher limit allows more steps")


@points(2)
def test_errors(solution, rng):
    """k outside 1 to n and steps below 1 are a ValueError."""
    x = rng.randn(5, 2)
    for k in (0, 6, -1):
        with pytest.raises(ValueError):
            solution.plus_plus(x, k)
    for steps in (0, -3):
        with pytest.raises(ValueError):
            solution.lloyd(x, x[:2], steps)


@points(2)
def test_arguments(solution, rng):
    """Views are ordinary inputs, arguments are left as they were, and no result shares memory with them."""
    x, start = rng.randn(3, 29, dtype=F64).t(), rng.randn(8, 6, dtype=F64)[::2, ::2]
    found = assert_not_mutated(solution.lloyd, x, start)
    compare(found, whole_run(x, start))
    assert_not_mutated(solution.plus_plus, x, 4, torch.Generator().manual_seed(rng.seed()))
    centres = found[0]
    again = solution.lloyd(x, centres)[0]
    kept = centres.clone()
    again.add_(1.0)
    assert_close(centres, kept, rtol=0.0, atol=0.0, name="the centres that were passed")
