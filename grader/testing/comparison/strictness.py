"""Whether a call may overwrite an argument with the values that the argument already has.

By default it may, because no caller sees a difference. Within `assert_not_mutated` it may not: an argument counts as changed if
it was written to at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_depth = [0]


@contextmanager
def strictly() -> Iterator[None]:
    """Within the block, calls fail if an argument was written to at all."""
    _depth[0] += 1
    try:
        yield
    finally:
        _depth[0] -= 1


def strict() -> bool:
    """Whether a `strictly` block is active."""
    return _depth[0] > 0
