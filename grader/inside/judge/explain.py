"""Explains to the candidate why a test failed.

The message of a hidden test contains sentences by the test's author or by the grader, the type of the exception, and a line
number. It never contains inputs, expected values, text from assertions, or text from the answer. The message of a sample test
may contain all of these.
"""

import re
from typing import Any

import pytest

from grader.contract.wire import WireError
from grader.inside.judge.remote.errors import BadReply, CellGone, RemoteError, UnsupportedResult
from grader.testing.comparison.checks import CheckFailed

MAX_MESSAGE = 2000
Report = dict[str, Any]
_NOTHING_RAISED = re.compile(r"DID NOT RAISE (?:any of \()?([\w, ]+?)\)?")
# Pairs of a pattern and a text. If a test uses a result of the wrong kind, Python or torch raises an error that matches the
# pattern, and the candidate reads the text. Each group of a pattern matches a name or number from the test's code, or the type
# of the result. The candidate may see all of these.
_UNUSABLE = tuple(
    (re.compile(pattern, re.DOTALL), text)
    for pattern, text in (
        (r"AttributeError: '(\w+)' object has no attribute '(\w+)'.*", "the answer returned {a}, which has no `{1}`"),
        (
            r"TypeError: '(\w+)' object is not (iterable|subscriptable|callable).*",
            "the answer returned {a}: it is not {1}",
        ),
        (
            r"TypeError: cannot unpack non-iterable (\w+) object",
            "the answer returned {a} where several values were expected",
        ),
        (r"TypeError: object of type '(\w+)' has no len\(\)", "the answer returned {a}, which has no length"),
        (
            r"ValueError: (?:not enough|too many) values to unpack \(expected (\d+).*",
            "the answer did not return {0} values",
        ),
        (
            r"TypeError: (list|tuple) indices must be integers or slices, not str",
            "the answer returned {a}, which has no items by name",
        ),
        (r"KeyError: '([A-Za-z_]\w{0,40})'", "what the answer returned has no item `{0}`"),
        (r"IndexError: (?:list|tuple) index out of range", "the answer returned fewer items than expected"),
        (
            r"RuntimeError: element \d+ of tensors does not require grad.*",
            "what the answer returned is detached: no gradient flows through it",
        ),
        (
            r"RuntimeError: (?:One of the|The) differentiated Tensors? (?:.*not have been used|does not require grad).*",
            "what the answer returned does not depend on an input that it should depend on",
        ),
    )
)


def explain(error: BaseException, *, sample: bool) -> Report:
    """Return the report on a test that raised `error`: a dict with the verdict and the message. If the test itself may be
    wrong, the dict has a key `alarm` too.
    """
    if isinstance(error, UnsupportedResult):
        return {"verdict": "WA", "message": f"{error} ({error.detail})" if sample else str(error)}
    if isinstance(error, CheckFailed):
        return {"verdict": "WA", "message": str(error)[:MAX_MESSAGE]}
    if isinstance(error, RemoteError):
        return _remote(error, sample=sample)
    if isinstance(error, BadReply | WireError):
        return {"verdict": "RE", "message": "the answer's process sent something that is not a reply"}
    if isinstance(error, CellGone):
        return {"verdict": "RE", "message": "the answer's process ended"}
    if isinstance(error, AssertionError | pytest.fail.Exception):
        return {"verdict": "WA", "message": _asserted(str(error), sample=sample)}
    return _unexpected(error, sample=sample)


def _remote(error: RemoteError, *, sample: bool) -> Report:
    verdict = "MLE" if error.family == "MemoryError" else "RE"
    of, wanted = ("", f"expected {error.expected}; your code raised ") if error.expected else (" of your code", "")
    place = f"in line {error.line}{of}" if error.line else error.during
    message = f"{error.text}\n{error.trace if error.line else place}" if sample else f"{error.family} {place}"
    return {"verdict": verdict, "message": f"{wanted}{message}".strip()[:MAX_MESSAGE], "line": error.line}


def _asserted(text: str, *, sample: bool) -> str:
    """Return the message for a failed assertion. For a sample test it is pytest's own message. For a hidden test it is empty,
    because pytest's message contains values.

    If a `pytest.raises` block failed, the message is a fixed sentence, for sample tests and hidden tests alike.
    """
    if nothing := _NOTHING_RAISED.fullmatch(text):
        names = " or ".join(nothing[1].split(", "))
        return f"should have raised {names}, and returned instead"
    if text.startswith("Regex pattern did not match"):
        return "raised the right type of exception, with another message than was asked for"
    lines = [line for line in text.splitlines() if "Use -v to get" not in line]
    return "\n".join(lines).strip()[:MAX_MESSAGE] if sample else ""


def _with_article(kind: str = "", *_: str) -> str:
    if kind == "NoneType":
        return "None"
    return f"{'an' if kind[:1].lower() in 'aeio' else 'a'} {kind}"


def _unexpected(error: BaseException, *, sample: bool) -> Report:
    """Return the report on an error that was raised in the test's own code while it used the answer's result. The candidate
    gets WA, and the author of the test gets an alarm.
    """
    alarm = f"{type(error).__name__}: {error}"[:MAX_MESSAGE]
    found = ((pattern.fullmatch(alarm), text) for pattern, text in _UNUSABLE)
    known = next(
        (text.format(*match.groups(), a=_with_article(*match.groups())) for match, text in found if match), None
    )
    message = "the test could not use what the answer returned"
    message = known or (f"{message} ({alarm})" if sample else message)
    return {"verdict": "WA", "message": message, "alarm": alarm}
