"""Runs all checks of one challenge. Checks its files and its claims (see claims.py), and whether its tests reject broken copies
of the reference (saboteurs and mutants)."""

import time
from pathlib import Path

from msgspec.structs import replace

from grader.content.authoring.covers import unknown_covers
from grader.content.authoring.finding import Finding
from grader.content.authoring.gate_toml import GateToml, load_gate_toml
from grader.content.authoring.promises import unknown_tests, untested_promises
from grader.content.authoring.scaffold import unwritten_lines
from grader.content.package import Package, load
from grader.contract.errors import PackageError
from grader.contract.job import Verdict
from grader.gate.agreement import disagreements_found
from grader.gate.claims import judge_answers, missing_parts, stale_lock
from grader.gate.mutation.trials import MutationTrials, unexcused_survivors, unneeded_reasons
from grader.gate.pages.check import check_statement
from grader.gate.report.record import LEAST_RATE, Record
from grader.gate.trials.run import Note
from grader.judging.workbench import Workbench


def examine(bench: Workbench, folder: Path, *, all_seeds: bool = True, note: Note = lambda: None) -> Record:
    """Run all checks of a challenge.

    No answer is judged if the folder is invalid, if it still contains lines of the scaffold, if `covers` contains an unknown
    id, or if tests.lock is stale.
    """
    started = time.monotonic()
    count = _Count(note)
    missing = list(unwritten_lines(folder))
    try:
        package, why = load(folder), load_gate_toml(folder)
        findings = [*missing, *unknown_covers(folder, package.info.covers), *stale_lock(bench, package)]
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


def _proven(
    bench: Workbench, package: Package, why: GateToml, record: Record, *, all_seeds: bool, note: Note
) -> Record:
    findings = [*missing_parts(package), *untested_promises(package, why.promise), *unknown_tests(package, why.promise)]
    claims = judge_answers(bench, package, all_seeds=all_seeds, note=note)
    record = replace(record, cpu_s=claims.cpu_s, milliseconds=claims.milliseconds)
    findings += claims.findings
    if any(finding.where == package.answers[0].name for finding in claims.findings):
        # The reference itself has findings, so judging broken copies of it would show nothing.
        return replace(record, findings=tuple(findings))
    if record.accepted > 1:
        findings += disagreements_found(bench, package, why, note)
    attack = MutationTrials(bench, package, claims.cpu_s, note)
    saboteurs, mutants = attack.saboteurs(why), attack.mutants(why)
    record = replace(record, saboteurs=saboteurs, mutants=mutants)
    findings += [
        *attack.findings,
        *unexcused_survivors(saboteurs),
        *unneeded_reasons(why, saboteurs, mutants),
        *_blind(record),
    ]
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
