"""Measure how long a call takes on a device that works asynchronously."""

from collections.abc import Callable


def bench(
    fn: Callable[[], object],
    clock: Callable[[], float],
    synchronize: Callable[[], None] | None = None,
    warmup: int = 3,
    repeats: int = 10,
) -> dict:
    """{"times": [...], "median": ..., "iqr": ...}"""
    raise NotImplementedError
