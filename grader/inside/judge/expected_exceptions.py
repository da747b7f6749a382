"""Records which type of exception a test expected when the answer raised another type. The expected type is stored on the
exception that the answer raised, so that the message to the candidate can name both types.

`pytest.raises` does not stop an exception of another type. If several `pytest.raises` blocks are nested, the type that the
innermost block expected is stored.
"""

from typing import Any

import pytest

from grader.inside.judge.remote.errors import RemoteError


def note_expectations() -> None:
    """Patch `pytest.raises` in this process. If the answer raises an exception that does not match, the patch stores the
    expected type on that exception.
    """
    leave: Any = pytest.RaisesExc.__exit__
    if leave.__module__ == __name__:
        return

    def __exit__(self: Any, kind: Any, error: BaseException | None, trace: Any) -> bool:
        met: bool = leave(self, kind, error, trace)
        if not met and isinstance(error, RemoteError):
            error.expected = error.expected or " or ".join(each.__name__ for each in self.expected_exceptions)
        return met

    pytest.RaisesExc.__exit__ = __exit__  # type: ignore[method-assign]
