"""Controls whether a call of the answer may overwrite an argument with the values that the argument already has.

By default, this is allowed, because no caller sees a difference. Within `assert_not_mutated` it is not: every argument to which
the call wrote counts as changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_depth = [0]


@contextmanager
def strictly() -> Iterator[None]:
    """Make calls inside the `with` block fail if they wrote to an argument, even if its values stayed the same."""
    _depth[0] += 1
    try:
        yield
    finally:
        _depth[0] -= 1


def strict() -> bool:
    """Return whether a `strictly` block is active."""
    return _depth[0] > 0
