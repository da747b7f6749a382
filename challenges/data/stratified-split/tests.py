"""Hidden tests: stratified_split."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

THREE = [0.7, 0.15, 0.15]


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def check_parts(parts, labels, fractions):
    """Types, coverage, then the share of each class in each part."""
    check(type(parts) is list and all(type(part) is list for part in parts), "the answer must be a list of lists")
    check(len(parts) == len(fractions), "there must be one part for each fraction")
    flat = [i for part in parts for i in part]
    check(all(type(i) is int for i in flat), "indices must be Python ints")
    check(len(set(flat)) == len(flat), "an index is used twice")
    check(set(flat) <= set(range(len(labels))), "an index is out of range")
    check(len(flat) == len(labels), "indices are missing: the parts do not add up to the whole")
    for one in labels.unique().tolist():
        count = int((labels == one).sum())
        for part, fraction in zip(parts, fractions, strict=True):
            found = int((labels[part] == one).sum()) if part else 0
            near = abs(found - count * fraction) < 1 - 1e-6
            check(near, "some class is a whole sample or more away from its share of some part")


def mixed(rng, counts, names=None):
    """Labels with the given number of samples for each class, in random order."""
    names = range(len(counts)) if names is None else names
    labels = torch.tensor([name for name, n in zip(names, counts, strict=True) for _ in range(n)], dtype=torch.int64)
    return labels[rng.permutation(len(labels))]


@sample
@points(1)
def test_even_shares(solution):
    """Ten samples of one class and twenty of another, cut in half: 5 and 10 in either part."""
    labels = torch.tensor([0, 1, 1] * 10)
    parts = solution.stratified_split(labels, [0.5, 0.5], generator())
    check_parts(parts, labels, [0.5, 0.5])
    assert_close([len(part) for part in parts], [15, 15], name="sizes")


@sample
@points(1)
def test_ten_samples_in_three(solution):
    """Ten samples by [0.7, 0.15, 0.15]: seven, and then one and two in one order or the other."""
    labels = torch.zeros(10, dtype=torch.int64)
    parts = solution.stratified_split(labels, THREE, generator(3))
    check_parts(parts, labels, THREE)
    assert_close(len(parts[0]), 7, name="size of the first part")


@sample
@points(1)
def test_fractions_must_add_up(solution):
    """Fractions whose sum is not 1 raise ValueError."""
    with pytest.raises(ValueError):
        solution.stratified_split(torch.zeros(4, dtype=torch.int64), [0.5, 0.4], generator())


@points(2)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_classes(solution, rng, seed):
    """For some mixture of classes an index is lost or used twice, or a class misses its share."""
    labels = mixed(rng, [rng.integer(1, 30) for _ in range(5)])
    check_parts(solution.stratified_split(labels, THREE, generator(rng.seed())), labels, THREE)


@points(2)
@pytest.mark.parametrize("n", [7, 11, 13, 29])
def test_awkward_totals(solution, rng, n):
    """With sizes that no fraction divides, every part must stay less than one sample away from its share."""
    for fractions in ([0.4, 0.3, 0.2, 0.1], [1 / 3, 1 / 3, 1 / 3]):
        labels = mixed(rng, [n, n + 1])
        check_parts(solution.stratified_split(labels, fractions, generator(rng.seed())), labels, fractions)


@points(2)
@pytest.mark.parametrize(
    "fractions", [[0.7, 0.1, 0.2], [0.6, 0.3, 0.1], [0.1] * 10], ids=["seven-one-two", "six-three-one", "tenths"]
)
def test_whole_shares_are_met(solution, rng, fractions):
    """Where n times a fraction is a whole number it is met exactly: mind what floats do to sums of fractions."""
    for count in (10, 30, 100):
        labels = mixed(rng, [count, 10])
        check_parts(solution.stratified_split(labels, fractions, generator(rng.seed())), labels, fractions)


@points(2)
def test_halves_on_both_sides(solution, rng):
    """Boundaries that fall on halves must all be rounded to the same side, or a part loses a whole sample."""
    labels = mixed(rng, [2, 6, 10, 14])
    fractions = [0.25, 0.5, 0.25]
    check_parts(solution.stratified_split(labels, fractions, generator(rng.seed())), labels, fractions)


@points(1)
@pytest.mark.parametrize("names", [[-3, 0, 7], [10**12, 5, -1]], ids=["negative", "huge"])
def test_labels_are_names(solution, rng, names):
    """Labels are names: negative ones, gaps and very large numbers are all allowed."""
    labels = mixed(rng, [4, 9, 6], names)
    check_parts(solution.stratified_split(labels, [0.5, 0.5], generator(rng.seed())), labels, [0.5, 0.5])


@points(1)
def test_rare_classes(solution, rng):
    """A class of one or two samples is split as well as can be, and none of it is lost."""
    labels = mixed(rng, [1, 2, 1, 3, 1])
    check_parts(solution.stratified_split(labels, THREE, generator(rng.seed())), labels, THREE)


@points(3)
@pytest.mark.parametrize("parts", [3, 4, 5, 6])
def test_tiny_classes(solution, rng, parts):
    """Where a class has hardly more samples than there are parts, each part must still be less than one sample off its share."""
    labels = mixed(rng, list(range(1, 16)))
    lists = {3: [[0.15, 0.15, 0.7], [0.45, 0.45, 0.1]], 4: [[0.2, 0.2, 0.2, 0.4], [0.3, 0.3, 0.3, 0.1]]}.get(parts, [])
    for _ in range(5):
        cuts = sorted(rng.integer(1, 19) for _ in range(parts - 1))
        lists.append([(b - a) / 20 for a, b in zip([0, *cuts], [*cuts, 20], strict=True)])
    for fractions in lists:
        check_parts(solution.stratified_split(labels, fractions, generator(rng.seed())), labels, fractions)


@points(1)
@pytest.mark.parametrize("fractions", [[1.0], [0.0, 1.0], [0.5, 0.0, 0.5]], ids=["one", "zero-first", "zero-between"])
def test_fractions_of_zero_and_one(solution, rng, fractions):
    """A fraction of 0 leaves its part empty, a fraction of 1 takes everything."""
    labels = mixed(rng, [5, 4])
    check_parts(solution.stratified_split(labels, fractions, generator(rng.seed())), labels, fractions)


@points(1)
def test_no_samples(solution):
    """Without samples there are as many empty lists as there are fractions."""
    parts = solution.stratified_split(torch.empty(0, dtype=torch.int64), THREE, generator())
    assert_close(parts, [[], [], []], name="parts")


@points(1)
@pytest.mark.parametrize(
    "fractions",
    [[0.6, 0.5], [1.2, -0.2], [0.5, 0.50001], [0.5, 0.49999], [-1e-7, 1.0]],
    ids=["too-much", "negative", "a-little-too-much", "a-little-too-little", "hardly-negative"],
)
def test_impossible_fractions(solution, fractions):
    """Fractions below 0, or whose sum is further than a millionth from 1, raise ValueError."""
    with pytest.raises(ValueError):
        solution.stratified_split(torch.zeros(10, dtype=torch.int64), fractions, generator())


@points(1)
def test_thirds_are_allowed(solution, rng):
    """A sum that misses 1 by a rounding error is a sum of 1."""
    for count, fractions in ((9, [0.3333333, 0.3333333, 0.3333333]), (9, [0.1] * 10), (3000, [0.4999996, 0.4999996])):
        parts = solution.stratified_split(mixed(rng, [count]), fractions, generator())
        check(sorted(i for part in parts for i in part) == list(range(count)), "the parts do not add up to the whole")


@points(2)
def test_every_sample_has_the_same_chance(probes, rng):
    """Which samples of a class go where must depend on the generator, each with the same chance."""
    labels = mixed(rng, [6, 8])
    seeds = [rng.seed() for _ in range(80)]
    splits = probes.many(labels, [0.5, 0.5], seeds)
    times = torch.zeros(14)
    for parts in splits:
        check_parts(parts, labels, [0.5, 0.5])
        times[parts[0]] += 1
    even = bool(((times > 12) & (times < 68)).all())  # 40 expected, with a standard deviation of 4.5
    check(even, "some samples go into the same part nearly always")


@points(1)
def test_every_set_of_samples(probes, rng):
    """Every half of a class must be possible: a fixed order that only starts elsewhere gives a few of them."""
    labels = mixed(rng, [4])
    splits = probes.many(labels, [0.5, 0.5], [rng.seed() for _ in range(200)])
    # six halves of four samples; that one of them does not come in 200 draws has a probability of 1e-15
    check(len({frozenset(parts[0]) for parts in splits}) == 6, "some sets of samples never form a part")


@points(2)
def test_equal_generators_give_equal_parts(probes, rng):
    """The generator decides alone: the global one is neither read nor moved, and an equal state repeats the split."""
    labels = mixed(rng, [12, 9])
    splits, moved = probes.beside_the_global_generator(labels, THREE, rng.seed(), [1, 2, 3])
    check(splits[0] == splits[1] == splits[2], "equal generators gave different parts")
    check(moved is False, "the global generator was moved")


@points(1)
def test_labels_are_left_alone(solution, rng):
    """The labels belong to the caller: sort or shuffle a copy."""
    labels = mixed(rng, [5, 7])
    assert_not_mutated(solution.stratified_split, labels, [0.5, 0.5], generator())


@points(1)
def test_generator_moves_on(solution, rng):
    """Two calls with the same generator object go on with its stream, and so draw two different splits."""
    labels, one = mixed(rng, [40, 40]), generator(rng.seed())
    first = solution.stratified_split(labels, [0.5, 0.5], one)
    second = solution.stratified_split(labels, [0.5, 0.5], one)
    check(set(first[0]) != set(second[0]), "the second call with the same generator repeated the first split")
