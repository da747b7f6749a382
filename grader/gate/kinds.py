"""What the gate can look at: kinds of folder below `challenges`. A further kind is one more line in KINDS."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader import package, topic
from grader.gate.examine import examine
from grader.gate.finding import Finding
from grader.gate.pages import check_topic
from grader.gate.record import Record
from grader.gate.trials import Note
from grader.workbench import Workbench


class Examine(Protocol):
    """Looks at one folder."""

    def __call__(self, bench: Workbench, folder: Path, *, all_seeds: bool, note: Note) -> Record: ...


@dataclass(frozen=True)
class Kind:
    """A kind of folder: how it is found below the root, what names its version, how it is looked at."""

    name: str
    find: Callable[[Path], list[Path]]
    digest: Callable[[Path], str]
    examine: Examine


def by_findings(kind: str, check: Callable[[Workbench, Path], list[Finding]]) -> Examine:
    """A kind that is only ever right or wrong."""

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
