"""Checks that the accepted answers of a challenge agree with each other.

Every accepted answer passes the tests, but the statement promises more than the inputs that the tests happen to draw. So the gate
judges the reference once more. In this judging, every accepted answer repeats the calls that the tests make to functions and to
probes.py, with the same arguments and with edge inputs derived from them: infinities, NaN, zeros, equal rows and others. Two
answers that give the same on what the tests draw must give the same on the edge inputs.

An argument gets an infinity, NaN, zeros or equal rows only if some test passes such a value in this argument, because tests pass
only what the statement permits. Not compared are functions whose results differ on the tests' own inputs (they are random, or
the statement leaves something open), and inputs that an answer refuses with an exception. Calls that pass functions or objects,
and methods of classes, are not repeated.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.content import authoring
from grader.content.authoring.finding import Finding
from grader.content.authoring.gate_toml import GateToml
from grader.content.package import Package
from grader.contract.job import Verdict
from grader.gate.trials.run import Note, Trial, judge_trials, roomy
from grader.judging.workbench import Workbench

SEED = 0
MARK = "gradus-agreement:"
# What some test must pass in the same argument, so that an edge input of this kind is one that the challenge permits.
NEEDED = {
    "an infinity": "inf",
    "a negative infinity": "-inf",
    "infinities": "inf",
    "NaN": "nan",
    "NaNs": "nan",
    "a zero": "zero",
    "a negative zero": "zero",
    "zeros": "zero",
    "equal rows": "equal rows",
    "no rows": "no rows",
    "one row": "one row",
}


class Disagreement(msgspec.Struct, frozen=True, array_like=True):
    """Two accepted answers, the function and the arguments on which their results differ, and these results.

    `kind` is the kind of the edge input, and empty for a call as a test makes it. `argument` is the argument that was changed.
    """

    name: str
    argument: str
    kind: str
    first: str
    second: str
    arguments: str
    one: str
    other: str

    def __str__(self) -> str:
        return (
            f"{self.first} and {self.second} disagree on {self.name}({self.arguments}): {self.one} against {self.other}"
        )


def disagreements_found(bench: Workbench, package: Package, why: GateToml, note: Note = lambda: None) -> list[Finding]:
    """Judge the accepted answers against each other. Returns a finding for each function and kind of edge input on which they
    disagree without a reason in gate.toml, and for each reason that is not needed.
    """
    trial = Trial("the comparison of accepted answers", comparing(package), SEED, roomy(package))
    [end] = judge_trials(bench, [trial], note=note)
    if end.judgement is None or end.unloaded:
        said = end.judgement.message if end.judgement is not None else end.fault
        return [Finding("the gate", f"cannot compare the accepted answers: {said}")]
    found = disagreements(line for test in end.judgement.tests for line in test.stdout.splitlines())
    reasons = {(row.function, row.kind) for row in why.disagreement}
    told: dict[tuple[str, str], Disagreement] = {}
    for item in found:
        told.setdefault((item.name, item.kind), item)
    return [
        *(
            Finding(
                "accepted",
                f"{item}. Say in the statement what holds, and test it; or give a reason in gate.toml ({kind!r} of {name})",
            )
            for (name, kind), item in told.items()
            if (name, kind) not in reasons
        ),
        *(
            Finding(
                "gate.toml", f"gives a reason for a disagreement on {kind!r} of {name}, and there is none: remove it"
            )
            for name, kind in sorted(reasons - told.keys())
        ),
    ]


def comparing(package: Package) -> str:
    """Return the source of the reference, followed by code that lets every accepted answer repeat the calls of the tests."""
    sources = [(answer.stem, answer.source) for answer in package.answers if answer.verdict is Verdict.AC]
    entries = [{"name": each.name, "kind": each.kind, "returns": each.returns} for each in package.info.entry]
    folder = Path(authoring.__file__).parent / "agreement"
    parts = [(name, (folder / f"{name}.py").read_text(encoding="utf-8")) for name in ("edges", "comparing")]
    return f"{package.reference}\n\n{_BEHIND.format(parts=parts, entries=entries, sources=sources)}"


def disagreements(lines: Iterable[str]) -> list[Disagreement]:
    """Return the disagreements on permitted edge inputs, read from what the cell has printed."""
    printed = [json.loads(line.removeprefix(MARK)) for line in lines if line.startswith(MARK)]
    passed = {tuple(rest) for what, *rest in printed if what == "passed"}
    found = dict.fromkeys(msgspec.convert(rest, Disagreement) for what, *rest in printed if what == "differs")
    left_open = {(each.name, each.second) for each in found if not each.kind}
    return [
        each
        for each in found
        if (each.name, each.second) not in left_open
        and (each.kind not in NEEDED or (each.name, each.argument, NEEDED[each.kind]) in passed)
    ]


_BEHIND = """
def _gradus_agreement():
    import sys, types
    for name, text in {parts!r}:
        part = sys.modules["grader.content.authoring.agreement." + name] = types.ModuleType(name)
        exec(compile(text, name, "exec"), vars(part))
    part.compare(globals(), {entries!r}, {sources!r})


_gradus_agreement()
"""
