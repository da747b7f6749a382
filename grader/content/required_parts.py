"""Finds syntax errors and missing parts of a challenge without running any of its code, so that its author learns of them when
saving, and not after a run of the gate.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.content.answers import Answer
from grader.content.authoring import author_files
from grader.content.authoring.author_files import Complaint
from grader.content.authoring.finding import Finding
from grader.contract.job import Verdict

MIN_TESTS, MIN_SAMPLES = 12, 3
MIN_ACCEPTED, MIN_WRONG, MIN_HINTS = 2, 6, 1
# Answers in this folder must not compile.
NOT_PYTHON = "submissions/ce/"
PARAMETRIZE = "parametrize"
# Decorators of grader.testing that do not change how many tests a function makes.
SINGLE = {"sample", "points", "attested"}
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class SavedFiles:
    """What was found in files that an author has saved. `blocking` must be fixed before the gate can run. With `missing`, the
    gate runs, but the challenge does not pass.
    """

    blocking: tuple[Complaint, ...]
    missing: tuple[Complaint, ...]


def check_saved(slug: str, files: dict[str, str]) -> SavedFiles:
    """Run all checks that do not execute code. Syntax errors come first, because they cause many of the others."""
    found = author_files.check_files(slug, files)
    syntax = [Complaint(each.where, each.text) for each in syntax_findings(files)]
    if found.package is None:
        return SavedFiles((*syntax, *found.complaints), ())
    counted = count_tests(files.get("tests.py", ""))
    parts = missing_parts("the challenge", counted, found.package.answers, len(found.package.info.hints))
    return SavedFiles((*syntax, *found.complaints), tuple(Complaint(each.where, each.text) for each in parts))


class CountedTests(NamedTuple):
    """How many tests a challenge has, and how many of them are samples."""

    tests: int
    samples: int


def syntax_findings(files: dict[str, str]) -> Iterator[Finding]:
    """Yield a finding for each Python file that is not valid Python, with the line. Answers that must not compile are left
    out.
    """
    for name, text in sorted(files.items()):
        if name.endswith(".py") and not name.startswith(NOT_PYTHON):
            try:
                ast.parse(text)
            except SyntaxError as error:
                yield Finding(f"{name}, line {error.lineno}", f"is not valid Python: {error.msg}")
            except UNREADABLE as error:
                yield Finding(name, f"is not valid Python: {error}")


def missing_parts(where: str, counted: CountedTests | None, answers: Sequence[Answer], hints: int) -> Iterator[Finding]:
    """Yield a finding for each kind of part of which the challenge has too few. `counted` is None if the number of tests is not
    known.
    """
    accepted = sum(answer.verdict is Verdict.AC for answer in answers)
    counts = [
        (accepted, MIN_ACCEPTED, "accepted answers"),
        (len(answers) - accepted, MIN_WRONG, "wrong answers"),
        (hints, MIN_HINTS, "hints"),
    ]
    if counted is not None:
        counts = [(counted.tests, MIN_TESTS, "tests"), (counted.samples, MIN_SAMPLES, "samples"), *counts]
    for count, least, what in counts:
        if count < least:
            yield Finding(where, f"has {count} {what}, at least {least} are needed")


def count_tests(source: str) -> CountedTests | None:
    """Count the tests in tests.py. Returns None if the number depends on code that would have to run, such as parameters that
    are computed.
    """
    try:
        body = ast.parse(source).body
    except UNREADABLE:
        return None
    named = {
        target.id: node.value
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    tests = samples = 0
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            return None
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        copies = 1
        for decorator in node.decorator_list:
            count = _copies(decorator, named)
            if count is None:
                return None
            copies *= count
        tests += copies
        samples += copies if any(_name(each) == "sample" for each in node.decorator_list) else 0
    return CountedTests(tests, samples)


def _copies(decorator: ast.expr, named: dict[str, ast.expr]) -> int | None:
    """Return how many tests this decorator makes of one, or None if that is not known without running code."""
    if isinstance(decorator, ast.Name) and decorator.id in named:
        decorator = named[decorator.id]
    name = _name(decorator)
    if name in SINGLE:
        return 1
    if name != PARAMETRIZE or not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
        return None
    values = decorator.args[1]
    if isinstance(values, ast.Name):
        values = named.get(values.id, values)
    if not isinstance(values, ast.List | ast.Tuple) or any(isinstance(each, ast.Starred) for each in values.elts):
        return None
    return len(values.elts)


def _name(decorator: ast.expr) -> str:
    """Return the last part of a decorator's name: `parametrize` for `@pytest.mark.parametrize(...)`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""
