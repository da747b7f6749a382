"""Checks that the statement names shapes and dtypes, and that the title of every test is long enough to be a sentence."""

import re
from collections.abc import Iterator

from grader.content.authoring.finding import Finding
from grader.content.package import Package

LEAST_SENTENCE = 20
_DTYPE = re.compile(
    r"\b(dtypes?|b?float(8|16|32|64)?|u?int(8|16|32|64)?|bool(ean)?s?|complex(64|128)?|floating[- ]point|integers?|floats?)\b"
)
# Matches shapes such as `(B, T, d)`, `[2, 3]` or (…, n), but not the arguments of a call.
_TUPLE = re.compile(r"(?<![\w\]])[(\[][^()\[\]\n]*[\w*…}'′?+\-]\s*,[^()\[\]\n]*[)\]]")
_MATHS = re.compile(r"\\mathbb\{?R\}?\s*\^|\\times|×")
_NO_SHAPE = re.compile(
    r"\b(scalars?|numbers?|0-d|1-d|one-dimensional|zero-dimensional|same shape|any shape)\b", re.IGNORECASE
)
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def statement_findings(package: Package) -> Iterator[Finding]:
    """Yield a finding for each piece of information that is missing in the statement or in the title of a test."""
    prose = _CODE.sub("", package.statement)
    if not _DTYPE.search(prose):
        yield Finding("statement.md", "names no dtype: say what goes in and what comes out, for example float32")
    if not any(pattern.search(prose) for pattern in (_TUPLE, _MATHS, _NO_SHAPE)):
        yield Finding("statement.md", "names no shape: say what goes in and what comes out, for example `(B, T, d)`")
    for test in package.lock.tests:
        if test.title == test.id:
            yield Finding("tests.py", f"{test.id} has no docstring: its first line is what a candidate reads")
        elif len(test.title) < LEAST_SENTENCE:
            yield Finding("tests.py", f"{test.id}: {test.title!r} is too short to help anybody")
