"""One run of the gate over an author's files: locks are written, then everything is tried, and what was found is told.

    python -m grader.proving --cells docker --image … --label …      files as JSON on stdin, lines of JSON on stdout

It is a process of its own, so that nothing an author writes can hold up the node: what the gate reads (sources, regular
expressions over statements) is a stranger's too. Its judge and its cells hold this one package, and end with it.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from grader import proof
from grader.authored import WRITTEN, in_a_folder
from grader.errors import PackageError
from grader.gate.examine import examine
from grader.gate.finding import Finding
from grader.gate.lock import write_lock
from grader.gate.pages import write_statement
from grader.gate.record import Record
from grader.package import Package, TestSpec, load
from grader.proof import Proof
from grader.transport import Proved
from grader.workbench import Workbench

MOST_TESTS, MOST_POINTS, MOST_TITLE = 200, 100, 300


class Wish(msgspec.Struct, frozen=True):
    """What is to be proven."""

    slug: str
    files: dict[str, str]


def prove(bench: Workbench, wish: Wish, note: Callable[[], object] = lambda: None) -> Proved:
    """Look at an author's files from all sides. Raises `GraderError` when it was no fault of theirs."""
    with in_a_folder(wish.slug, wish.files) as folder:
        record = _examined(bench, folder, note)
        package = None if record.findings else load(folder)
        if package is not None:
            _write_proof(folder, package, record)
        written = {name: (folder / name).read_text(encoding="utf-8") for name in WRITTEN if (folder / name).is_file()}
        report = _report(record, folder)
    changed = {name: text for name, text in written.items() if wish.files.get(name) != text}
    return Proved(id="", token="", passed=not record.findings, written=changed, report=report)


def _examined(bench: Workbench, folder: Path, note: Callable[[], object]) -> Record:
    started = time.monotonic()
    try:
        findings = [*write_statement(bench, folder), *write_lock(bench, folder)[1]]
        findings = findings or list(_beyond(load(folder).lock.tests))
    except PackageError as error:
        findings = [Finding("the folder", str(error).replace(f"{folder}/", ""))]
    if findings:
        return Record(folder.name, findings=tuple(findings), seconds=time.monotonic() - started)
    record = examine(bench, folder, note=note)
    return replace(record, seconds=time.monotonic() - started)


def _beyond(tests: tuple[TestSpec, ...]) -> list[Finding]:
    if len(tests) > MOST_TESTS:
        return [Finding("tests.py", f"has {len(tests)} tests, at most {MOST_TESTS} are judged")]
    return [
        Finding("tests.py", f"{test.id[:100]}: has 1 to {MOST_POINTS} points, and a sentence of {MOST_TITLE} letters")
        for test in tests
        if not 1 <= test.points <= MOST_POINTS or max(len(test.title), len(test.id)) > MOST_TITLE
    ]


def _write_proof(folder: Path, package: Package, record: Record) -> None:
    found = Proof(
        package=package.digest,
        key="",
        tests=record.tests,
        accepted=record.accepted,
        wrong=record.wrong,
        saboteurs=record.rejected,
        mutants=record.made,
        killed=record.killed,
        record=msgspec.Raw(b"null"),
    )
    proof.save(folder, found)


def _report(record: Record, folder: Path) -> dict[str, Any]:
    """The record, with what the tests are and which of them must catch which wrong answer."""
    told: dict[str, Any] = msgspec.to_builtins(record)
    told["kill_rate"] = record.rate
    try:
        package = load(folder, locked=False)
    except PackageError:
        return {**told, "lock": [], "answers": []}
    answers = [{"name": each.name, "verdict": each.verdict, "caught_by": each.caught_by} for each in package.answers]
    return {**told, "lock": msgspec.to_builtins(package.lock.tests), "answers": answers}
