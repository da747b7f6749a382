"""Hidden tests: pad_collate."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample


def drawn(rng, lengths, dtype=torch.int64, low=-9):
    """Random samples of the given lengths, with labels as Python numbers."""
    return [(rng.randint(low, 10, (n,)).to(dtype), rng.integer(0, 5)) for n in lengths]


def rows_of(samples, order, pad_value):
    """The batch, built position by position."""
    width = max(len(ids) for ids, _ in samples)
    table = torch.full((len(samples), width), pad_value, dtype=samples[0][0].dtype)
    mask = torch.zeros(len(samples), width, dtype=torch.bool)
    restore = torch.zeros(len(samples), dtype=torch.int64)
    for row, which in enumerate(order):
        restore[which] = row
        for column, value in enumerate(samples[which][0].tolist()):
            table[row, column], mask[row, column] = value, True
    lengths = torch.tensor([len(samples[which][0]) for which in order])
    labels = torch.tensor([int(samples[which][1]) for which in order])
    return {"ids": table, "lengths": lengths, "mask": mask, "labels": labels, "restore": restore}


def by_length(samples):
    """Longest first; of two equals, the earlier one first."""
    return sorted(range(len(samples)), key=lambda i: (-len(samples[i][0]), i))


def check_batch(batch, samples, pad_value=0, order=None):
    check(type(batch) is dict, "pad_collate must return a dict")
    expected = rows_of(samples, range(len(samples)) if order is None else order, pad_value)
    missing = [key for key in expected if key not in batch]
    check(not missing, f"keys are missing: {', '.join(missing)}")
    check(len(batch) == len(expected), "the dict has keys that the statement does not name")
    for key, tensor in expected.items():
        assert_close(batch[key], tensor, name=f'"{key}"')


@sample
@points(1)
def test_three_sentences(solution):
    """Rows in the order of the samples, padded on the right."""
    samples = [(torch.tensor([4, 5]), 1), (torch.tensor([6]), 0), (torch.tensor([7, 8, 9]), 2)]
    batch = solution.pad_collate(samples, pad_value=-1)
    assert_close(batch["ids"], torch.tensor([[4, 5, -1], [6, -1, -1], [7, 8, 9]]), name='"ids"')
    assert_close(batch["lengths"], torch.tensor([2, 1, 3]), name='"lengths"')
    assert_close(batch["labels"], torch.tensor([1, 0, 2]), name='"labels"')
    assert_close(batch["mask"].sum(1), torch.tensor([2, 1, 3]), name="true positions in each row of the mask")
    assert_close(batch["restore"], torch.arange(3), name='"restore"')


@sample
@points(1)
def test_longest_first(solution):
    """sort=True puts the longest first, and restore says in which row each sample stands."""
    samples = [(torch.tensor([1]), 10), (torch.tensor([2, 2, 2]), 11), (torch.tensor([3, 3]), 12)]
    batch = solution.pad_collate(samples, sort=True)
    assert_close(batch["ids"], torch.tensor([[2, 2, 2], [3, 3, 0], [1, 0, 0]]), name='"ids"')
    assert_close(batch["labels"], torch.tensor([11, 12, 10]), name='"labels"')
    assert_close(batch["restore"], torch.tensor([2, 0, 1]), name='"restore"')
    assert_close(batch["labels"][batch["restore"]], torch.tensor([10, 11, 12]), name="labels put back in order")


@sample
@points(1)
def test_padding_value_among_the_ids(solution):
    """A real id may equal pad_value: the mask follows from the lengths."""
    samples = [(torch.tensor([0, 3, 0]), 0), (torch.tensor([5]), 1)]
    batch = solution.pad_collate(samples, pad_value=0)
    assert_close(batch["mask"], torch.tensor([[True, True, True], [True, False, False]]), name='"mask"')
    assert_close(batch["lengths"], torch.tensor([3, 1]), name='"lengths"')


@points(2)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32], ids=["int64", "int32"])
@pytest.mark.parametrize("pad_value", [0, -100, 2**31 - 1], ids=["zero", "minus-hundred", "largest-int32"])
def test_random_batches(solution, rng, dtype, pad_value):
    """A tensor of an unsorted batch is off for some dtype and padding value: compare with the table of the statement."""
    samples = drawn(rng, [rng.integer(0, 7) for _ in range(6)] + [3], dtype)
    check_batch(solution.pad_collate(samples, pad_value=pad_value), samples, pad_value)


@points(1)
@pytest.mark.parametrize("sort", [False, True], ids=["unsorted", "sorted"])
def test_large_whole_numbers(solution, rng, sort):
    """Ids, labels and pad_value are whole numbers: none of them may pass through a float, which does not hold them all."""
    large = (1 << 60) + 1
    samples = [(large + rng.randint(0, 9, (n,)), large + 2 * n) for n in (2, 0, 3)]
    order = by_length(samples) if sort else None
    check_batch(solution.pad_collate(samples, -large, sort), samples, -large, order)


@points(2)
@pytest.mark.parametrize("kind", ["distinct", "ties"])
def test_sorted_batches(solution, rng, kind):
    """A tensor of a sorted batch is off: all five must follow the rows, and samples of one length keep their order."""
    lengths = {"distinct": [3, 7, 1, 5, 0, 6], "ties": [2, 4, 2, 4, 4, 1, 2, 1, 4]}[kind]
    samples = drawn(rng, [lengths[i] for i in rng.permutation(len(lengths))])
    check_batch(solution.pad_collate(samples, 9, True), samples, 9, by_length(samples))


@points(2)
def test_many_samples_of_few_lengths(solution, rng):
    """With many samples of the same few lengths the sort must still keep equal ones in their order."""
    samples = [(torch.full((rng.integer(1, 4),), i), i) for i in range(300)]
    batch = solution.pad_collate(samples, sort=True)
    assert_close(batch["labels"], torch.tensor(by_length(samples)), name='"labels"')
    assert_close(batch["labels"][batch["restore"]], torch.arange(300), name="labels put back in order")


@points(2)
def test_order_comes_back(solution, rng):
    """restore leads from the rows back to the samples: it is the inverse of the order of the sort, not the order itself."""
    samples = [(rng.randint(1, 9, (n,)), n) for n in (2, 5, 9, 4, 7)]
    batch = solution.pad_collate(samples, sort=True)
    assert_close(batch["restore"], torch.tensor([4, 2, 0, 3, 1]), name='"restore"')
    assert_close(batch["lengths"][batch["restore"]], torch.tensor([2, 5, 9, 4, 7]), name="lengths put back in order")


@points(1)
@pytest.mark.parametrize("sort", [False, True], ids=["unsorted", "sorted"])
def test_labels_may_be_tensors(solution, rng, sort):
    """A label is an int or a 0-d tensor, and one batch may hold both kinds; the result is always int64."""
    samples = [
        (ids, torch.tensor(label) if i % 2 else label) for i, (ids, label) in enumerate(drawn(rng, [2, 4, 1, 3]))
    ]
    check_batch(solution.pad_collate(samples, 0, sort), samples, 0, by_length(samples) if sort else None)


@points(1)
@pytest.mark.parametrize(
    "lengths", [[4], [0], [0, 0, 0], [3, 3], [0, 2]], ids=["one", "one-empty", "empty", "full", "some"]
)
def test_edges(solution, rng, lengths):
    """Empty sequences, a single sample and samples that need no padding have tensors of the same ranks and dtypes."""
    samples = drawn(rng, lengths)
    check_batch(solution.pad_collate(samples, pad_value=1), samples, 1)
    check_batch(solution.pad_collate(samples, pad_value=1, sort=True), samples, 1, by_length(samples))


@points(1)
def test_empty_int32(solution):
    """Samples without any id still have a dtype, and the empty table keeps it."""
    samples = [(torch.empty(0, dtype=torch.int32), 3), (torch.empty(0, dtype=torch.int32), 4)]
    check_batch(solution.pad_collate(samples), samples)


@points(1)
def test_no_samples(solution):
    """A list without samples has no batch: raise ValueError."""
    try:
        solution.pad_collate([])
    except ValueError:
        return
    check(False, "an empty list must raise ValueError")


@points(1)
def test_strided_ids(solution, rng):
    """ids may be a column of a matrix or every second element of a row: values count, not memory."""
    table = rng.randint(1, 50, (6, 8))
    samples = [(table[:, 2], 1), (table[3, ::2], 0), (table.t()[5, 1:4], 2)]
    check_batch(solution.pad_collate(samples, -7), samples, -7)


@points(1)
@pytest.mark.parametrize("sort", [False, True], ids=["unsorted", "sorted"])
def test_samples_are_left_alone(solution, probes, rng, sort):
    """The list of samples belongs to the caller: neither its order nor a tensor in it may change."""
    samples = drawn(rng, [2, 5, 3])
    assert_not_mutated(solution.pad_collate, samples, 0, sort)
    check(probes.same_items(samples, {"sort": sort}) is True, "the list of samples was reordered or changed")


@points(2)
def test_batch_has_its_own_memory(probes, rng):
    """Writing into a batch must not write into the dataset: copy, also when there is nothing to pad."""
    samples = [(ids, torch.tensor(label + 1)) for ids, label in drawn(rng, [4], low=1)]
    before = [(ids.clone(), label.clone()) for ids, label in samples]
    after = probes.write_into_batch(samples, {"pad_value": 0})
    assert_close([ids for ids, _ in after], [ids for ids, _ in before], name="ids of the samples")
    assert_close([label for _, label in after], [label for _, label in before], name="labels of the samples")


@attested
@points(2)
@pytest.mark.parametrize("sort", [False, True], ids=["unsorted", "sorted"])
def test_in_a_loader(probes, rng, sort):
    """A loader with workers sends the function through pickle: define it at the top level, without closures."""
    samples = drawn(rng, [3, 1, 4, 4, 2, 5, 2])
    ids, labels = [ids for ids, _ in samples], [label for _, label in samples]
    batches = probes.load(ids, labels, 3, {"pad_value": -1, "sort": sort})
    check(len(batches) == 3, "the loader should have given three batches")
    for start, batch in zip(range(0, 7, 3), batches, strict=True):
        part = samples[start : start + 3]
        check_batch(batch, part, -1, by_length(part) if sort else None)
