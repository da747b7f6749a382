"""Hidden tests: every epoch has its own order, and the accuracy is exact for any number of ranks."""

import pytest
import torch
from torch.utils.data import DistributedSampler

from grader.testing import assert_close, check, points, sample


def items(rng, n, dtype=torch.float32):
    """x (its first number is that of the item), labels, and the classes that are predicted, right at random places."""
    x, y = rng.randn(n, 2, dtype=dtype), rng.randint(0, 5, (n,))
    x[:, 0] = torch.arange(n)
    right = rng.mask(n, p=rng.uniform(0.2, 0.8))
    return x, y, torch.where(right, y, (y + 1) % 5)


def library(n, rank, world, epoch, batch_size, seed):
    """The batches of item numbers in one epoch."""
    sampler = DistributedSampler(range(n), world, rank, seed=seed)
    sampler.set_epoch(epoch)
    return [part.tolist() for part in torch.tensor(list(sampler)).split(batch_size)]


def check_training(probes, rng, n, world, start, stop, batch_size, dtype=torch.float32):
    x, y, _ = items(rng, n, dtype)
    seed = rng.integer(0, 10**6)
    for rank, (count, seen) in enumerate(probes.batches(x, y, world, start, stop, batch_size, seed)):
        expected = [b for epoch in range(start, stop) for b in library(n, rank, world, epoch, batch_size, seed)]
        check(len(seen) == len(expected), "a rank has made more or fewer steps than its sampler gives batches")
        check([numbers for numbers, _ in seen] == expected, "the batches are not those of the sampler for these epochs")
        check(all(y[numbers].tolist() == labels for numbers, labels in seen), "items and labels do not belong together")
        check(type(count) is int and count == len(expected), "train must give the number of its steps")


def check_accuracy(probes, x, y, classes, world, batch_size):
    found = probes.accuracies(x, y, classes, world, batch_size)
    check(not found["hangs"], "the ranks do not make the same calls of all_reduce: some would wait for ever")
    exact = (classes == y).double().mean().item()
    for value in found["values"]:
        check(type(value) is float, "the accuracy must be a Python float")
        check(abs(value - exact) < 1e-6, "the accuracy is not that of the whole dataset, each item counted once")
    check(found["calls"] > 0, "the ranks must exchange their results with all_reduce")
    return found


@sample
@points(1)
def test_two_epochs(probes, rng):
    """Two epochs visit the items in two different orders."""
    x, y, _ = items(rng, 40)
    [(_, seen)] = probes.batches(x, y, 1, 0, 2, 40, 5)
    check(bool(seen[0] != seen[1]), "both epochs visit the items in the same order")


@sample
@points(1)
def test_five_items_two_ranks(probes):
    """Two right answers among five are 0.4, on two ranks too."""
    x = torch.arange(5.0)[:, None]
    found = probes.accuracies(x, torch.tensor([0, 0, 1, 1, 1]), torch.zeros(5, dtype=torch.int64), 2, 3)
    check(found["hangs"] is False, "a rank waits for another for ever")
    for rank, value in enumerate(found["values"]):
        assert_close(value, 0.4, name=f"accuracy of rank {rank}")


@sample
@points(1)
def test_no_epochs(solution):
    """Where start and stop are equal there are no steps."""
    assert_close(solution.train([(torch.zeros(1), torch.tensor(0))], 0, 1, 4, 4, 2, 0, None), 0, name="steps")


@points(2)
@pytest.mark.parametrize("world", [1, 2, 3])
def test_epochs(probes, rng, world):
    """In each epoch a rank trains on its sampler's items for this epoch: who tells the sampler which epoch it is?"""
    check_training(probes, rng, rng.integer(20, 30), world, 0, 3, rng.integer(3, 6))


@points(2)
def test_resumed(probes, rng):
    """A resumed run must go on with the orders of the epochs that are due, not begin with the first ones again."""
    start = rng.integer(3, 9)
    check_training(probes, rng, 23, 2, start, start + 2, 4, torch.float64)


@points(1)
def test_few_items_in_training(probes, rng):
    """With fewer items than ranks every rank makes equally many steps."""
    check_training(probes, rng, 3, 5, 0, 2, 2)


@points(2)
@pytest.mark.parametrize("world", [1, 2, 3, 4])
def test_exact_accuracy(probes, rng, world):
    """The accuracy must not depend on the number of ranks: think of items that count twice."""
    n = 4 * world * rng.integer(2, 4) + min(1, world - 1)
    x, y, _ = items(rng, n)
    for right_at in (0, n - 1):  # a single right answer, at either end
        classes = torch.where(torch.arange(n) == right_at, y, (y + 1) % 5)
        check_accuracy(probes, x, y, classes, world, n)
    check_accuracy(probes, *items(rng, n, torch.float64), world, 4)


@points(2)
@pytest.mark.parametrize("world", [1, 2])
def test_uneven_batches(probes, rng, world):
    """A shorter last batch must not weigh as much as the others."""
    x, y, _ = items(rng, 9 * world)
    classes = torch.where(torch.arange(9 * world) >= 8 * world, y, (y + 1) % 5)
    check_accuracy(probes, x, y, classes, world, 4)


@points(2)
def test_fewer_items_than_ranks(probes, rng):
    """A rank with nothing to evaluate takes part in the exchange all the same."""
    for n in (1, 3):
        x, y, _ = items(rng, n)
        check_accuracy(probes, x, y, torch.where(torch.arange(n) == 0, y, y + 1), 4, 2)


@points(1)
@pytest.mark.parametrize("world", [1, 3])
def test_work_is_shared(probes, rng, world):
    """Each item goes through predict on exactly one rank, in batches that are not too large."""
    n = rng.integer(13, 20)
    found = check_accuracy(probes, *items(rng, n), world, 3)
    batches = [batch for rank in found["visited"] for batch in rank]
    check(all(1 <= len(batch) <= 3 for batch in batches), "a batch is empty or has more than batch_size items")
    visited = sorted(number for batch in batches for number in batch)
    check(visited == list(range(n)), "some items were evaluated more than once, or not at all")


@points(1)
def test_global_generator_is_not_seeded(probes, rng):
    """Whoever seeds the global generator makes dropout and augmentation repeat themselves."""
    x, y, _ = items(rng, 6)
    one, other = probes.draws(x, y, rng.integer(0, 1000)), probes.draws(x, y, rng.integer(1000, 2000))
    check(one[0] != other[0], "train seeds the global generator")
    check(one[1] != other[1], "evaluate seeds the global generator")
