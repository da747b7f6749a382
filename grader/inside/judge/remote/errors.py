"""Defines the exceptions that a call into the cell can raise in a test.

RemoteError(Exception)          the answer raised; subclasses also derive from the built-in: RemoteValueError(ValueError), …
UnsupportedResult(CheckFailed)  the answer returned something of a type that cannot be sent
BadReply(Exception)             the cell sent a malformed reply: the candidate's fault, verdict RE
CellGone(BaseException)         the cell's child is dead; the node knows why. `except Exception` in a test does not catch it.
"""

import builtins
from typing import Any

from grader.inside.serialization.failures import FAMILY
from grader.testing.comparison.checks import CheckFailed

# The largest line number of the candidate's source that a report may contain. No person writes a longer source. `remote_error`
# explains why larger numbers are dropped.
MOST_LINES = 2_000


class RemoteError(Exception):
    """The answer raised an exception. str() returns the exception's own message, as in a local call; `text` also contains its
    type.

    `line` is a line number in the candidate's source, and `trace` lists the stack frames in that source. If the source has no
    such frame, `during` says what the test was doing. `expected` names the exception that the test expected instead.
    """

    family = "Exception"
    during = ""
    expected = ""

    def __init__(self, message: str, text: str = "", line: int | None = None, trace: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.line = line
        self.trace = trace

    def __str__(self) -> str:
        # KeyError.__str__ would show the repr of the message.
        return self.message


class UnsupportedResult(CheckFailed):
    """The answer returned something that is not plain data. The message contains fixed phrases only."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"the answer returned {safe_phrase(kind)}: return plain tensors and Python values")
        self.detail = detail


class BadReply(Exception):
    """The cell's reply is malformed."""


class CellGone(BaseException):
    """The candidate's process has ended."""


def _make(name: str) -> type[RemoteError]:
    base = getattr(builtins, name)
    bases = (RemoteError, base) if issubclass(base, Exception) else (RemoteError,)
    return type(f"Remote{name}", bases, {"family": name})


_CLASSES = {name: _make(name) for name in FAMILY}
_PHRASES = frozenset(
    {
        "a subclass of torch.Tensor",
        "a module",
        "a NumPy value",
        "a function",
        "a generator",
        "a coroutine",
        "a tensor that is not dense",
        "a tensor of an unusual dtype",
        "a tensor that is too large",
        "an integer that is too large",
        "a value nested too deeply",
        "a value with too many parts",
        *(f"a subclass of {name}" for name in ("bool", "int", "float", "str", "list", "tuple", "dict")),
    }
)


def remote_error(tree: dict[str, Any], lines: int) -> RemoteError:
    """Create the exception for an error in a reply. A type that is not in FAMILY becomes a plain RemoteError.

    A line number above `lines`, the length of the source, is dropped. A line number above MOST_LINES is dropped too: the line
    at which an answer raises may depend on a hidden test's inputs, so a source with many empty lines could otherwise report any
    number to the candidate.
    """
    line = tree.get("line")
    line = line if type(line) is int and 0 < line <= min(lines, MOST_LINES) else None
    cls = _CLASSES.get(str(tree.get("type")), RemoteError)
    message, text, trace = (str(tree.get(key, ""))[:4000] for key in ("message", "text", "trace"))
    return cls(message, text, line, trace)


def safe_phrase(kind: str) -> str:
    """Return the phrase that the cell sent for an unsupported type if it is a known phrase, otherwise a general one. The cell
    must not be able to choose the text of a message.
    """
    return kind if kind in _PHRASES else "an object of another type"
