"""Defines the kinds of folders that the gate checks: challenges and topics. To support another kind, add it to KINDS."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.content import package, topic
from grader.content.authoring.finding import Finding
from grader.gate.examine import examine
from grader.gate.pages.check import check_topic
from grader.gate.report.record import Record
from grader.gate.trials.run import Note
from grader.judging.workbench import Workbench


class Examine(Protocol):
    """A function that runs all checks of one folder and returns the results."""

    def __call__(self, bench: Workbench, folder: Path, *, all_seeds: bool, note: Note) -> Record: ...


@dataclass(frozen=True)
class Kind:
    """A kind of folder. `find` finds all folders of this kind, `digest` computes the digest of a folder, and `examine` checks a
    folder.
    """

    name: str
    find: Callable[[Path], list[Path]]
    digest: Callable[[Path], str]
    examine: Examine


def by_findings(kind: str, check: Callable[[Workbench, Path], list[Finding]]) -> Examine:
    """Make an `Examine` function from a check that returns only findings. Used for kinds of folders that contain no answers."""

    def looked_at(bench: Workbench, folder: Path, *, all_seeds: bool, note: Note) -> Record:
        started = time.monotonic()
        findings = tuple(check(bench, folder))
        note()
        return Record(
            folder.name, kind, section=folder.parent.name, findings=findings, seconds=time.monotonic() - started
        )

    return looked_at


KINDS = (
    Kind("challenge", package.find, package.digest, examine),
    Kind("topic", topic.find, topic.digest, by_findings("topic", check_topic)),
)
