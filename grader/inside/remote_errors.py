"""What a test may see when a call into the cell does not end with a value.

RemoteError(Exception)          the answer raised; subclasses also derive from the built-in: RemoteValueError(ValueError), …
UnsupportedResult(CheckFailed)  the answer returned something of a type that does not cross
BadReply(Exception)             the cell sent garbage: the candidate's fault, verdict RE
CellGone(BaseException)         the cell's child is dead; the node knows why. No `except Exception` of a test swallows it.
"""

import builtins
from typing import Any

from grader.inside.failures import FAMILY
from grader.testing.checks import CheckFailed


class RemoteError(Exception):
    """The answer raised an exception; str() is its own message, as locally, and `text` says its type as well.

    `line` is a line of the candidate's source; `trace` its own frames.
    """

    family = "Exception"

    def __init__(self, message: str, text: str = "", line: int | None = None, trace: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.line = line
        self.trace = trace

    def __str__(self) -> str:
        # KeyError would show the repr of a message that is one already.
        return self.message


class UnsupportedResult(CheckFailed):
    """The answer returned something that is not plain data; the message is made of our own words only."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"the answer returned {safe_phrase(kind)}: return plain tensors and Python values")
        self.detail = detail


class BadReply(Exception):
    """The cell's reply is malformed."""


class CellGone(BaseException):
    """The cell's child is gone."""


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


def remote_error(tree: dict[str, Any]) -> RemoteError:
    """The exception for an error in a reply; names outside the family become plain RemoteError."""
    line = tree.get("line")
    line = line if type(line) is int and 0 < line < 1_000_000 else None
    cls = _CLASSES.get(str(tree.get("type")), RemoteError)
    message, text, trace = (str(tree.get(key, ""))[:4000] for key in ("message", "text", "trace"))
    return cls(message, text, line, trace)


def safe_phrase(kind: str) -> str:
    """The cell's phrase for an unsupported type, if it is one of ours (a cell must not choose its own words)."""
    return kind if kind in _PHRASES else "an object of another type"
