"""Hidden tests: BucketBatchSampler."""

from itertools import pairwise

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample


def expected_batches(lengths, max_tokens):
    """Rules 1 to 3, sample by sample."""
    batches, batch = [], []
    for n, i in sorted((n, i) for i, n in enumerate(lengths)):
        if (len(batch) + 1) * n > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    return [*batches, batch] if batch else batches


def check_pass(batches, lengths, max_tokens):
    """Types, then each index once, the budget, and the lengths of the batches."""
    check(all(type(batch) is list for batch in batches), "batches must be lists")
    flat = [i for batch in batches for i in batch]
    check(all(type(i) is int for i in flat), "indices must be Python ints")
    check(sorted(flat) == list(range(len(lengths))), "each index must stand in one batch of a pass")
    cost = [len(batch) * max(lengths[i] for i in batch) for batch in batches]
    check(all(c <= max_tokens for c in cost), "a padded batch costs more than the budget")
    found = sorted(sorted(lengths[i] for i in batch) for batch in batches)
    wanted = sorted([lengths[i] for i in batch] for batch in expected_batches(lengths, max_tokens))
    check(found == wanted, "the lengths in the batches differ from those of the sorted order")


def skewed(rng, n, longest=60):
    """Many short lengths and a few long ones."""
    return [1 + int((longest - 1) * rng.uniform(0.0, 1.0) ** 3) for _ in range(n)]


@sample
@points(1)
def test_six_samples(probes):
    """The lengths 5 2 9 2 3 5 with a budget of 10: 2 2 3 cost 9, 5 5 cost 10, and 9 is alone."""
    outcome = probes.passes([5, 2, 9, 2, 3, 5], 10, 1)
    assert_close(outcome["batches"], [[[1, 3, 4], [0, 5], [2]]], name="passes and batches")
    assert_close(outcome["announced"], [3], name="len(sampler)")


@sample
@points(1)
def test_too_long(solution):
    """A sample of 11 tokens never fits into a budget of 10."""
    with pytest.raises(ValueError):
        solution.BucketBatchSampler([3, 11, 2], 10)


@sample
@points(1)
def test_shuffled_batches(probes):
    """Shuffled batches hold the same lengths, and each index once."""
    lengths = [4, 1, 4, 2, 4, 1]
    outcome = probes.passes(lengths, 8, 3, seed=5)
    for batches in outcome["batches"]:
        check_pass(batches, lengths, 8)


@points(3)
@pytest.mark.parametrize("max_tokens", [60, 61, 128, 500])
def test_sorted_batches(probes, rng, max_tokens):
    """Batches differ from the sorted order, cut by what a padded batch costs."""
    lengths = skewed(rng, 97)
    outcome = probes.passes(lengths, max_tokens, 2)
    for batches in outcome["batches"]:
        assert_close(batches, expected_batches(lengths, max_tokens), name="batches")
    count = len(expected_batches(lengths, max_tokens))
    check(outcome["announced"] == [count, count], "len(sampler) is not the number of batches")


@points(1)
def test_exactly_the_budget(probes):
    """A batch may cost the budget itself, and a sample may be as long as the budget."""
    assert_close(probes.passes([6, 2, 3, 3, 2, 2], 6, 1)["batches"], [[[1, 4, 5], [2, 3], [0]]], name="batches")


@points(2)
def test_the_new_sample_counts_twice(probes, rng):
    """A new sample is one more row, and it sets the width of all rows: both count before it joins."""
    for lengths, max_tokens, batches in (([4, 4, 4], 10, [[0, 1], [2]]), ([2, 5, 2], 10, [[0, 2], [1]])):
        factor = rng.integer(1, 9)
        found = probes.passes([factor * n for n in lengths], factor * max_tokens, 1)["batches"]
        assert_close(found, [batches], name="batches")


@points(1)
def test_a_tensor_of_lengths(probes, rng):
    """Lengths may be an int64 tensor, and indices are Python ints all the same."""
    lengths = skewed(rng, 40)
    for seed in (None, rng.seed()):
        batches = probes.passes(torch.tensor(lengths), 70, 1, seed)["batches"][0]
        check_pass(batches, lengths, 70)


@points(1)
def test_no_samples(probes, rng):
    """Without samples there are no batches."""
    for seed in (None, rng.seed()):
        outcome = probes.passes([], 10, 2, seed)
        assert_close([outcome["announced"], outcome["batches"]], [[0, 0], [[], []]], name="lengths and passes")


@points(3)
@pytest.mark.parametrize("max_tokens", [60, 150, 400])
def test_shuffled_passes(probes, rng, max_tokens):
    """In some shuffled pass an index is lost or used twice, a batch costs too much, or the announced number is wrong."""
    lengths = skewed(rng, 83)
    outcome = probes.passes(lengths, max_tokens, 4, rng.seed())
    for announced, batches in zip(outcome["announced"], outcome["batches"], strict=True):
        check_pass(batches, lengths, max_tokens)
        check(announced == len(batches), "len(sampler) is not the number of batches of the pass")


