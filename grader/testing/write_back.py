"""Whether arguments that an answer changed in place come back changed.

Not by default: an expected value that is computed after the call must be computed from what was sent. `assert_not_mutated` needs
to see them, and says which argument it was.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_depth = [0]


@contextmanager
def arguments_come_back() -> Iterator[None]:
    """Calls inside the block bring their arguments back as the answer left them."""
    _depth[0] += 1
    try:
        yield
    finally:
        _depth[0] -= 1


def active() -> bool:
    """Whether such a block is open."""
    return _depth[0] > 0
