"""Hidden tests: Gumbel top-k, alias table and reservoir.

How often a right answer is refused. `expect_share` compares a share f of n independent draws with its probability p, and
refuses if n KL(f, p) > 20, where KL is the relative entropy of two coins. By Chernoff's bound, P(n KL(f, p) > c) <= 2
exp(-c) for any n and p, so one comparison refuses a right answer with a probability of at most 2 exp(-20) < 4.2e-9, and one
with p = 0 never does. The tests make 12 comparisons in each of the two cases of test_pairs, 24 in test_all_of_four, 1 in
test_rows_are_independent, 5 in each of the two cases of test_draws, 16 in test_draws_are_independent, and 10, 6 and 20 in
test_sets: 111 in all, together below 4.7e-7. Rounding moves a probability by less than a millionth of itself, which changes
n KL by far less than 1.

In test_far_apart, logits are at least 150 apart, and each of 60 rows has 4 places that can change their order: below 240
exp(-150), which is nothing. Where two results have to differ, or where one that must not be repeated could be repeated by
chance: 7 rows of 5 from 41 tokens have a probability of (36! / 41!)^7 < 1e-54, 100 draws from 41 columns one of 41^-100, and
20 of 200 items one of 20! 180! / 200! < 1e-26. All other tests accept a right answer whatever it draws.
"""

import itertools
import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64, INF = torch.float32, torch.float64, math.inf
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
LIMIT = 20.0
DRAWS = 6000
SETS = 2000
P = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=F64)


def expect_share(hits, n, p, name):
    """Refuses if the share of hits is too far from p: see the top of this file."""
    f, distance = hits / n, 0.0
    for share, expected in ((f, p), (1 - f, 1 - p)):
        if share > 0:
            distance += INF if expected <= 0 else share * math.log(share / expected)
    check(n * distance <= LIMIT, f"{name}: a share of {f:.3f} of {n}, where about {p:.3f} is expected")


def chosen(solution, logits, k, *generator):
    """The indices, once it is sure that they are k different ones in each row."""
    found = solution.gumbel_top_k(logits, k, *generator)
    check(isinstance(found, torch.Tensor) and found.dtype == torch.int64, "indices of dtype int64 expected")
    check(found.shape == (len(logits), k), "indices of shape (B, k) expected")
    check(bool(((found >= 0) & (found < logits.shape[1])).all()), "an index is not in the row")
    check(bool((found.sort(1).values.diff(dim=1) != 0).all()), "the same index was drawn twice in one row")
    return found


def chance(p, indices):
    """The probability of this sequence of draws without replacement."""
    result, left = 1.0, 1.0
    for i in indices:
        result *= p[i] / left
        left -= p[i]
    return result


def expect_sequences(found, p, name):
    """The frequencies of all sequences of different indices."""
    k, v = found.shape[1], len(p)
    code = (found * v ** torch.arange(k)).sum(1)
    counts = code.bincount(minlength=v**k).tolist()
    for indices in itertools.permutations(range(v), k):
        hits = counts[sum(i * v**place for place, i in enumerate(indices))]
        expect_share(hits, len(found), chance(p, indices), name)


def table(solution, weights):
    """(keep, alias), once it is sure that they have the form of the statement and the right mass."""
    found = solution.alias_table(weights)
    check(type(found) is tuple and len(found) == 2, "a pair (keep, alias) expected")
    keep, alias = found
    v = len(weights)
    check(keep.dtype == F64 and keep.shape == (v,), "keep: float64 of shape (V,) expected")
    check(alias.dtype == torch.int64 and alias.shape == (v,), "alias: int64 of shape (V,) expected")
    check(bool(((keep >= 0) & (keep <= 1)).all()), "a number in keep is not between 0 and 1")
    check(bool(((alias >= 0) & (alias < v)).all()), "an alias is no index")
    mass = keep.scatter_add(0, alias, 1 - keep) / v
    wanted = weights.double() / weights.double().sum()
    # Each of at most V steps rounds numbers of at most V once or twice, and masses are V times smaller.
    assert_close(mass, wanted, rtol=0.0, atol=4 * v * 2.3e-16, name="mass of the indices")
    never = weights == 0
    check(bool((keep[never] == 0).all()), "an index of weight 0 keeps a part of its column")
    check(not bool(never[alias[keep < 1]].any()), "an index of weight 0 is the alias of a column")
    return keep, alias


