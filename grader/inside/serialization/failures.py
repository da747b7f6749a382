"""Turns a candidate's exception into plain data: a type name from a fixed list, text, and lines of the candidate's source."""

import builtins
import itertools
import traceback
from typing import Any

from grader.inside.screen import FILENAME

FAMILY = (
    "AssertionError AttributeError IndexError KeyError LookupError MemoryError NotImplementedError OverflowError "
    "RecursionError RuntimeError StopIteration TypeError ValueError ZeroDivisionError ArithmeticError ImportError "
    "NameError OSError TimeoutError UnicodeError SystemExit KeyboardInterrupt"
).split()
MAX_TEXT = 4000
MAX_ROWS = 12
_FAILURE = "_gradus_failure"


def describe(error: BaseException) -> dict[str, Any]:
    """Return an exception as JSON data. Never raises, even if methods of the exception do."""
    return {
        "type": family(error),
        "text": _text(error),
        "message": _message(error),
        "failure": _failure(error),
        "line": _line(error),
        "trace": _trace(error),
    }


def family(error: BaseException) -> str:
    """Return the name of the nearest base class in FAMILY, or «Exception». Running out of memory is always a MemoryError."""
    if _is_out_of_memory(error):
        return "MemoryError"
    for base in type(error).__mro__:
        if base.__module__ == "builtins" and base.__name__ in FAMILY:
            return base.__name__
    return "Exception"


def _is_out_of_memory(error: BaseException) -> bool:
    """Return whether this is torch's error for a failed allocation: a plain RuntimeError on the CPU, an OutOfMemoryError (which
    is not a MemoryError) on other devices.
    """
    if type(error).__name__ == "OutOfMemoryError":
        return True
    return type(error) is RuntimeError and str(error).startswith("[enforce fail at alloc_cpu")


def _text(error: BaseException) -> str:
    try:
        return _encodable(f"{type(error).__name__}: {error}".removesuffix(": "))
    except BaseException:
        return _encodable(type(error).__name__)


def _encodable(text: str) -> str:
    """Shorten a text and replace lone surrogates, which cannot be encoded."""
    return text[:MAX_TEXT].encode("utf-8", errors="replace").decode()


def _message(error: BaseException) -> str:
    try:
        return _encodable(str(error))
    except BaseException:
        return ""


def failed_function(index: int, family: str) -> BaseException:
    """Create the exception that the answer gets if a function of the test has raised an exception. The new exception has the
    type that `family` returned for the original, but not its text.
    """
    cls = getattr(builtins, family) if family in FAMILY else Exception
    error: BaseException = cls("the function that the test passed in has failed")
    vars(error)[_FAILURE] = index
    return error


def _failure(error: BaseException) -> int | None:
    try:
        index = vars(error).get(_FAILURE)
    except BaseException:
        return None
    return index if type(index) is int else None


def _own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    try:
        frames = traceback.extract_tb(error.__traceback__, limit=-200)
    except BaseException:
        return []
    return [frame for frame in frames if frame.filename == FILENAME]


def _line(error: BaseException) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == FILENAME:
        return error.lineno
    frames = _own_frames(error)
    return frames[-1].lineno if frames else None


def _trace(error: BaseException) -> str:
    rows = (f"line {f.lineno}, in {f.name}: {(f.line or '').strip()}" for f in _own_frames(error))
    counted = [(row, len(list(group))) for row, group in itertools.groupby(rows)]
    return _encodable("\n".join(f"{row}  ({n} times)" if n > 1 else row for row, n in counted[-MAX_ROWS:]))
