"""Hidden tests: batches against torch's DataLoader, and a dataset that notes what is read."""

import pytest
import torch
from torch.utils.data import DataLoader, RandomSampler

from grader.testing import assert_close, check, points, sample

NUMBERS = list(range(10))


def by_torch(samples, sampler=None, **options):
    """The batches of torch's loader."""
    return list(DataLoader(samples, sampler=sampler, **options))


def orders(n, seed, count):
    """The permutations of `count` passes."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randperm(n, generator=generator).tolist() for _ in range(count)]


@sample
@points(1)
def test_ten_numbers_in_batches_of_four(probes):
    """Ten numbers in batches of 4: two whole batches and one of 2."""
    outcome = probes.passes(NUMBERS, {"batch_size": 4}, 1)
    check(outcome["length"] == 3, "len(loader) must be 3")
    expected = [torch.tensor([0, 1, 2, 3]), torch.tensor([4, 5, 6, 7]), torch.tensor([8, 9])]
    assert_close(outcome["batches"][0], expected, name="batches")


@sample
@points(1)
def test_two_shuffled_passes(probes):
    """Two shuffled passes with a generator: each follows the next permutation that the generator draws."""
    outcome = probes.passes(NUMBERS, {"batch_size": 10, "shuffle": True}, 2, seed=3)
    generator = torch.Generator().manual_seed(3)
    for batches in outcome["batches"]:
        assert_close(batches[0], torch.randperm(10, generator=generator), name="the only batch of the pass")


@sample
@points(1)
def test_pairs(probes):
    """A sample that is a tuple gives a list: the inputs in one tensor, the labels in another."""
    samples = [(torch.tensor([1.0, 2.0]), 0), (torch.tensor([3.0, 4.0]), 1)]
    outcome = probes.passes(samples, {"batch_size": 2}, 1)
    assert_close(
        outcome["batches"],
        [[[torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([0, 1])]]],
        name="passes and batches",
    )


STRUCTURES = {
    "tensors": lambda rng, i: rng.randn(2, 3),
    "float64": lambda rng, i: rng.randn(3, dtype=torch.float64),
    "numbers": lambda rng, i: (2**60 + i, rng.uniform(-1e5, 1e5), bool(i % 2)),
    "text": lambda rng, i: {"id": i, "text": i * "a"},
    "nested": lambda rng, i: {
        "x": {"image": rng.randn(1, 2, 2), "size": (i, i + 1)},
        "y": [torch.tensor(i), {"name": str(i), "weight": 0.1 * i}],
    },
    "lists": lambda rng, i: [[i, (rng.randn(2), i * i)], torch.tensor(i % 3 == 0)],
}


@points(2)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_structures(probes, rng, structure):
    """A batch has another structure or dtype than torch's: merge position by position and key by key, all the way down."""
    samples = [STRUCTURES[structure](rng, i) for i in range(7)]
    outcome = probes.passes(samples, {"batch_size": 3}, 1)
    assert_close(outcome["batches"][0], by_torch(samples, batch_size=3), rtol=0.0, atol=0.0, name="batches")


@points(1)
def test_text_within_a_tuple(probes):
    """Text gives a list of its strings wherever it stands in a sample, also as an entry of a tuple."""
    samples = [("first", (0, "a")), ("second", (1, "b"))]
    expected = [["first", "second"], [torch.tensor([0, 1]), ["a", "b"]]]
    assert_close(probes.passes(samples, {"batch_size": 2}, 1)["batches"], [[expected]], name="passes and batches")


@points(2)
@pytest.mark.parametrize("drop_last", [False, True], ids=["keep", "drop"])
def test_shuffled_batches(probes, rng, drop_last):
    """A shuffled pass differs from torch's for the same seed: permute samples, not batches, with the generator given."""
    n, size, seed = rng.integer(11, 15), rng.integer(3, 6), rng.seed()
    samples = [(rng.randn(2), i) for i in range(n)]
    options = {"batch_size": size, "drop_last": drop_last}
    outcome = probes.passes(samples, {**options, "shuffle": True}, 1, seed)
    sampler = RandomSampler(samples, generator=torch.Generator().manual_seed(seed))
    assert_close(outcome["batches"][0], by_torch(samples, sampler, **options), name="batches")
    check(outcome["length"] == len(outcome["batches"][0]), "len(loader) must be the number of batches")


@points(2)
def test_each_pass_draws_anew(probes, rng):
    """Three passes must have three orders, one permutation drawn for each, and read each index once."""
    n, seed = rng.integer(11, 15), rng.seed()
    outcome = probes.passes(list(range(n)), {"batch_size": 4, "shuffle": True}, 3, seed)
    expected = orders(n, seed, 3)
    for k in range(3):
        check(sorted(outcome["read"][k]) == list(range(n)), "a pass does not read each index once")
        check(outcome["read"][k] == expected[k], "the order of a pass is not the next permutation of the generator")
        seen = [i for batch in outcome["batches"][k] for i in batch.tolist()]
        check(seen == expected[k], "the batches of a pass are not in its order")
    generator = torch.Generator().manual_seed(seed)
    for _ in range(3):
        torch.randperm(n, generator=generator)
    check(torch.equal(outcome["state"], generator.get_state()), "something else was drawn from the generator")


@points(2)
def test_global_generator(probes, rng):
    """Without a generator the order comes from torch's own, which is not seeded; with one, torch's own is not touched."""
    n, world, seed = rng.integer(11, 15), rng.seed(), rng.seed()
    shuffled = {"batch_size": 5, "shuffle": True}
    expected = orders(n, world, 2)
    check(probes.passes(list(range(n)), shuffled, 2, None, world)["read"] == expected, "another order than randperm's")
    untouched = torch.Generator().manual_seed(world).get_state()
    outcome = probes.passes(list(range(n)), shuffled, 2, seed, world)
    check(torch.equal(outcome["world"], untouched), "torch's global generator has moved although another one was given")