@points(2)
@pytest.mark.parametrize(("longest", "max_tokens"), [(24, 100), (10, 10)], ids=["full", "some-alone"])
def test_order_of_the_batches(probes, rng, longest, max_tokens):
    """With lengths that all differ the batches are the same in each pass, but each of them must come first at times."""
    lengths = [int(i) + 1 for i in rng.permutation(longest)]
    passes = probes.passes(lengths, max_tokens, 300, rng.seed())["batches"]
    batches = len(expected_batches(lengths, max_tokens))
    for place in (0, 1, batches - 1):
        seen = {tuple(sorted(one[place])) for one in passes}
        # that one of fewer than ten batches does not come in 300 passes has a probability below 1e-12
        check(len(seen) == batches, "some batch never comes at some place of the pass")
    pairs = {(min(a), min(b)) for one in passes for a, b in pairwise(one)}
    check(len(pairs) == batches * (batches - 1), "some batch never follows some other")


@points(1)
def test_large_lengths(probes, rng):
    """Lengths that differ in their last digit alone are different lengths: nothing may round them."""
    lengths = [10**8 + int(i) for i in rng.permutation(20)]
    for seed in (None, rng.seed()):
        for batches in probes.passes(lengths, 3 * 10**8 + 60, 3, seed)["batches"]:
            check_pass(batches, lengths, 3 * 10**8 + 60)


@points(2)
def test_partners_change(probes, rng):
    """Samples of equal length must change their partners from pass to pass, and also who is left for the last batch."""
    passes = probes.passes([5] * 14, 15, 200, rng.seed())["batches"]
    together = sum(any(0 in batch and 1 in batch for batch in one) for one in passes)
    # 2 of 13 for most samples: 29 expected, with a standard deviation of 5
    check(0 < together < 80, "two samples always or never share a batch")
    rest = {i for one in passes for batch in one if len(batch) == 2 for i in batch}
    # that one sample of 14 is not in the small batch in 200 passes has a probability of 4e-14
    check(len(rest) == 14, "some samples never stand in the smaller batch")


@points(2)
def test_equal_generators_give_equal_passes(probes, rng):
    """The generator decides alone: the global one is neither read nor moved, and each pass draws again."""
    lengths, seed = skewed(rng, 60), rng.seed()
    outcomes = [probes.passes(lengths, 90, 3, seed, world) for world in (1, 2)]
    check(outcomes[0]["batches"] == outcomes[1]["batches"], "equal generators gave different passes")
    check(not any(outcome["moved"] for outcome in outcomes), "the global generator was moved")
    first, second, third = outcomes[0]["batches"]
    check(first != second and second != third, "two passes of one sampler are the same")


@points(1)
def test_asking_for_the_length(probes, rng):
    """len(sampler) draws nothing: passes are the same, however often it is asked."""
    for plain, asked, sizes in probes.with_questions(skewed(rng, 50), 80, rng.seed()):
        check(plain == asked, "asking for the length changed a pass")
        check(sizes == [len(plain)] * 3, "len(sampler) is not the number of batches")


@points(1)
def test_after_a_broken_pass(probes, rng):
    """A pass that was left early must not shorten the next one."""
    lengths = skewed(rng, 45)
    for seed in (None, rng.seed()):
        check_pass(probes.after_a_broken_pass(lengths, 64, seed), lengths, 64)


@points(1)
def test_two_passes_at_once(probes, rng):
    """Each pass has a place of its own: one that begins while another is read changes nothing for that one."""
    lengths = skewed(rng, 45)
    for seed in (None, rng.seed()):
        for batches in probes.two_at_once(lengths, 64, seed):
            check_pass(batches, lengths, 64)


@points(1)
def test_in_a_loader(probes, rng):
    """A DataLoader takes the sampler as batch_sampler, for more than one epoch."""
    lengths = skewed(rng, 40)
    for seed in (None, rng.seed()):
        for size, batches in probes.in_a_loader(lengths, 75, 2, seed):
            check_pass(batches, lengths, 75)
            check(size == len(batches), "len(loader) is not the number of batches")


@points(1)
def test_impossible_arguments(solution, rng):
    """A length above the budget, and shuffling without a generator, raise ValueError."""
    with pytest.raises(ValueError):
        solution.BucketBatchSampler([*skewed(rng, 9), 61], 60)
    with pytest.raises(ValueError):
        solution.BucketBatchSampler([3, 4], 10, shuffle=True)
    with pytest.raises(ValueError):
        solution.BucketBatchSampler([3, 21], 20, shuffle=True, generator=torch.Generator().manual_seed(1))


@points(1)
def test_lengths_are_left_alone(solution, probes, rng):
    """The lengths belong to the caller: sort a copy."""
    lengths = skewed(rng, 12)
    assert_not_mutated(lambda x: len(solution.BucketBatchSampler(x, 70)), lengths)
    assert_not_mutated(lambda x: len(solution.BucketBatchSampler(x, 70)), torch.tensor(lengths))
    check(probes.lengths_after_a_pass(lengths, 70) == lengths, "a pass changed the lengths")
    after = probes.lengths_after_a_pass(torch.tensor(lengths), 70)
    check(after.tolist() == lengths, "a pass changed the lengths")
