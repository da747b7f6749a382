"""Tests that sources that attack the compiler harm only their own process. They are too large to store as files, so this module
generates them.
"""

import pytest

from grader.content.package import Package
from grader.contract.job import Verdict
from grader.judging.workbench import Workbench
from tests.attacks.trial import outline, trial

pytestmark = pytest.mark.docker

HONEST = """
import math
def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
"""
BROKEN = frozenset({Verdict.CE, Verdict.RE, Verdict.TLE, Verdict.MLE})
EITHER = BROKEN | {Verdict.AC}
SOURCES = {
    "nothing": ("", BROKEN),
    "not Python": ("def attention(q, k, v:\n    return q", BROKEN),
    "tabs and spaces": ("def attention(q, k, v):\n\treturn q\n        return k\n", BROKEN),
    "nested parentheses": ("x = " + "(" * 100_000 + ")" * 100_000 + HONEST, BROKEN),
    "nested lists": ("x = " + "[" * 150 + "]" * 150 + HONEST, EITHER),
    "nested functions": ("\n".join(" " * n + f"def f{n}():" for n in range(120)) + "\n" + " " * 120 + "pass", BROKEN),
    "a long sum": ("x = 1" + "+1" * 120_000 + HONEST, EITHER),
    "signs": ("x = " + "-" * 200_000 + "1" + HONEST, BROKEN),
    "a chain of attributes": ("x = lambda: a" + ".b" * 100_000 + HONEST, EITHER),
    "a chain of calls": ("x = lambda: f" + "()" * 100_000 + HONEST, EITHER),
    "comparisons": ("x = lambda: a" + "<a" * 100_000 + HONEST, EITHER),
    "a huge number": ("x = " + "9" * 200_000 + HONEST, BROKEN),
    "a huge power": ("x = 2 ** 10 ** 10 ** 10" + HONEST, BROKEN),
    "a folded repetition": ("x = ((('a' * 4000,) * 200) * 200) * 200" + HONEST, EITHER),
    "one long line": ("x = '" + "y" * 250_000 + "'" + HONEST, frozenset({Verdict.AC})),
    "many lines": ("a = 1\n" * 40_000 + HONEST, EITHER),
    "many names": ("\n".join(f"n{n} = {n}" for n in range(15_000)) + HONEST, EITHER),
    "an f-string in itself": ("x = f'" + '{f"' * 60 + HONEST, BROKEN),
    "a format without end": ("x = lambda: f'{1:" + "{1:" * 300 + "}" * 300 + "}'" + HONEST, EITHER),
    "another encoding": ("# -*- coding: utf-7 -*-\n" + HONEST, frozenset({Verdict.AC})),
    "an unknown encoding": ("# -*- coding: nonsense -*-\n" + HONEST, EITHER),
    "Windows lines and a mark": ("\ufeff" + HONEST.replace("\n", "\r\n"), EITHER),
    "a form feed and a separator": ("\x0c\n# \u2028\u2029" + HONEST, frozenset({Verdict.AC})),
    "names that look alike": ("\u0430ttention = 1" + HONEST, frozenset({Verdict.AC})),
    "a null byte": ("x = 1\0" + HONEST, BROKEN),
    "half a character": ("x = '\ud800'" + HONEST, BROKEN),
}


@pytest.mark.parametrize("name", SOURCES)
def test_source_hurts_only_its_own_child(name: str, bench: Workbench, package: Package) -> None:
    source, expected = SOURCES[name]
    judgement = trial(bench, package, source)
    assert judgement.verdict in expected, outline(judgement)
