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
    """Tables, tokens and counts."""
    tables = {seq: cache.table(seq) for seq in live}
    return {"tables": tables, "tokens": {seq: cache.gather(seq) for seq in live}, "counts": cache.counts()}


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
    first = cache.gather(seq)
    kept = [t.clone() for t in first]
    early = cache.table(seq), cache.counts()
    noted = list(early[0]), list(early[1])
    cache.append(seq, k, v)
    cache.free(seq)
    again = cache.new()
    cache.append(again, v, k)
    return [kept, list(first), [list(part) for part in noted], [list(part) for part in early]]


def two_caches(solution, settings: tuple, k: torch.Tensor, v: torch.Tensor) -> list:
    """Two caches side by side: the same ids and blocks, different tokens."""
    one, other = solution.PagedCache(*settings), solution.PagedCache(*settings)
    ids = [cache.new() for cache in (one, other)]
    one.append(ids[0], k, v)
    other.append(ids[1], v, k)
    one.fork(ids[0])
    return [[seq, cache.table(seq), cache.counts(), cache.gather(seq)] for seq, cache in zip(ids, (one, other))]
