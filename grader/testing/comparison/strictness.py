"""Controls whether a call may overwrite an argument with the values that the argument already has.

By default this is allowed, because no caller sees a difference. Within `assert_not_mutated` it is not: an argument that was
written to at all counts as changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_depth = [0]


@contextmanager
def strictly() -> Iterator[None]:
    """Within the `with` block, a call fails if it wrote to an argument, even if the values stayed the same."""
    _depth[0] += 1
    try:
        yield
    finally:
        _depth[0] -= 1


def strict() -> bool:
    """Whether a `strictly` block is active."""
    return _depth[0] > 0