@sample
@points(1)
def test_certain_order(solution):
    """Logits that are thousands apart: the order of the draws is certain, and minus infinity is never drawn."""
    logits = torch.tensor([[0.0, -3000.0, 5000.0, -INF], [-INF, -9000.0, -4000.0, -6000.0]])
    assert_close(solution.gumbel_top_k(logits, 3), torch.tensor([[2, 0, 1], [2, 3, 1]]))


@sample
@points(1)
def test_table_of_two(solution):
    """Weights 1 and 3: the first column keeps half and gives half to index 1, the second keeps all."""
    keep, alias = solution.alias_table(torch.tensor([1.0, 3.0]))
    assert_close(keep, torch.tensor([0.5, 1.0], dtype=F64), name="keep")
    check(alias[0].item() == 1, "the alias of column 0 must be 1")


@sample
@points(1)
def test_short_stream(solution):
    """A stream with no more than k items is kept whole."""
    check(sorted(solution.reservoir(["a", "b", "c"], 5)) == ["a", "b", "c"], "all three items expected")
    check(sorted(solution.reservoir(["a", "b", "c"], 3)) == ["a", "b", "c"], "all three items expected")
    assert_close(solution.reservoir([], 2), [])


@points(3)
@EACH_DTYPE
def test_pairs(solution, rng, dtype):
    """Two draws without replacement have other frequencies: after the first, the rest must be divided by what is left."""
    order = rng.permutation(4)
    logits = P[order].log().to(dtype) + 3
    found = chosen(solution, logits.expand(DRAWS, 4), 2, torch.Generator().manual_seed(rng.seed()))
    expect_sequences(found, P[order].tolist(), "a pair of indices")


@points(3)
def test_all_of_four(solution, rng):
    """With k = V, the order of all indices has other frequencies than draws one after the other."""
    order = rng.permutation(4)
    found = chosen(solution, P[order].log().expand(DRAWS, 4), 4, torch.Generator().manual_seed(rng.seed()))
    expect_sequences(found, P[order].tolist(), "an order of four indices")


@points(2)
def test_rows_are_independent(solution, rng):
    """Rows share their random numbers, or see each other's logits."""
    found = chosen(solution, torch.zeros(2 * DRAWS, 2), 1, torch.Generator().manual_seed(rng.seed()))[:, 0]
    expect_share(int((found[::2] == found[1::2]).sum()), DRAWS, 0.5, "neighbours that agree")
    wanted = torch.stack([rng.permutation(5)[:3] for _ in range(31)])
    logits = torch.full((31, 5), -INF, dtype=F64).scatter(
        1, wanted, torch.tensor([[900.0, 600.0, 300.0]]).double().expand(31, 3)
    )
    assert_close(chosen(solution, logits, 3), wanted, name="indices of certain rows")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("shift", [0.0, 9000.0, -9000.0])
def test_far_apart(solution, rng, shift, dtype):
    """Logits far apart or far from zero: an exponential overflowed, or became 0 and lost the order. Stay in the logarithm."""
    wanted = torch.stack([rng.permutation(5) for _ in range(60)])
    steps = shift - torch.arange(5, dtype=dtype) * 200
    logits = torch.empty(60, 5, dtype=dtype).scatter(1, wanted, steps.expand(60, 5))
    assert_close(chosen(solution, logits, 5, torch.Generator().manual_seed(rng.seed())), wanted)


@points(2)
def test_impossible_indices(solution, rng):
    """An index with a logit of minus infinity was drawn."""
    logits = rng.randn(400, 7, dtype=F64)
    impossible = torch.stack([rng.permutation(7)[:4] for _ in range(400)])
    logits.scatter_(1, impossible, -INF)
    found = chosen(solution, logits, 3)
    check(bool(torch.isfinite(logits.gather(1, found)).all()), "an impossible index was drawn")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("v", [1, 2, 7, 61])
