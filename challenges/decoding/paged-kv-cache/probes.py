"""Schedules of calls that run next to your answer, with a look at the whole cache after each call."""

import torch

ERRORS = (KeyError, RuntimeError)


def play(solution, settings: tuple, calls: list) -> dict:
    """Make a cache and run calls such as ("append", 0, k, v), one after the other. After each, note what it returned or raised,
    and the tables, tokens and counts of all sequences that live; at the end, what the pools hold.
    """
    cache = solution.PagedCache(*settings)
    live, log = [], []
    pools = cache.keys.data_ptr(), cache.values.data_ptr()
    for name, *arguments in calls:
        returned, error = attempt(getattr(cache, name), arguments)
        if name in ("new", "fork") and error is None:
            live.append(returned)
        if name == "free" and error is None:
            live = [seq for seq in live if seq != arguments[0]]
        log.append({"returned": returned if name != "gather" else None, "error": error, **seen(cache, live)})
    same = pools == (cache.keys.data_ptr(), cache.values.data_ptr())
    return {"log": log, "keys": cache.keys.clone(), "values": cache.values.clone(), "same": same}


def attempt(method, arguments: list) -> tuple:
    """What a call returns, and the name of what it raises, if that is one of the errors of the statement."""
    try:
        return method(*arguments), None
    except ERRORS as error:
        return None, next(known.__name__ for known in ERRORS if isinstance(error, known))


def seen(cache, live: list) -> dict:
    """Copies of tables, tokens and counts, which later calls cannot change."""
    tables = {seq: copied(cache.table(seq)) for seq in live}
    tokens = {seq: copied(cache.gather(seq)) for seq in live}
    return {"tables": tables, "tokens": tokens, "counts": copied(cache.counts())}


def copied(result):
    """A copy of a tensor, a list or a tuple, with what is in it; anything else as it is."""
    if type(result) is torch.Tensor:
        return result.clone()
    return type(result)(copied(item) for item in result) if type(result) in (list, tuple) else result


def before_and_after(solution, settings: tuple, k: torch.Tensor, v: torch.Tensor) -> list:
    """Table, counts and tokens that a sequence returned, as they were then and after later calls."""
    cache = solution.PagedCache(*settings)
    seq = cache.new()
    cache.append(seq, k, v)
    returned = [cache.table(seq), cache.counts(), cache.gather(seq)]
    before = copied(returned)
    for _ in range(3):
        cache.append(seq, v, k)
    cache.free(seq)
    again = cache.new()
    for _ in range(3):
        cache.append(again, v, k)
    return [[old, new] for old, new in zip(before, returned, strict=True)]


def with_dirty_hands(solution, settings: tuple, k: torch.Tensor, v: torch.Tensor) -> list:
    """What a sequence holds after the caller has written to all that was passed in and to all that came back."""
    cache = solution.PagedCache(*settings)
    seq = cache.new()
    mine = k.clone(), v.clone()
    cache.append(seq, *mine)
    for tensor in mine:
        tensor.fill_(-77.0)
    for tensor in cache.gather(seq):
        tensor.fill_(-88.0)
    cache.table(seq).append(0)
    cache.counts().clear()
    return [cache.table(seq), cache.counts(), cache.gather(seq)]


def two_caches(solution, settings: tuple, k: torch.Tensor, v: torch.Tensor) -> list:
    """Two caches side by side: the same ids and blocks, different tokens."""
    one, other = solution.PagedCache(*settings), solution.PagedCache(*settings)
    ids = [cache.new() for cache in (one, other)]
    one.append(ids[0], k, v)
    other.append(ids[1], v, k)
    one.fork(ids[0])
    return [[seq, cache.table(seq), cache.counts(), cache.gather(seq)] for seq, cache in zip(ids, (one, other))]
