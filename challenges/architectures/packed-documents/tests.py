"""Hidden tests: several documents in one row."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F64 = torch.float64


def documents_of(rng, count, longest, vocabulary=9):
    return [rng.randint(0, vocabulary, (int(rng.integer(1, longest + 1)),)) for _ in range(count)]


def first_fit(documents, length):
    """Rows of indices of documents."""
    rows, used = [], []
    for i, document in enumerate(documents):
        for r in range(len(rows)):
            if used[r] + len(document) <= length:
                rows[r].append(i)
                used[r] += len(document)
                break
        else:
            rows.append([i])
            used.append(len(document))
    return rows


def packed(documents, length):
    rows = first_fit(documents, length)
    ids = torch.zeros(len(rows), length, dtype=torch.int64)
    numbers = torch.zeros(len(rows), length, dtype=torch.int64)
    for r, row in enumerate(rows):
        at = 0
        for number, i in enumerate(row, 1):
            n = len(documents[i])
            ids[r, at : at + n], numbers[r, at : at + n] = documents[i], number
            at += n
    return ids, numbers


def compare_pack(solution, documents, length):
    found = solution.pack(documents, length)
    check(isinstance(found, tuple) and len(found) == 2, "the result must be a pair: ids and numbers")
    wanted = packed(documents, length)
    assert_close(found[1], wanted[1], name="numbers")
    assert_close(found[0], wanted[0], name="ids")


def places(numbers):
    """For each row, the slices of its documents."""
    found = []
    for b, row in enumerate(numbers.tolist()):
        for number in range(1, max(row) + 1):
            at = [t for t, n in enumerate(row) if n == number]
            found.append((b, slice(at[0], at[-1] + 1)))
    return found


def numbers_of(rng, rows, length, padding=True):
    """Numbers as pack makes them."""
    out = torch.zeros(rows, length, dtype=torch.int64)
    for b in range(rows):
        at, number = 0, 1
        end = int(rng.integer(1, length)) if padding and b % 2 == 0 else length
        while at < end:
            n = min(int(rng.integer(1, 5)), end - at)
            out[b, at : at + n] = number
            at, number = at + n, number + 1
    return out


NUMBERS = torch.tensor([[1, 1, 1, 2, 0], [1, 2, 2, 3, 3], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1]])


@sample
@points(1)
def test_three_documents(solution):
    """Three documents in two rows of four."""
    compare_pack(solution, [torch.tensor([5, 6, 7]), torch.tensor([8, 9]), torch.tensor([4])], 4)


@sample
@points(1)
def test_mask_by_hand(solution):
    """Two documents and padding: two triangles, and a diagonal."""
    wanted = [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    found = solution.attention_mask(torch.tensor([[1, 1, 2, 0, 0]]))
    assert_close(found, torch.tensor([wanted], dtype=torch.bool))


@sample
@points(1)
def test_positions_and_targets_by_hand(solution):
    """Positions restart, and no target crosses a border."""
    ids, numbers = torch.tensor([[5, 6, 7, 4, 0]]), torch.tensor([[1, 1, 1, 2, 0]])
    assert_close(solution.positions(numbers), torch.tensor([[0, 1, 2, 0, 0]]), name="positions")
    assert_close(solution.targets(ids, numbers), torch.tensor([[6, 7, -100, -100, -100]]), name="targets")


@points(3)
@pytest.mark.parametrize("length", [5, 8, 20])
def test_pack(solution, rng, length):
    """Rows differ: first fit, in the order of the documents, without gaps."""
    for _ in range(3):
        compare_pack(solution, documents_of(rng, 14, 5), length)


@points(2)
def test_first_fit(solution):
    """A later document goes back to the first row that has room, not to the last, and not to the fullest."""
    sizes = [4, 5, 2, 1, 3, 1, 2]
    documents = [torch.full((n,), i + 1) for i, n in enumerate(sizes)]
    compare_pack(solution, documents, 7)


@points(2)
@pytest.mark.parametrize("sizes", [[4, 4], [3, 1, 4], [1, 1, 1, 1, 1], [4]], ids=str)
def test_rows_that_are_full(solution, rng, sizes):
    """A document may fill a row exactly, and the rest of a row exactly."""
    compare_pack(solution, [rng.randint(0, 9, (n,)) for n in sizes], 4)


@points(2)
def test_no_documents(solution):
    """An empty list gives no rows, in tensors of two dimensions."""
    ids, numbers = solution.pack([], 6)
    for found in (ids, numbers):
        assert_close(found, torch.zeros(0, 6, dtype=torch.int64))


@points(2)
@pytest.mark.parametrize("sizes", [[5], [2, 5], [0], [2, 0, 1]], ids=str)
def test_documents_that_do_not_fit(solution, sizes):
    """A document that is longer than a row, or empty, is a ValueError."""
    with pytest.raises(ValueError):
        solution.pack([torch.ones(n, dtype=torch.int64) for n in sizes], 4)


@points(2)
def test_mask(solution, rng):
    """The mask differs: the same document, not later, and padding sees itself only."""
    for numbers in (NUMBERS, numbers_of(rng, 4, 9), numbers_of(rng, 3, 1, padding=False)):
        B, L = numbers.shape
        wanted = torch.zeros(B, L, L, dtype=torch.bool)
        for b in range(B):
            for t in range(L):
                for s in range(t + 1):
                    same = bool(numbers[b, t] == numbers[b, s]) and bool(numbers[b, t] > 0)
                    wanted[b, t, s] = s == t or same
        assert_close(solution.attention_mask(numbers), wanted)


@points(2)
def test_positions(solution, rng):
    """Positions differ: each document counts from 0, and padding has 0."""
    for numbers in (NUMBERS, numbers_of(rng, 4, 11), numbers_of(rng, 2, 1, padding=False)):
        wanted = torch.zeros_like(numbers)
        for b, where in places(numbers):
            wanted[b, where] = torch.arange(where.stop - where.start)
        assert_close(solution.positions(numbers), wanted)


@points(2)
def test_targets(solution, rng):
    """Targets differ: the next token of the same document, or −100."""
    for numbers in (NUMBERS, numbers_of(rng, 4, 11), numbers_of(rng, 2, 1, padding=False)):
        ids = rng.randint(0, 4, tuple(numbers.shape)) * (numbers > 0)
        wanted = torch.full_like(ids, -100)
        for b, where in places(numbers):
            wanted[b, where.start : where.stop - 1] = ids[b, where.start + 1 : where.stop]
        assert_close(solution.targets(ids, numbers), wanted)


@points(2)
def test_the_token_zero(solution):
    """The token 0 is an ordinary token: numbers, and not ids, tell what is padding."""
    ids, numbers = torch.tensor([[0, 0, 3, 0, 0]]), torch.tensor([[1, 1, 1, 2, 0]])
    assert_close(solution.targets(ids, numbers), torch.tensor([[0, 3, -100, -100, -100]]), name="targets")
    compare_pack(solution, [torch.tensor([0, 0]), torch.tensor([0]), torch.tensor([2, 0, 0])], 4)


@points(1)
def test_no_rows(solution):
    """Numbers without rows give tensors without rows."""
    none = torch.zeros(0, 5, dtype=torch.int64)
    assert_close(solution.attention_mask(none), torch.zeros(0, 5, 5, dtype=torch.bool), name="mask")
    assert_close(solution.positions(none), none, name="positions")
    assert_close(solution.targets(none, none), none, name="targets")


def scores_of(weights, ids, places, mask):
    """A layer of attention between an embedding with positions and an output."""
    x = weights["tokens"][ids] + weights["positions"][places]
    q, k, v = (x @ weights[name] for name in "qkv")
    scores = (q @ k.mT / 2).masked_fill(~mask, -torch.inf)
    return (x + scores.softmax(-1) @ v) @ weights["out"]


@points(3)
def test_as_if_alone(solution, rng):
    """In a packed row, a document gets the outputs and the loss that it has alone."""
    documents = documents_of(rng, 7, 6)
    weights = {name: rng.randn(4, 4, dtype=F64) for name in "qkv"}
    weights |= {
        "tokens": rng.randn(9, 4, dtype=F64),
        "positions": rng.randn(10, 4, dtype=F64),
        "out": rng.randn(4, 9, dtype=F64),
    }
    ids, numbers = solution.pack(documents, 10)
    where = solution.positions(numbers)
    mask, wanted = solution.attention_mask(numbers), solution.targets(ids, numbers)
    check(int(where.max()) < 10 and mask.dtype == torch.bool, "positions or mask are not what the statement says")
    scores = scores_of(weights, ids, where, mask)
    check(bool(scores.isfinite().all()), "a row of the softmax is empty")
    losses, alone = F.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="sum", ignore_index=-100), 0.0
    rows = first_fit(documents, 10)
    for b, row in enumerate(rows):
        at = 0
        for i in row:
            n = len(documents[i])
            single = scores_of(weights, documents[i], torch.arange(n), torch.ones(n, n, dtype=torch.bool).tril())
            assert_close(scores[b, at : at + n], single, scale=4.0, name="outputs of a document")
            alone = alone + F.cross_entropy(single[:-1], documents[i][1:], reduction="sum")
            at += n
    assert_close(losses, alone, scale=4.0, name="the loss")


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Documents, ids and numbers are as they were."""
    assert_not_mutated(solution.pack, documents_of(rng, 5, 4), 6)
    numbers = numbers_of(rng, 3, 7)
    ids = rng.randint(0, 9, (3, 7))
    assert_not_mutated(solution.attention_mask, numbers)
    assert_not_mutated(solution.positions, numbers)
    assert_not_mutated(solution.targets, ids, numbers)