def test_tables(solution, rng, v, dtype):
    """The table is not exact: some index gets more or less than its share of the columns."""
    for _ in range(5):
        table(solution, 100 * rng.rand(v, dtype=dtype) ** 6 + 1e-3)
        table(solution, 1e-3 * rng.rand(v, dtype=dtype))
    table(solution, torch.full((v,), 0.3, dtype=dtype))


@points(2)
def test_tables_with_zeros(solution, rng):
    """An index of weight 0 gets something, or one with all the weight does not get everything."""
    for v in (2, 5, 47):
        weights = rng.rand(v, dtype=F64) + 0.1
        weights[rng.mask(v)] = 0
        weights[rng.integer(0, v)] = 0
        weights[rng.integer(0, v)] = 3 * v
        table(solution, weights)
        alone = torch.zeros(v)
        alone[rng.integer(0, v)] = 0.7
        table(solution, alone)


@points(1)
def test_long_table(solution, rng):
    """A table of thousands of very different weights has to be exact, too."""
    table(solution, 10 ** (8 * rng.rand(3001, dtype=F64) - 4))


TABLES = {  # two tables for each of two distributions, one of them with more than the usual number of detours
    "own": ([0.25, 1.0, 0.5, 1.0, 0.0], [1, 1, 3, 3, 1]),
    "shared": ([0.5, 0.75, 0.0, 0.25, 1.0], [3, 4, 1, 4, 2]),
}


@points(2)
@pytest.mark.parametrize("name", TABLES)
def test_draws(solution, rng, name):
    """Draws from a given table have other frequencies: a column is uniform, and keep is the probability of staying in it."""
    keep, alias = torch.tensor(TABLES[name][0], dtype=F64), torch.tensor(TABLES[name][1])
    mass = keep.scatter_add(0, alias, 1 - keep) / 5
    found = solution.alias_draw(keep, alias, DRAWS, torch.Generator().manual_seed(rng.seed()))
    check(found.dtype == torch.int64 and found.shape == (DRAWS,), "draws of dtype int64 and shape (n,) expected")
    counts = found.bincount(minlength=5).tolist()
    check(len(counts) == 5, "a draw is no index")
    for i in range(5):
        expect_share(counts[i], DRAWS, mass[i].item(), "an index")


@points(2)
def test_draws_are_independent(solution, rng):
    """Draws depend on the one before: pairs in a row must have the product of two probabilities."""
    keep, alias = table(solution, torch.tensor([0.1, 0.4, 0.3, 0.2], dtype=F64)[rng.permutation(4)])
    mass = (keep.scatter_add(0, alias, 1 - keep) / 4).tolist()
    found = solution.alias_draw(keep, alias, 2 * DRAWS, torch.Generator().manual_seed(rng.seed()))
    counts = (4 * found[::2] + found[1::2]).bincount(minlength=16).tolist()
    for a, b in itertools.product(range(4), repeat=2):
        expect_share(counts[4 * a + b], DRAWS, mass[a] * mass[b], "two draws in a row")


@points(1)
def test_numbers_of_draws(solution, rng):
    """No draw at all, and 100,000 at once, are ordinary; a table of one column has one result."""
    keep, alias = torch.ones(1, dtype=F64), torch.zeros(1, dtype=torch.int64)
    for n in (0, 1, 100_000):
        assert_close(solution.alias_draw(keep, alias, n), torch.zeros(n, dtype=torch.int64))


@points(3)
@pytest.mark.parametrize("sizes", [(5, 2), (6, 1), (6, 3)], ids=["2-of-5", "1-of-6", "3-of-6"])
def test_sets(probes, rng, sizes):
    """Not all sets of places are equally frequent: the item number i stays with probability k / i, in a slot drawn evenly."""
    n, k = sizes
    found = [tuple(line) for line in probes.kept(n, k, SETS, rng.seed())]
    sets = list(itertools.combinations(range(n), k))
    check(set(found) <= set(sets), "a result is no set of k different places")
    for one in sets:
        expect_share(found.count(one), SETS, 1 / len(sets), "a set of places")


