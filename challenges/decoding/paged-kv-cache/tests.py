"""Hidden tests: a paged cache of keys and values with copy on write."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
HEADS, DIM = 2, 3


class Expected:
    """What the statement asks for: each sequence has its tokens in one contiguous tensor, and its table beside it."""

    def __init__(self, num_blocks, size, heads, dim, dtype=F32):
        self.size, self.count, self.ids = size, [0] * num_blocks, 0
        self.empty = torch.zeros(0, heads, dim, dtype=dtype)
        self.live = {}

    def new(self):
        self.live[self.ids] = ([], self.empty, self.empty)
        self.ids += 1
        return self.ids - 1

    def append(self, seq, k, v):
        table, old_k, old_v = self.live[seq]
        parts = [self.size * (i + 1) for i in range(len(table))]
        copy = len(k) > 0 and bool(parts) and parts[-1] > len(old_k) and self.count[table[-1]] > 1
        total = len(old_k) + len(k)
        more = sum(1 for j in range(len(table) * self.size, total) if j % self.size == 0)
        free = [b for b in range(len(self.count)) if not self.count[b]]
        if more + copy > len(free):
            raise RuntimeError
        if copy:
            self.count[table[-1]] -= 1
            table = table[:-1]
        fresh = free[: more + copy]
        for block in fresh:
            self.count[block] += 1
        self.live[seq] = (table + fresh, torch.cat([old_k, k]), torch.cat([old_v, v]))

    def fork(self, seq):
        table, k, v = self.live[seq]
        for block in table:
            self.count[block] += 1
        self.live[self.ids] = (table, k, v)
        self.ids += 1
        return self.ids - 1

    def free(self, seq):
        for block in self.live.pop(seq)[0]:
            self.count[block] -= 1

    def gather(self, seq):
        self.live[seq]

    table = gather


def piece(rng, length, dtype=F32):
    return rng.randn(length, HEADS, DIM, dtype=dtype), rng.randn(length, HEADS, DIM, dtype=dtype)


def follow(probes, settings, calls):
    """Run the calls there and here, and compare everything after each of them."""
    num_blocks, size, dtype = settings
    settings = (num_blocks, size, HEADS, DIM, dtype)
    found = probes.play(settings, calls)
    model = Expected(*settings)
    for i, ((name, *arguments), now) in enumerate(zip(calls, found["log"], strict=True)):
        returned = error = None
        try:
            returned = getattr(model, name)(*arguments)
        except (KeyError, RuntimeError) as raised:
            error = type(raised).__name__
        when = f"after call {i + 1} ({name})"
        check(now["error"] == error, f"{when}: {error or 'no error'} expected, got {now['error'] or 'none'}")
        assert_close(now["returned"], returned, name=f"what {name} returns, call {i + 1}")
        for seq, (table, _, _) in model.live.items():
            assert_close(now["tables"][seq], table, name=f"{when}, table of sequence {seq}")
        assert_close(now["counts"], model.count, name=f"{when}, counts")
        for seq, (_, *tokens) in model.live.items():
            assert_close(
                now["tokens"][seq], tuple(tokens), rtol=0.0, atol=0.0, name=f"{when}, tokens of sequence {seq}"
            )
    for name, which in (("keys", 1), ("values", 2)):
        check(found[name].shape == (num_blocks, size, HEADS, DIM), f"{name} has another shape than the pool")
        for seq, state in model.live.items():
            held = found[name][state[0]].flatten(0, 1)[: len(state[1])]
            assert_close(held, state[which], rtol=0.0, atol=0.0, name=f"{name} at the places of sequence {seq}")
    return found, model


@sample
@points(1)
def test_three_tokens_by_hand(solution):
    """Three tokens in blocks of two: the table names blocks 0 and 1, and gather gives the tokens in order."""
    cache = solution.PagedCache(4, 2, 1, 1)
    seq = cache.new()
    k = torch.tensor([1.0, 2.0, 3.0]).view(3, 1, 1)
    cache.append(seq, k, -k)
    check(seq == 0, "the first sequence has the id 0")
    assert_close(cache.table(seq), [0, 1], name="table")
    assert_close(cache.counts(), [1, 1, 0, 0], name="counts")
    assert_close(cache.gather(seq), (k, -k), name="tokens")


@sample
@points(1)
def test_fork_by_hand(solution):
    """A fork shares both blocks; when it appends, the partly filled one is copied into block 2."""
    cache = solution.PagedCache(4, 2, 1, 1)
    k = torch.tensor([1.0, 2.0, 3.0]).view(3, 1, 1)
    a = cache.new()
    cache.append(a, k, -k)
    b = cache.fork(a)
    assert_close([cache.table(b), cache.counts()], [[0, 1], [2, 2, 0, 0]], name="table and counts after the fork")
    cache.append(b, 7 * k[:1], k[:1])
    assert_close([cache.table(a), cache.table(b)], [[0, 1], [0, 2]], name="tables")
    assert_close(cache.counts(), [2, 1, 1, 0], name="counts")
    assert_close(cache.gather(a)[0].flatten(), torch.tensor([1.0, 2.0, 3.0]), name="keys of a")
    assert_close(cache.gather(b)[0].flatten(), torch.tensor([1.0, 2.0, 3.0, 7.0]), name="keys of b")


@sample
@points(1)
def test_out_of_blocks_by_hand(solution):
    """Five tokens do not fit into two blocks of two: RuntimeError, and not even the first of them is kept."""
    cache = solution.PagedCache(2, 2, 1, 1)
    seq = cache.new()
    k = torch.ones(5, 1, 1)
    with pytest.raises(RuntimeError):
        cache.append(seq, k, k)
    assert_close([cache.table(seq), cache.counts()], [[], [0, 0]], name="table and counts")
    cache.append(seq, k[:4], k[:4])
    assert_close(cache.counts(), [1, 1], name="counts")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("size", [1, 3, 16])
def test_pieces(probes, rng, size, dtype):
    """Pieces of several lengths, some of which fill several blocks: the tokens must come back as they went in."""
    calls = [("new",)]
    for length in (1, size, size + 1, 2, 2 * size + 1, 0, 1):
        calls.append(("append", 0, *piece(rng, length, dtype)))
    follow(probes, (23, size, dtype), calls)


@points(2)
def test_interleaved(probes, rng):
    """Sequences that grow in turn must have their blocks scattered over the pool, and each reads its own tokens."""
    calls = [("new",), ("new",), ("new",)]
    for _ in range(5):
        for seq in rng.permutation(3).tolist():
            calls.append(("append", seq, *piece(rng, rng.integer(1, 5))))
    follow(probes, (31, 3, F32), calls)


@points(2)
@pytest.mark.parametrize("first", ["parent", "child"])
def test_who_writes_first(probes, rng, first):
    """Whoever writes first to a shared block copies it, be it the parent or the fork; the other one then writes in place."""
    a, b = (0, 1) if first == "parent" else (1, 0)
    calls = [("new",), ("append", 0, *piece(rng, 5)), ("fork", 0)]
    calls += [("append", seq, *piece(rng, 1)) for seq in (a, b, a, b, a)]
    found, _ = follow(probes, (9, 4, F32), calls)
    check(found["log"][4]["counts"] == found["log"][3]["counts"], "the last holder of a block has copied it")


@points(2)
def test_many_holders(probes, rng):
    """A block with four holders is copied three times, and forks of forks are forks like any other."""
    calls = [("new",), ("append", 0, *piece(rng, 4)), ("fork", 0), ("fork", 1), ("fork", 0)]
    calls += [("append", seq, *piece(rng, 2)) for seq in (2, 0, 3, 1)]
    calls += [("fork", 2), ("append", 2, *piece(rng, 1)), ("append", 4, *piece(rng, 4))]
    follow(probes, (17, 3, F32), calls)


@points(2)
def test_full_blocks_are_not_copied(probes, rng):
    """A shared block that is full stays shared: nobody is going to write to it."""
    calls = [("new",), ("append", 0, *piece(rng, 6)), ("fork", 0)]
    calls += [("append", 1, *piece(rng, 1)), ("append", 0, *piece(rng, 4)), ("append", 1, *piece(rng, 1))]
    found, _ = follow(probes, (7, 3, F32), calls)
    check(found["log"][-1]["counts"][:2] == [2, 2], "full blocks must stay shared")


@points(1)
def test_nothing_appended(probes, rng):
    """A piece without tokens changes nothing, even if the last block is shared, and even if no block is free."""
    calls = [("new",), ("append", 0, *piece(rng, 0)), ("append", 0, *piece(rng, 4)), ("fork", 0)]
    follow(probes, (2, 3, F32), [*calls, ("append", 1, *piece(rng, 0)), ("append", 0, *piece(rng, 0))])


@points(2)
def test_sole_holder_again(probes, rng):
    """After the others have ended, the last holder writes in place: references are counted, not remembered."""
    calls = [("new",), ("append", 0, *piece(rng, 4)), ("fork", 0), ("fork", 0), ("free", 0), ("free", 2)]
    follow(probes, (2, 3, F32), [*calls, ("append", 1, *piece(rng, 2)), ("free", 1)])


@points(2)
def test_free(probes, rng):
    """Ending a sequence must free the blocks that nobody else holds, and those alone; the lowest free block is taken next."""
    calls = [("new",), ("new",), ("append", 0, *piece(rng, 5)), ("append", 1, *piece(rng, 5)), ("fork", 1), ("fork", 0)]
    calls += [("append", 0, *piece(rng, 3)), ("free", 0), ("free", 1), ("new",), ("append", 4, *piece(rng, 7))]
    calls += [("append", 2, *piece(rng, 2)), ("append", 3, *piece(rng, 1)), ("free", 2), ("append", 3, *piece(rng, 5))]
    follow(probes, (13, 2, F32), calls)


@points(1)
def test_tables_that_do_not_ascend(probes, rng):
    """A block that was freed comes behind one with a higher number: the order of the table is that of the tokens."""
    calls = [
        ("new",),
        ("new",),
        ("append", 0, *piece(rng, 2)),
        ("append", 1, *piece(rng, 2)),
        ("append", 0, *piece(rng, 2)),
    ]
    found, _ = follow(probes, (5, 2, F32), [*calls, ("free", 1), ("append", 0, *piece(rng, 3))])
    check(found["log"][-1]["tables"][0] == [0, 2, 1, 3], "the free block with the lowest number must be taken")


@points(2)
def test_order_of_free_blocks(probes, rng):
    """Blocks come back in whatever order sequences end, and the lowest number is still the next one to be taken."""
    calls = [("new",) for _ in range(7)]
    calls += [("append", seq, *piece(rng, 2)) for seq in range(6)]
    calls += [("free", int(seq)) for seq in rng.permutation(6)[:5]]
    follow(probes, (6, 2, F32), [*calls, ("append", 6, *piece(rng, 3)), ("new",), ("append", 7, *piece(rng, 5))])


@points(3)
@pytest.mark.parametrize("case", ["new-blocks", "copy", "copy-and-new"])
def test_out_of_blocks(probes, rng, case):
    """An append that needs more blocks than are free must raise and change nothing; one that needs just these must work."""
    calls = [("new",), ("append", 0, *piece(rng, 4))]
    if case == "new-blocks":
        calls += [("append", 0, *piece(rng, 6)), ("append", 0, *piece(rng, 9)), ("append", 0, *piece(rng, 5))]
        blocks = 3
    elif case == "copy":
        calls += [("fork", 0), ("append", 1, *piece(rng, 1)), ("append", 0, *piece(rng, 2)), ("free", 0)]
        calls += [("append", 1, *piece(rng, 2)), ("append", 1, *piece(rng, 1))]
        blocks = 2
    else:
        calls += [
            ("fork", 0),
            ("append", 1, *piece(rng, 6)),
            ("append", 1, *piece(rng, 5)),
            ("append", 0, *piece(rng, 2)),
        ]
        blocks = 4
    found, _ = follow(probes, (blocks, 3, F32), calls)
    errors = [now["error"] for now in found["log"]]
    check("RuntimeError" in errors, "no append has raised RuntimeError")


@points(2)
def test_unknown_sequences(probes, rng):
    """An id that was not given out, or whose sequence has ended, is a KeyError in each method, and is not given out again."""
    calls = [("new",), ("append", 0, *piece(rng, 3)), ("fork", 0), ("free", 0)]
    for seq in (0, 2, -1):
        calls += [("append", seq, *piece(rng, 2)), ("append", seq, *piece(rng, 0))]
        calls += [("fork", seq), ("free", seq), ("gather", seq), ("table", seq)]
    found, _ = follow(probes, (5, 2, F32), [*calls, ("new",), ("fork", 1), ("free", 3), ("new",)])
    check(sum(now["error"] == "KeyError" for now in found["log"]) == 18, "an unknown id must be a KeyError")


@points(1)
def test_empty_sequences(probes, rng):
    """A sequence without tokens holds no block, can be forked and freed, and gathers to tensors of no rows."""
    calls = [("new",), ("fork", 0), ("append", 0, *piece(rng, 2, F64)), ("fork", 1), ("free", 1)]
    follow(probes, (3, 2, F64), [*calls, ("append", 2, *piece(rng, 1, F64)), ("free", 0)])


@points(3)
@pytest.mark.parametrize(("blocks", "size"), [(11, 1), (13, 2), (19, 5)], ids=["size-1", "size-2", "size-5"])
def test_random_schedules(probes, rng, blocks, size):
    """After some call of a random schedule, a table, a count or a token differs."""
    dtype = rng.choice([F32, F64])
    calls, live, begun = [("new",), ("append", 0, *piece(rng, size, dtype))], [0], 1
    for _ in range(45):
        name = rng.choice(["append"] * 5 + ["fork"] * 3 + ["free"] * 2 + ["new"])
        if name == "new" or not live:
            calls.append(("new",))
            live.append(begun)
            begun += 1
            continue
        seq = rng.choice(live)
        if name == "append":
            calls.append(("append", seq, *piece(rng, rng.integer(0, 2 * size + 2), dtype)))
            continue
        calls.append((name, seq))
        if name == "fork":
            live.append(begun)
            begun += 1
        else:
            live.remove(seq)
    follow(probes, (blocks, size, dtype), calls)


@points(2)
def test_memory_of_their_own(probes, rng):
    """What goes in and what comes out belongs to the caller: neither may share memory with the cache."""
    # one block holds all of it, so that gathering needs no joining
    k, v = piece(rng, 3)
    right = {"table": [0], "counts": [1, 0], "gather": (k, v)}
    found = probes.before_and_after((2, 8, HEADS, DIM), k, v)
    for (name, expected), (before, after) in zip(right.items(), found, strict=True):
        assert_close(before, expected, rtol=0.0, atol=0.0, name=f"what {name} returns")
        assert_close(after, before, rtol=0.0, atol=0.0, name=f"after later calls, what {name} had returned")
    found = probes.with_dirty_hands((2, 8, HEADS, DIM), k, v)
    for (name, expected), now in zip(right.items(), found, strict=True):
        assert_close(
            now, expected, rtol=0.0, atol=0.0, name=f"after the caller wrote to what went in and came out, {name}"
        )


@points(1)
def test_two_caches(probes, rng):
    """Two caches must not share tables, counts or pools."""
    k, v = piece(rng, 3)
    one, other = probes.two_caches((4, 2, HEADS, DIM), k, v)
    assert_close([one, other], [[0, [0, 1], [2, 2, 0, 0], (k, v)], [0, [0, 1], [1, 1, 0, 0], (v, k)]], name="caches")


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Keys and values are not modified, and may be transposed, strided or expanded."""
    cache = solution.PagedCache(5, 2, HEADS, DIM, F64)
    seq = cache.new()
    k = rng.randn(HEADS, 3, DIM, dtype=F64).transpose(0, 1)
    v = rng.randn(1, HEADS, 2 * DIM, dtype=F64)[..., ::2].expand(3, HEADS, DIM)
    for _ in range(2):
        assert_not_mutated(cache.append, seq, k, v)
    assert_close(cache.gather(seq), (torch.cat([k, k]), torch.cat([v, v])), rtol=0.0, atol=0.0, name="tokens")


@points(1)
@EACH_DTYPE
def test_pools(solution, dtype):
    """The pools have the shape and dtype that the constructor was asked for, float32 unless told otherwise."""
    settings = (3, 5, HEADS, DIM) if dtype is F32 else (3, 5, HEADS, DIM, dtype)
    cache = solution.PagedCache(*settings)
    for pool in (cache.keys, cache.values):
        check(
            tuple(pool.shape) == (3, 5, HEADS, DIM), "a pool must have the shape (num_blocks, block_size, heads, dim)"
        )
        check(pool.dtype == dtype, "a pool has another dtype than asked for")
    assert_close(cache.counts(), [0, 0, 0], name="counts of a new cache")


@attested
@points(1)
def test_pools_are_written_in_place(probes, rng):
    """The pools are made once: appending, copying and freeing must write into them, not replace them."""
    calls = [("new",), ("append", 0, *piece(rng, 4)), ("fork", 0), ("append", 1, *piece(rng, 3)), ("free", 0)]
    found, _ = follow(probes, (7, 3, F32), calls)
    check(found["same"], "a pool was replaced by another tensor")
