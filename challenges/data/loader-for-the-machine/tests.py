"""Hidden tests: build_loader."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

DEVICES = ["cpu", "cuda", "xpu", "mps"]


def expected(n, batch_size, device_type, cpu_count, train):
    """The attributes by the statement, one by one."""
    dropped = train and n > batch_size
    batches = n // batch_size if dropped else (n + batch_size - 1) // batch_size
    workers = min([cpu_count - 1, 8, batches])
    return {
        "a DataLoader": True,
        "workers": workers,
        "prefetch_factor": None if workers == 0 else 4,
        "persistent_workers": workers != 0,
        "pin_memory": device_type[0] in "cx" and device_type != "cpu",
        "order": "shuffled" if train else "as it is",
        "batches": batches,
        "batch_size": batch_size,
        "generator": True,
    }


def compare(probes, *case):
    found, wanted = probes.attributes(*case), expected(*case)
    for name, value in wanted.items():
        check(type(found[name]) is type(value) and found[name] == value, f"{name} is wrong")


def flat(batches):
    return [int(i) for i in torch.cat(batches)[:, 0]]


@sample
@points(1)
def test_one_core(probes):
    """One core: no workers, no prefetching, nothing pinned; ten samples in batches of 4 are three batches."""
    compare(probes, 10, 4, "cpu", 1, False)


@sample
@points(1)
def test_four_cores_and_a_gpu(probes):
    """Four cores and a GPU: three workers that live on, four batches each, pinned memory."""
    compare(probes, 100, 4, "cuda", 4, True)


@sample
@points(1)
def test_order_of_the_dataset(probes):
    """Without training, batches come in order, and the last one is kept."""
    (batches,) = probes.passes(5, 2, False, 1)
    assert_close(batches[2], torch.tensor([[4.0, 4.0, 4.0]]), name="last batch")
    check(flat(batches) == [0, 1, 2, 3, 4], "the order must be that of the dataset")


@points(2)
@pytest.mark.parametrize("train", [True, False], ids=["train", "evaluate"])
def test_number_of_workers(probes, rng, train):
    """The number of workers is wrong: one core is left, there is an upper limit, and no worker without a batch."""
    for cpu_count in (1, 2, 3, 8, 9, 10, 64, rng.integer(4, 30)):
        compare(probes, rng.integer(200, 400), 7, "cpu", cpu_count, train)


@points(2)
@pytest.mark.parametrize("train", [True, False], ids=["train", "evaluate"])
def test_few_batches(probes, rng, train):
    """There are more workers than batches: how many batches has a pass, with and without the last one?"""
    size = rng.integer(3, 9)
    for n in (1, size - 1, size, size + 1, 2 * size - 1, 2 * size, 4 * size + 1, 5 * size):
        compare(probes, n, size, "cpu", 16, train)


@points(2)
@pytest.mark.parametrize("device_type", DEVICES)
def test_pinned_memory(probes, rng, device_type):
    """Memory is pinned for the wrong device, or not for the right one."""
    for cpu_count in (1, 5):
        compare(probes, rng.integer(50, 90), 4, device_type, cpu_count, rng.choice([True, False]))


@points(2)
def test_last_batch(probes, rng):
    """In training the last, smaller batch is dropped, but never the only one."""
    size = rng.integer(3, 7)
    for train in (True, False):
        for n in (1, size - 1, size, size + 1, 3 * size, 3 * size + 2):
            (batches,) = probes.passes(n, size, train, 1)
            sizes = [len(batch) for batch in batches]
            whole, rest = divmod(n, size)
            wanted = [size] * whole + ([rest] if rest and not (train and whole) else [])
            check(sizes == wanted, "the sizes of the batches are wrong")


@points(2)
def test_order(probes, rng):
    """Training is shuffled differently in each pass; evaluation keeps the order of the dataset."""
    n = rng.integer(30, 40)
    first, second = (flat(batches) for batches in probes.passes(n, 1, True, 2))
    check(sorted(first) == list(range(n)) == sorted(second), "a sample is missing or comes twice")
    check(first != second and first != sorted(first), "training is not shuffled in each pass")
    for batches in probes.passes(n, 4, False, 2):
        check(flat(batches) == list(range(n)), "evaluation must keep the order of the dataset")


@points(2)
def test_generator(probes, rng):
    """The generator that is passed decides on the order, whatever the global one does."""
    n, seed = rng.integer(20, 30), rng.seed()
    runs = [[flat(one) for one in probes.passes(n, 1, True, 2, seed, world)] for world in (1, 2)]
    check(runs[0] == runs[1], "equal generators gave different orders")
    check(runs[0][0] != runs[0][1], "two passes have the same order")
    others = [flat(one) for one in probes.passes(n, 1, True, 2, seed + 1, 1)]
    check(others != runs[0], "another generator must give another order")


@points(1)
def test_without_a_generator(probes, rng):
    """Without a generator the order comes from the global one."""
    n = rng.integer(20, 30)
    (one,), (same,), (other,) = (probes.passes(n, 1, True, 1, None, world) for world in (5, 5, 6))
    check(flat(one) == flat(same), "the same global seed gave different orders")
    check(flat(one) != flat(other), "the order does not depend on the global generator")


@points(1)
def test_dataset_is_left_alone(probes, rng):
    """The dataset belongs to the caller."""
    check(probes.data_after(rng.integer(5, 9)), "the dataset was changed")
