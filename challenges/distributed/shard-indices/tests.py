"""Hidden tests: shard. The library's sampler is the measure, and all ranks are looked at together."""

import pytest
import torch
from torch.utils.data import DistributedSampler

from grader.testing import assert_close, attested, check, points, sample


def library(n, rank, world, epoch, seed, shuffle, drop_last):
    """What the library's sampler gives; with rank and size given it needs no process group."""
    sampler = DistributedSampler(range(n), world, rank, shuffle=shuffle, seed=seed, drop_last=drop_last)
    sampler.set_epoch(epoch)
    return list(sampler)


def drawn(rng, count, shuffle, drop_last, world=None):
    """Settings (n, world, epoch, seed, shuffle, drop_last); every third time the world divides n."""
    settings = []
    for i in range(count):
        ranks = world or rng.integer(1, 6)
        n = ranks * rng.integer(2, 8) + (rng.integer(0, ranks) if i % 3 else 0)
        settings.append((n, ranks, rng.integer(0, 100), rng.integer(0, 10**6), shuffle, drop_last))
    return settings


def check_like_library(probes, settings):
    """All ranks of all settings."""
    for found, (n, world, *rest) in zip(probes.ranks_of(settings), settings, strict=True):
        for rank, indices in enumerate(found):
            check(type(indices) is list, "the result must be a list")
            expected = library(n, rank, world, *rest)
            check(len(indices) == len(expected), "a rank has not as many indices as the library's sampler gives it")
            check(indices == expected, "a rank has not the indices of the library's sampler, in its order")


@sample
@points(1)
def test_in_turn(solution):
    """Without shuffling, the ranks take items in turn: rank 1 of 3 gets 1, 4, 7."""
    assert_close(solution.shard(9, 1, 3, 0, 0, False, False), [1, 4, 7], name="indices")


@sample
@points(1)
def test_goes_on_from_the_start(solution):
    """Where items are missing at the end, the order goes on from its start."""
    for rank, expected in enumerate([[0, 3, 6], [1, 4, 0], [2, 5, 1]]):
        assert_close(solution.shard(7, rank, 3, 0, 0, False, False), expected, name=f"indices of rank {rank}")


@sample
@points(1)
def test_shuffled(solution):
    """Shuffled, the order is randperm from a generator with the seed seed + epoch."""
    for rank in range(2):
        expected = library(8, rank, 2, 3, 17, True, False)
        assert_close(solution.shard(8, rank, 2, 3, 17, True, False), expected, name=f"indices of rank {rank}")


@points(2)
@pytest.mark.parametrize("drop_last", [False, True], ids=["padded", "dropped"])
@pytest.mark.parametrize("shuffle", [False, True], ids=["in-order", "shuffled"])
def test_like_the_library(probes, rng, shuffle, drop_last):
    """The indices differ from those of the library's sampler: go through order, length and part one by one."""
    check_like_library(probes, drawn(rng, 50, shuffle, drop_last))


@points(2)
@pytest.mark.parametrize("drop_last", [False, True])
def test_more_ranks_than_items(probes, rng, drop_last):
    """With more ranks than items: padding repeats the order as often as needed, dropping leaves nothing."""
    settings = []
    for n in (1, 2, 3):
        for shuffle in (False, True):
            world = 3 * n + rng.integer(0, 3)
            settings.append((n, world, rng.integer(0, 9), rng.integer(0, 99), shuffle, drop_last))
    check_like_library(probes, settings)


@points(1)
def test_no_items(probes, rng):
    """An empty dataset gives every rank an empty list."""
    settings = [(0, 3, 1, rng.seed(), shuffle, drop) for shuffle in (False, True) for drop in (False, True)]
    for found in probes.ranks_of(settings):
        check(found == [[], [], []], "every rank of an empty dataset must get an empty list")


@points(1)
def test_one_rank(probes, rng):
    """A single rank gets the whole order, and nothing is added or dropped."""
    check_like_library(probes, [s for drop in (False, True) for s in drawn(rng, 4, True, drop, world=1)])