@points(2)
@attested
def test_memory(probes, rng):
    """More items are kept than k and the one just read, or the stream is not read to its end."""
    for n, k in ((300, 3), (41, 1), (29, 28), (5, 9)):
        outcome = probes.alive(n, k, rng.seed())
        places = outcome["places"]
        check(len(places) == min(n, k) and len(set(places)) == len(places), "min(k, n) different items expected")
        check(set(places) <= set(range(n)), "an item is not from the stream")
        check(outcome["ends"] == 1, "the stream must be read to its end, once")
        # The stream itself holds one while it makes the next, and a loop variable may hold another.
        check(outcome["most"] <= k + 3, "too many items are alive at the same time")


@points(1)
def test_any_items(solution):
    """Items may be None, equal to each other, of any type, and without an order."""
    assert_close(solution.reservoir([None] * 30, 4), [None] * 4)
    assert_close(solution.reservoir([0] * 30, 2), [0, 0])
    found = solution.reservoir([{"a": 1}, {"b": 2}, [3], "four", 5.0] * 5, 24)
    check(type(found) is list and len(found) == 24, "a list of 24 items expected")


def calls(solution, rng):
    """A call of each function that draws."""
    keep, alias = torch.ones(41, dtype=F64), torch.arange(41)
    return [
        lambda *g: solution.gumbel_top_k(torch.zeros(7, 41), 5, *g).tolist(),
        lambda *g: solution.alias_draw(keep, alias, 100, *g).tolist(),
        lambda *g: solution.reservoir(list(range(200)), 20, *g),
    ]


@points(3)
def test_generator(solution, rng):
    """A given generator decides alone: equal states repeat, the state moves on, and torch's own generator is left alone."""
    for call in calls(solution, rng):
        seed, generator = rng.seed(), torch.Generator()
        generator.manual_seed(seed)
        torch.manual_seed(rng.seed())
        before = torch.get_rng_state()
        first = call(generator)
        check(torch.equal(torch.get_rng_state(), before), "torch's own generator was used or seeded")
        check(call(generator) != first, "two results from one generator are equal: its state does not move on")
        torch.manual_seed(rng.seed())
        check(call(torch.Generator().manual_seed(seed)) == first, "the same state gives another result")


@points(1)
def test_global_generator(solution, rng):
    """Without a generator, torch.manual_seed repeats a result, and two results in a row differ."""
    for call in calls(solution, rng):
        seed = rng.seed()
        torch.manual_seed(seed)
        first, second = call(), call()
        torch.manual_seed(seed)
        check(call() == first, "the same seed gives another result")
        check(first != second, "two results in a row are equal")


@points(2)
def test_errors(solution):
    """k below 1, too few possible indices, negative weights, and weights that are all 0 are a ValueError."""
    logits = torch.tensor([[0.0, 1.0, 2.0], [0.0, -INF, 1.0]])
    for k in (0, -1, 3):
        with pytest.raises(ValueError):
            solution.gumbel_top_k(logits, k)
    with pytest.raises(ValueError):
        solution.gumbel_top_k(logits[:1], 4)
    for weights in ([0.0, 0.0, 0.0], [1.0, -0.5, 2.0], [0.0]):
        with pytest.raises(ValueError):
            solution.alias_table(torch.tensor(weights))
    for k in (0, -2):
        with pytest.raises(ValueError):
            solution.reservoir([1, 2, 3], k)


@points(1)
def test_layouts_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is changed."""
    wanted = torch.stack([rng.permutation(5) for _ in range(6)])
    logits = torch.empty(6, 5, dtype=F64).scatter(1, wanted, -300 * torch.arange(5).double().expand(6, 5))
    view = logits.t().contiguous().t()
    assert_close(assert_not_mutated(solution.gumbel_top_k, view, 4), wanted[:, :4])
    weights = rng.rand(26, dtype=F64)[::2]
    assert_not_mutated(solution.alias_table, weights)
    keep, alias = table(solution, weights)
    assert_not_mutated(solution.alias_draw, keep, alias, 5)
    assert_not_mutated(solution.reservoir, [3, 1, 2, 5], 2)
