"""Checks that every promise of a statement has a test. The author lists the promises and their tests in gate.toml.

    [[promise]]
    says = "Leading sizes may be 0"         # a quotation that occurs exactly once in the statement
    tests = ["test_no_rows"]                # names of tests, or full ids of parametrized cases

    [[promise]]
    says = "every line of it has a right place"
    tests = []
    reason = "An introduction: it promises nothing by itself."

A sentence with one of the words in `PROMISING` needs a [[promise]] table. If no test checks such a sentence, an answer that
ignores it is accepted. Code blocks and the worked example need no tables, because the gate runs them anyway.
"""

import re
from collections.abc import Iterator

import msgspec

from grader.content.authoring.finding import Finding
from grader.content.package import Package

PROMISING = re.compile(r"\b(must|every|any|exactly|never|always|only)\b", re.IGNORECASE)
LEAST_REASON = 20
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^(#+) [^\n]*\bexamples?\b.*?(?=^#{1,2} |\Z)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_NO_PROSE = re.compile(r"`[^`]*`|\$[^$]*\$|<!--.*?-->")
# The statement is split into blocks at blank lines and before list items, table rows and headings.
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+] |\d+\. |\||#))")
_SENTENCES = re.compile(r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)[)*_\"”]*\s+(?=[^a-z\s])")


class Promise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A [[promise]] table of gate.toml. `says` quotes the statement. An answer that ignores the promise must fail the tests in
    `tests`.
    """

    says: str
    tests: tuple[str, ...]
    reason: str = ""


def complaint(row: Promise) -> str:
    """Return a message that says what is wrong with a [[promise]] table, or an empty text if nothing is wrong."""
    if row.tests and row.reason:
        return f"the promise {row.says!r} has both `tests` and a `reason`: a reason is for a promise without tests"
    if not row.tests and len(row.reason.strip()) < LEAST_REASON:
        return f"the promise {row.says!r} names no test: name one, or give a `reason` why there is nothing to test"
    return ""


def promising(statement: str) -> Iterator[str]:
    """Yield the sentences of a statement that need a [[promise]] table. Line breaks in a sentence become spaces."""
    prose = _EXAMPLE.sub("", _FENCED.sub("\n\n", statement))
    for block in _BLOCKS.split(prose):
        for sentence in _SENTENCES.split(_spaced(block)):
            if PROMISING.search(_NO_PROSE.sub(" ", sentence)):
                yield sentence.strip()


def untested_promises(package: Package, rows: tuple[Promise, ...]) -> Iterator[Finding]:
    """Yield a finding for each sentence that lacks a [[promise]] table, and for each table whose quotation does not occur in
    the statement exactly once.

    This check does not need tests.lock, so it also works before the gate has written that file.
    """
    statement = _spaced(package.statement)
    for row in rows:
        found = statement.count(_spaced(row.says))
        if found != 1:
            told = f"is in statement.md {found} times" if found else "is not in statement.md"
            yield Finding("gate.toml", f"the promise {row.says!r} {told}: quote words that occur in it once")
    for sentence in promising(package.statement):
        if not any(_spaced(row.says) in sentence for row in rows):
            yield Finding(
                "statement.md",
                f"no test is named for {sentence!r}: add a [[promise]] to gate.toml with `says` (words of this sentence) and "
                "`tests` (which fail for an answer that ignores it), or with `tests = []` and a `reason`",
            )


def unknown_tests(package: Package, rows: tuple[Promise, ...]) -> Iterator[Finding]:
    """Yield a finding for each test that gate.toml names but tests.lock does not list."""
    known = {test.id for test in package.lock.tests}
    known |= {name.partition("[")[0] for name in known}
    for row in rows:
        for name in row.tests:
            if name not in known:
                yield Finding("gate.toml", f"the promise {row.says!r} names {name}, which is no test of tests.lock")


def _spaced(text: str) -> str:
    return " ".join(text.split())
