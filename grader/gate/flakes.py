"""No flakes: accepted answers are judged over and over, each time from another seed; every refusal is one too many."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from grader.gate.trials import Judged, Note, Trial, first_failure, judged
from grader.job import Verdict
from grader.package import Package
from grader.workbench import Workbench


@dataclass(frozen=True)
class Steadiness:
    """How often one challenge's accepted answers were judged, and how those judgings ended that did not accept."""

    slug: str
    judgings: int
    refused: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        return f"{self.slug}, {self.judgings} judgings, {len(self.refused)} not accepted"


def steadiness(bench: Workbench, package: Package, judgings: int, note: Note = lambda: None) -> Steadiness:
    """Judge the accepted answers in turn, `judgings` times in all, over the whole pool of seeds."""
    started = time.monotonic()
    ends = judged(bench, itertools.islice(_trials(package), judgings), note=note)
    refused = tuple(_told(end) for end in ends if not end.accepted)
    return Steadiness(package.slug, len(ends), refused, time.monotonic() - started)


def _trials(package: Package) -> Iterator[Trial]:
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    for seed in itertools.cycle(package.lock.seeds):
        for answer in accepted:
            yield Trial(answer.name, answer.source, seed, package)


def _told(end: Judged) -> str:
    how = first_failure(end.judgement) if end.judgement is not None else end.fault
    return f"{end.trial.name} on seed {end.trial.seed}: {how}"


def show(console: Console, found: list[Steadiness]) -> None:
    """A row a challenge, every refusal, and the totals."""
    table = Table(title="accepted answers, judged over and over")
    table.add_column("challenge", no_wrap=True)
    for name in ("judgings", "not accepted", "a second"):
        table.add_column(name, justify="right")
    for item in found:
        rate = f"{item.judgings / item.seconds:.1f}" if item.seconds else ""
        table.add_row(item.slug, f"{item.judgings:,}", str(len(item.refused)), rate, style="red" * bool(item.refused))
    console.print(table)
    for item in found:
        for line in item.refused:
            console.print(f"[red]{item.slug}:[/red] {line}", highlight=False, soft_wrap=True)
    judgings, refused = sum(item.judgings for item in found), sum(len(item.refused) for item in found)
    console.print(f"{judgings:,} judgings of accepted answers, {refused} not accepted")
