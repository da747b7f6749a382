"""Hidden tests: draws are compared with draws, switches with what they were. No test knows which numbers come out."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

OFF = [False, False, False, False, None]
BEFORE = {
    "fresh": OFF,
    "benchmark-on": [False, False, False, True, ":4096:8"],
    "small-workspace": [False, False, True, False, ":16:8"],
    "odd-workspace": [False, False, False, True, ":0:0"],
    "already-on": [True, False, True, False, ":4096:8"],
    "warn-only": [True, True, False, True, None],
}


def check_equal(one, other, what):
    """Bit for bit, generator by generator."""
    for name in one:
        check(one[name] == other[name], f"{what}: the draws from {name} differ")


def flat(epoch):
    """The order of one epoch, without its batches."""
    return [index for batch in epoch for index in batch]


def check_other(one, other, what):
    """No draw in common, generator by generator."""
    for name in one:
        check(not set(one[name]) & set(other[name]), f"{what}: {name} gives the same draws")


@sample
@points(1)
def test_seed_seven_twice(probes):
    """Seed 7, once in a quiet program and once after many draws: the same numbers from Python, NumPy and torch."""
    one, other = probes.seeded(7, 0), probes.seeded(7, 100)
    check(one["returned"] is None, "seed_everything returns nothing")
    check_equal(one["draws"], other["draws"], "seed 7 twice")


@sample
@points(1)
def test_state_put_back(probes):
    """The draws that followed random_state() come again after set_random_state()."""
    first, second, _ = probes.saved(5, 3, False)["runs"]
    check_equal(first, second, "after set_random_state")


@sample
@points(1)
def test_a_block(probes):
    """Off before, on inside, off after: deterministic algorithms, the flags of cuDNN, the workspace of cuBLAS."""
    seen = probes.block(OFF)
    check(seen["inside"] == [True, False, True, False, ":4096:8"], "inside the block a switch is not as it should be")
    check(seen["after"] == OFF, "after the block a switch is not as it was")


@sample
@points(1)
def test_two_epochs_of_ten(probes):
    """Ten samples in batches of four: every sample once in each epoch, in another order."""
    epochs = probes.orders({"size": 10, "batch_size": 4, "seed": 0, "epochs": 2, "noise": 1})["epochs"]
    check([[len(batch) for batch in epoch] for epoch in epochs] == [[4, 4, 2]] * 2, "batches of 4, 4 and 2 expected")
    orders = [flat(epoch) for epoch in epochs]
    check(all(sorted(order) == list(range(10)) for order in orders), "every sample once in each epoch")
    check(orders[0] != orders[1], "both epochs have the same order")


@points(2)
def test_equal_seeds_give_equal_draws(probes, rng):
    """All three global generators must be determined by the seed, whatever was drawn before: is one left out?"""
    seed = rng.integer(0, 2**31)
    one, other = probes.seeded(seed, rng.integer(1, 9)), probes.seeded(seed, rng.integer(10, 19))
    check_equal(one["draws"], other["draws"], "equal seeds")
    assert_close(one["weight"], other["weight"], rtol=0.0, atol=0.0, name="initial weights")
    assert_close(one["mask"], other["mask"], rtol=0.0, atol=0.0, name="dropout mask")


@points(1)
def test_other_seeds_give_other_draws(probes, rng):
    """Different seeds must give different draws, from each of the three generators."""
    seed = rng.integer(2, 2**31)
    draws = probes.seeded(seed, 0)["draws"]
    for other in (0, seed - 1, seed ^ 2**20):
        check_other(draws, probes.seeded(other, 0)["draws"], "different seeds")


@points(1)
def test_large_seeds(probes, rng):
    """Seeds up to 2**64 - 1 are welcome, although NumPy takes smaller ones only."""
    for seed in (2**32, 2**63 + rng.integer(0, 2**31), 2**64 - 1):
        check_equal(probes.seeded(seed, 0)["draws"], probes.seeded(seed, 3)["draws"], "a large seed twice")


@points(2)
def test_state_gives_the_draws_again(probes, rng):
    """After set_random_state every generator must go on exactly where random_state found it, as often as one likes."""
    first, *later = probes.saved(rng.integer(1, 9), rng.integer(1, 9), False)["runs"]
    for again in later:
        check_equal(first, again, "state put back")


@points(1)
def test_state_goes_through_a_file(probes, rng):
    """The state must survive torch.save and torch.load(..., weights_only=True): no arrays of other libraries in it."""
    first, again, _ = probes.saved(rng.integer(1, 9), 5, True)["runs"]
    check_equal(first, again, "state read from a file")


@points(1)
def test_reading_the_state_draws_nothing(probes, rng):
    """random_state only reads: afterwards every generator stands where it stood."""
    check(probes.saved(rng.integer(1, 9), 1, False)["untouched"], "random_state moved a generator")


@points(1)
@pytest.mark.parametrize("before", ["fresh", "small-workspace", "odd-workspace", "warn-only"])
def test_switches_inside_the_block(probes, before):
    """Inside the block something is not switched: raising determinism, both flags of cuDNN, the workspace of cuBLAS."""
    inside = probes.block(BEFORE[before])["inside"]
    check(inside[0] is True, "deterministic algorithms are not enabled")
    check(inside[1] is False, "operators without a deterministic form would only warn")
    check(inside[2:4] == [True, False], "cudnn.deterministic or cudnn.benchmark is wrong")
    check(inside[4] == (":16:8" if before == "small-workspace" else ":4096:8"), "CUBLAS_WORKSPACE_CONFIG is wrong")


@points(1)
@pytest.mark.parametrize("before", ["fresh", "odd-workspace", "small-workspace", "already-on", "warn-only"])
def test_switches_after_the_block(probes, before):
    """After the block every switch is as the caller had it, which is not always off."""
    seen = probes.block(BEFORE[before])
    check(seen["made"] == BEFORE[before], "something is switched before the block is entered")
    check(seen["after"] == BEFORE[before], "a switch is not as it was before the block")


@points(1)
def test_exception_in_the_block(probes):
    """An exception ends the block: it must come through, and the switches must be put back all the same."""
    seen = probes.block(BEFORE["benchmark-on"], "raise")
    check(seen["error"] == "KeyError", "the exception was swallowed")
    check(seen["after"] == BEFORE["benchmark-on"], "a switch is not as it was before the block")


@points(1)
def test_nested_blocks(probes):
    """When an inner block ends, the outer one goes on: determinism stays on until the outermost block ends."""
    seen = probes.block(BEFORE["warn-only"], "nest")
    check(seen["inner"] == seen["inside"], "the end of the inner block changed a switch")
    check(seen["after"] == BEFORE["warn-only"], "a switch is not as it was before the outer block")


@points(1)
def test_blocks_draw_nothing(probes):
    """Determinism has nothing to do with seeds: no generator moves."""
    check(probes.block(OFF)["untouched"], "deterministic() moved a generator")


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64], ids=["float32", "int64"])
def test_every_sample_once(probes, rng, dtype):
    """In each epoch every sample comes once, in full batches and perhaps a smaller last one."""
    size = rng.integer(9, 20)
    seen = probes.orders(
        {"size": size, "batch_size": size - 2, "seed": rng.seed(), "epochs": 2, "noise": 1, "dtype": dtype}
    )
    check(seen["is_loader"], "a torch.utils.data.DataLoader expected")
    check(seen["workers"] == 0, "without `workers` there are none")
    for epoch in seen["epochs"]:
        check([len(batch) for batch in epoch] == [size - 2, 2], "the batches have wrong sizes")
        check(sorted(flat(epoch)) == list(range(size)), "a sample is missing or comes twice")


@points(2)
def test_orders_of_epochs_and_seeds(probes, rng):
    """The order changes from epoch to epoch and from seed to seed."""
    plan = {"size": 30, "batch_size": 7, "seed": rng.seed(), "epochs": 3, "noise": 1}
    one, other = probes.orders(plan)["epochs"], probes.orders({**plan, "seed": plan["seed"] + 1})["epochs"]
    orders = [flat(epoch) for epoch in one + other]
    check(len({tuple(order) for order in orders}) == 6, "two epochs, or two seeds, have the same order")
    check(all(order != sorted(order) for order in orders), "an epoch is not shuffled")


@points(2)
def test_order_is_not_disturbed(probes, rng):
    """Draws elsewhere, before the loader is made or between two epochs, must not change the order of the samples."""
    plan = {"size": 30, "batch_size": 7, "seed": rng.seed(), "epochs": 3}
    quiet = probes.orders({**plan, "noise": 1})["epochs"]
    noisy = probes.orders({**plan, "noise": 2, "between": rng.integer(1, 9)})["epochs"]
    check(quiet == noisy, "the order depends on the global generators")


@points(1)
def test_loaders_draw_nothing_elsewhere(probes, rng):
    """Making a loader and walking it must not move Python's, NumPy's or torch's global generator."""
    seen = probes.orders({"size": 9, "batch_size": 2, "seed": rng.seed(), "epochs": 2, "noise": rng.integer(1, 99)})
    check(seen["untouched"], "a global generator was moved")