@points(1)
@pytest.mark.parametrize("drop_last", [False, True])
def test_equal_lengths(probes, rng, drop_last):
    """All ranks must get equally many indices, or some of them wait for ever in the last step."""
    for found in probes.ranks_of(drawn(rng, 12, True, drop_last, world=4)):
        check(len({len(indices) for indices in found}) == 1, "the ranks have different numbers of indices")


@points(2)
@pytest.mark.parametrize("drop_last", [False, True])
def test_full_coverage(probes, rng, drop_last):
    """Together the ranks must cover the dataset: all of it when padded, all but the remainder when dropped."""
    settings = drawn(rng, 12, True, drop_last, world=4)
    for found, (n, world, *_) in zip(probes.ranks_of(settings), settings, strict=True):
        union = [index for indices in found for index in indices]
        if drop_last:
            check(len(set(union)) == len(union), "with drop_last no item is visited twice in an epoch")
            check(len(union) == n - n % world, "with drop_last only the remainder is left out")
        else:
            check(set(union) == set(range(n)), "some items are visited by no rank")
            check(len(union) - n == -n % world, "the padding must be as short as possible")


@points(1)
def test_new_order_each_epoch(probes, rng):
    """Each epoch must have an order of its own."""
    seed = rng.integer(0, 1000)
    found = probes.ranks_of([(40, 2, epoch, seed, True, False) for epoch in range(4)])
    check(len({tuple(ranks[0]) for ranks in found}) == 4, "two epochs have the same order")


@points(1)
def test_epoch_and_seed_are_added(probes, rng):
    """Only the sum of seed and epoch matters for the order."""
    epoch, seed = rng.integer(1, 50), rng.integer(100, 1000)
    one, other = probes.ranks_of([(30, 3, epoch, seed, True, False), (30, 3, 0, seed + epoch, True, False)])
    check(one == other, "equal sums of seed and epoch must give equal orders")


@points(1)
def test_without_shuffle(probes, rng):
    """Without shuffling neither the epoch nor the seed matters."""
    first, *others = probes.ranks_of([(11, 3, epoch, rng.integer(0, 99), False, False) for epoch in (0, 1, 5)])
    check(all(other == first for other in others), "the order depends on epoch or seed, although it is not shuffled")


@attested
@points(1)
def test_global_random_state(probes, rng):
    """The global random state is neither read nor moved."""
    setting = (20, 1, 3, rng.integer(0, 9), rng.integer(0, 999), True, False)
    (one, kept), (other, _) = probes.with_global_seed(setting, 1), probes.with_global_seed(setting, 2)
    check(one == other, "the order depends on the global random state")
    check(kept, "the global random state has moved, or was seeded")


@points(1)
def test_plain_integers(solution, rng):
    """The result must be a list of plain Python integers, shuffled or not."""
    for shuffle in (False, True):
        found = solution.shard(9, 1, 2, 0, rng.integer(0, 99), shuffle, False)
        check(type(found) is list and all(type(index) is int for index in found), "not a list of Python int")


@points(1)
@pytest.mark.parametrize("case", ["negative", "world", "beyond"])
def test_wrong_rank(solution, rng, case):
    """A rank outside 0, …, world - 1 must raise ValueError."""
    world = rng.integer(2, 5)
    rank = {"negative": -1, "world": world, "beyond": world + 3}[case]
    for n in (12, 0):
        with pytest.raises(ValueError):
            solution.shard(n, rank, world, 0, 0, True, False)


@points(1)
def test_sum_below_zero(solution, rng):
    """A generator takes negative seeds as well: the sum of seed and epoch is used as it is."""
    seed = -rng.integer(10, 1000)
    order = torch.randperm(30, generator=torch.Generator().manual_seed(seed + 3)).tolist()
    check(solution.shard(30, 0, 1, 3, seed, True, False) == order, "the order is not that of the seed `seed + epoch`")