@points(1)
def test_no_draw_without_shuffling(probes, rng):
    """A pass without shuffling must not draw a random number, from no generator."""
    world, seed = rng.seed(), rng.seed()
    outcome = probes.passes(NUMBERS, {"batch_size": 3}, 2, seed, world)
    check(outcome["read"] == [NUMBERS, NUMBERS], "without shuffling the order is 0, 1, 2, …")
    check(torch.equal(outcome["world"], torch.Generator().manual_seed(world).get_state()), "the global generator moved")
    check(torch.equal(outcome["state"], torch.Generator().manual_seed(seed).get_state()), "the generator moved")


@points(2)
def test_lengths(probes, rng):
    """Number and sizes of the batches, for sizes that divide and that do not, with and without the short last batch."""
    sizes = [(0, 3), (1, 1), (2, 5), (6, 3), (7, 3), (rng.integer(20, 40), rng.integer(3, 9))]
    cases = [(n, size, drop_last) for n, size in sizes for drop_last in (False, True)]
    for (n, size, drop_last), found in zip(cases, probes.lengths(cases), strict=True):
        expected = [len(batch) for batch in torch.arange(n).split(size) if n and not (drop_last and len(batch) < size)]
        check(found[1] == expected, "the batches of a pass have other sizes than they should")
        check(found[0] == len(expected), "len(loader) is not the number of batches")
        check(found[2] == sum(expected), "samples were read that are in no batch")


@points(1)
@pytest.mark.parametrize("size", [1, 2])
def test_batches_have_memory_of_their_own(probes, rng, size):
    """A caller may change a batch in place: no sample may change with it, in batches of one sample neither."""
    samples = [{"x": rng.randn(3)} for _ in range(4)]
    check(probes.after_a_change(samples, {"batch_size": size}), "a sample has changed with its batch")


@points(2)
def test_collate_fn(probes, rng):
    """collate_fn is given the list of samples as they are, and what it returns is the batch."""
    samples = [("a", [i] * (i % 3)) for i in range(rng.integer(5, 8))]
    outcome = probes.collated(samples, {"batch_size": 2})
    chunks = [samples[i : i + 2] for i in range(0, len(samples), 2)]
    check(outcome["batches"] == list(range(1, len(chunks) + 1)), "the batch is what collate_fn returns")
    check(all(kind == "list" for kind, _ in outcome["given"]), "collate_fn must be given a list")
    check([chunk for _, chunk in outcome["given"]] == chunks, "collate_fn was not given the samples of its batch")


@points(2)
@pytest.mark.parametrize("shuffle", [False, True], ids=["in-order", "shuffled"])
def test_samples_are_read_late(probes, shuffle):
    """A sample is read when its batch is asked for: a dataset of a terabyte must not be read when a pass starts."""
    counts = probes.read_so_far(NUMBERS, {"batch_size": 3, "shuffle": shuffle})
    check(counts == [0, 0, 3, 6, 9], "samples were read before their batch was asked for")


@points(2)
@pytest.mark.parametrize("shuffle", [False, True], ids=["in-order", "shuffled"])
def test_side_by_side(probes, rng, shuffle):
    """Two passes that take turns are independent: where a pass stands must not be kept in the loader."""
    n, size, seed = rng.integer(9, 14), rng.integer(2, 5), rng.seed()
    expected = orders(n, seed, 2) if shuffle else [list(range(n))] * 2
    check(probes.side_by_side(n, size, shuffle, seed) == expected, "one of two passes lost or repeated samples")


@points(2)
@pytest.mark.parametrize("shuffle", [False, True], ids=["in-order", "shuffled"])
def test_nested(probes, rng, shuffle):
    """A loop over the loader within a loop over the same loader: both see all samples."""
    n, size, seed = rng.integer(6, 9), rng.integer(2, 4), rng.seed()
    count = 1 + -(-n // size)
    expected = orders(n, seed, count) if shuffle else [list(range(n))] * count
    outer, inner = probes.nested(n, size, shuffle, seed)
    check(outer == expected[0], "the outer loop lost or repeated samples")
    check(inner == expected[1:], "an inner loop lost or repeated samples")


@points(1)
def test_pass_that_was_left_early(probes, rng):
    """A pass that was left after one batch does not matter to the next, which is whole and has its own order."""
    n, size, seed = rng.integer(9, 14), rng.integer(2, 5), rng.seed()
    expected = orders(n, seed, 2)
    first, whole = probes.left_early(n, size, seed)
    check(first == expected[0][:size] and whole == expected[1], "the second pass does not begin again")


@points(1)
def test_plain_list(probes, rng):
    """A dataset may be a plain list, the defaults make batches of one sample, and nothing gives no batch."""
    samples = [rng.randn(2) for _ in range(3)]
    assert_close(probes.over_a_list(samples, {}), [s[None] for s in samples], name="batches of one")
    check(probes.over_a_list([], {"batch_size": 4, "shuffle": True}) == [], "an empty dataset has no batch")


@points(1)
@pytest.mark.parametrize("batch_size", [0, -2], ids=["zero", "negative"])
def test_batch_size_below_one(probes, batch_size):
    """A batch size below 1 is refused with ValueError when the loader is made, not when it is used."""
    check(probes.refused(batch_size) == "ValueError", "ValueError expected from the constructor")