@points(1)
def test_two_loaders(probes, rng):
    """A second loader, made and walked beside the first, must leave the order of the first alone."""
    plan = {"size": 30, "batch_size": 7, "seed": rng.seed(), "epochs": 3, "noise": 1}
    check(
        probes.orders(plan)["epochs"] == probes.orders({**plan, "other": True})["epochs"], "the other loader disturbs"
    )


@points(2)
def test_workers_draw_for_themselves(probes, rng):
    """Each worker and each epoch needs augmentations of its own, from all three generators."""
    seen = probes.in_workers(rng.seed(), 3, 3, 1)
    check(seen["num_workers"] == 3, "the number of workers is not what was asked for")
    for i, name in enumerate(("Python", "NumPy", "torch")):
        drawn = [worker[i] for epoch in seen["epochs"] for worker in epoch]
        check(len(set(drawn)) == 9, f"draws from {name} repeat from worker to worker, or from epoch to epoch")


@points(2)
def test_workers_repeat_themselves(probes, rng):
    """A second loader with the same seed must repeat every draw of every worker, and another seed must not."""
    seed = rng.seed()
    one, other = probes.in_workers(seed, 2, 2, 1)["epochs"], probes.in_workers(seed, 2, 2, 5)["epochs"]
    check(one == other, "augmentations in the workers are not repeated")
    check(one != probes.in_workers(seed + 1, 2, 2, 1)["epochs"], "another seed gives the same augmentations")
