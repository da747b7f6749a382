"""One challenge, looked at from all sides: its folder, its claims, saboteurs, mutants."""

import time
from pathlib import Path

from msgspec.structs import replace

from grader.errors import PackageError
from grader.gate.attack import Attack, needless, without_reason
from grader.gate.claims import complete, out_of_step, tried
from grader.gate.finding import Finding
from grader.gate.pages import check_statement
from grader.gate.reasons import Reasons, reasons
from grader.gate.record import LEAST_RATE, Record
from grader.gate.scaffold import unwritten
from grader.gate.trials import Note
from grader.job import Verdict
from grader.package import Package, load
from grader.workbench import Workbench


def examine(bench: Workbench, folder: Path, *, all_seeds: bool = True, note: Note = lambda: None) -> Record:
    """Everything that the gate can say about a challenge."""
    started = time.monotonic()
    count = _Count(note)
    missing = list(unwritten(folder))
    try:
        package, why = load(folder), reasons(folder)
        findings = missing + out_of_step(bench, package)
    except PackageError as error:
        findings = [*missing, Finding(folder.name, str(error))]
        return Record(folder.name, findings=tuple(findings), seconds=time.monotonic() - started)
    record = _described(package)
    if not findings:
        record = _proven(bench, package, why, record, all_seeds=all_seeds, note=count)
        findings = [*check_statement(bench, folder), *record.findings]
    return replace(record, findings=tuple(findings), judgings=count.judgings, seconds=time.monotonic() - started)


class _Count:
    def __init__(self, note: Note) -> None:
        self.judgings, self._note = 0, note

    def __call__(self) -> None:
        self.judgings += 1
        self._note()


def _proven(bench: Workbench, package: Package, why: Reasons, record: Record, *, all_seeds: bool, note: Note) -> Record:
    findings = list(complete(package))
    claims, cpu_s = tried(bench, package, all_seeds=all_seeds, note=note)
    findings += claims
    if any(finding.where == package.answers[0].name for finding in claims):
        return replace(record, findings=tuple(findings), cpu_s=cpu_s)  # what fails by itself proves nothing when spoilt
    attack = Attack(bench, package, cpu_s, note)
    saboteurs, mutants = attack.saboteurs(why), attack.mutants(why)
    record = replace(record, cpu_s=cpu_s, saboteurs=saboteurs, mutants=mutants)
    findings += [*attack.findings, *without_reason(saboteurs), *needless(why, saboteurs, mutants), *_blind(record)]
    return replace(record, findings=tuple(findings))


def _blind(record: Record) -> list[Finding]:
    if record.rate >= LEAST_RATE:
        return []
    return [
        Finding("tests.py", f"kills {record.killed} of {record.made} mutants, at least {LEAST_RATE:.0%} are needed")
    ]


def _described(package: Package) -> Record:
    accepted = sum(answer.verdict is Verdict.AC for answer in package.answers)
    return Record(
        package.slug,
        title=package.info.title,
        section=package.info.section,
        topics=package.info.syllabus,
        tests=len(package.lock.tests),
        accepted=accepted,
        wrong=len(package.answers) - accepted,
    )
