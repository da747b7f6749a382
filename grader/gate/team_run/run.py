"""Runs the gate on an author's files: writes the locks, then runs all checks, and reports the findings.

    python -m grader.gate.team_run --cells docker --image … --label …      files as JSON on stdin, lines of JSON on stdout

The gate runs in a separate process so that an author's files cannot slow down the node. Even reading these files (parsing
sources, matching regular expressions on statements) could take very long. The containers of this process run only this
challenge's code, and are removed at the end of the run.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from grader.content import proof
from grader.content.authoring.author_files import WRITTEN, temporary_folder
from grader.content.authoring.finding import Finding
from grader.content.package import Package, TestSpec, load
from grader.content.proof import Proof
from grader.contract.errors import PackageError
from grader.contract.transport import Proved
from grader.gate.examine import examine
from grader.gate.lock import write_lock
from grader.gate.pages.check import write_statement
from grader.gate.report.record import Record
from grader.judging.workbench import Workbench

MOST_TESTS, MOST_POINTS, MOST_TITLE = 200, 100, 300


class GateRequest(msgspec.Struct, frozen=True):
    """A request to check a challenge. `slug` names the challenge; `files` maps the path of each file to its text."""

    slug: str
    files: dict[str, str]


def prove(bench: Workbench, wish: GateRequest, note: Callable[[], object] = lambda: None) -> Proved:
    """Write the locks and run all checks on an author's files. Returns the files that the gate wrote or changed, and a report
    as JSON data.

    Raises `GraderError` if the run fails for a reason that is not the author's fault.
    """
    with temporary_folder(wish.slug, wish.files) as folder:
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
    """Return the record as JSON data. Adds the list of tests, and for each wrong answer the test that must reject it."""
    told: dict[str, Any] = msgspec.to_builtins(record)
    told["kill_rate"] = record.rate
    try:
        package = load(folder, locked=False)
    except PackageError:
        return {**told, "lock": [], "answers": []}
    answers = [{"name": each.name, "verdict": each.verdict, "caught_by": each.caught_by} for each in package.answers]
    return {**told, "lock": msgspec.to_builtins(package.lock.tests), "answers": answers}
