"""Checks a challenge that has passed the gate, if only its statement or editorial has changed since then. Judges no answers.

`examine` makes the same checks, and judges answers as well. A new check of the two texts must be added to both functions.
"""

import time
from pathlib import Path

from msgspec.structs import replace

from grader.content.authoring.finding import Finding
from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.authoring.promises import unknown_tests, untested_promises
from grader.content.authoring.scaffold import unwritten_lines
from grader.content.package import load
from grader.contract.errors import PackageError
from grader.gate.claims import missing_parts
from grader.gate.pages.check import check_statement
from grader.gate.report.record import Record
from grader.judging.workbench import Workbench


def examine_statement(bench: Workbench, folder: Path, earlier: Record) -> Record:
    """Check everything that depends on the statement and the editorial.

    `earlier` is the record of the last full check. Returns a copy of this record with the new findings.
    """
    started = time.monotonic()
    try:
        package, why = load(folder), load_gate_toml(folder)
        findings = [
            *unwritten_lines(folder),
            *missing_parts(package),
            *untested_promises(package, why.promise),
            *unknown_tests(package, why.promise),
            *check_statement(bench, folder),
        ]
    except PackageError as error:
        findings = [Finding(folder.name, str(error))]
    return replace(earlier, findings=tuple(findings), judgings=0, seconds=time.monotonic() - started, cached=False)
