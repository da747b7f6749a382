"""Parses predicted results of a snippet. A predicted result is a shape, a dtype, a value or an exception, written as text.

Three kinds of text are parsed in the same way: the keys (right answers) computed by the gate, the slips (common wrong answers)
written by authors, and the answers of candidates. So "(2,3)", "[2, 3]" and "torch.Size([2, 3])" are the same shape, and "long"
is int64.
"""

import ast
import math
import re
from typing import Any, Literal

Ask = Literal["shape", "dtype", "value", "error"]
# The type of a parsed answer. A shape is a list of int. A dtype or an exception is its name. A value is None, bool, int, float,
# str or a list of those.
Predicted = Any

LONGEST = 500
RELATIVE, ABSOLUTE = 1e-3, 1e-6
ERRORS = (
    "none",
    "RuntimeError",
    "ValueError",
    "TypeError",
    "IndexError",
    "KeyError",
    "AttributeError",
    "NotImplementedError",
    "AssertionError",
    "StopIteration",
)
DTYPES = frozenset(
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
)
ALIASES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


class Unreadable(ValueError):
    """The text is not an answer of the expected kind. The message says what the candidate must write."""


def read(ask: Ask, text: str) -> Predicted:
    """Parse the text of an answer. Raises `Unreadable` if the text is not of the kind `ask`."""
    text = text.strip()
    if not text:
        raise Unreadable("The answer is empty.")
    if len(text) > LONGEST:
        raise Unreadable(f"The answer is longer than {LONGEST} characters.")
    return {"shape": _shape, "dtype": _dtype, "value": _value, "error": _error}[ask](text)


def agree(ask: Ask, key: Predicted, answer: Predicted) -> bool:
    """Return whether an answer is the same as the key. Numbers are compared with the relative tolerance RELATIVE and the
    absolute tolerance ABSOLUTE; the larger of the two applies, as in `math.isclose`.
    """
    return _close(key, answer) if ask == "value" else bool(key == answer)


def show(ask: Ask, key: Predicted) -> str:
    """Format an answer as a person would write it."""
    if ask == "shape":
        return f"({key[0]},)" if len(key) == 1 else f"({', '.join(map(str, key))})"
    if ask == "value":
        return f"{key:.6g}" if isinstance(key, float) else str(key)
    return "no exception" if key == "none" else str(key)


def _shape(text: str) -> list[int]:
    inner = re.sub(r"^(torch\.)?Size", "", text)
    if not re.fullmatch(r"[\[(\s]*(\d{1,9}(\s*[,x×]\s*|\s*$|(?=\s*[\])])))*[\])\s]*", inner):
        raise Unreadable("Write a shape as sizes in parentheses, for example (2, 3), (5,) or ().")
    return [int(size) for size in re.findall(r"\d+", inner)]


def _dtype(text: str) -> str:
    name = text.lower().removeprefix("torch.")
    name = ALIASES.get(name, name)
    if name not in DTYPES:
        raise Unreadable("Write a dtype by its name, for example float32, int64 or bool.")
    return name


def _error(text: str) -> str:
    wanted = {name.lower(): name for name in ERRORS} | {"no exception": "none", "no error": "none"}
    if text.lower() not in wanted:
        raise Unreadable(f"Write the exception's name, one of: {', '.join(ERRORS)}.")
    return wanted[text.lower()]


def _value(text: str) -> Predicted:
    inner = text[len("tensor(") : -1] if text.startswith("tensor(") and text.endswith(")") else text
    inner = re.sub(r",\s*(dtype|grad_fn|requires_grad)=[^\[\]]*$", "", inner)
    try:
        return _plain(ast.parse(inner, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unreadable(
            "Write a value as Python does: a number, True or False, a quoted text, None, or a list such as [1, 2]."
        ) from None


def _plain(node: ast.expr) -> Predicted:
    """Evaluate a literal: None, a bool, a number, a string, or a list or tuple of literals. Also accepts the names nan, inf,
    true, false and none, in upper or lower case.
    """
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name(id=name) if name.lower() in ("nan", "inf", "true", "false", "none"):
            return {"nan": math.nan, "inf": math.inf, "true": True, "false": False, "none": None}[name.lower()]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = _plain(operand)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError("minus what?")
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_plain(item) for item in items]
    raise ValueError("not a literal")


def _close(key: Predicted, answer: Predicted) -> bool:
    if isinstance(key, list | tuple) and isinstance(answer, list | tuple):
        return len(key) == len(answer) and all(map(_close, key, answer))
    if isinstance(key, bool) or isinstance(answer, bool):
        return key is answer
    if isinstance(key, int | float) and isinstance(answer, int | float):
        if math.isnan(key) or math.isnan(answer):
            return math.isnan(key) and math.isnan(answer)
        return math.isclose(key, answer, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(key == answer)
