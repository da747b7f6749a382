"""Finds flaky tests, which sometimes reject a right answer. To find them, judges the accepted answers many times, each time on
a fresh seed.

Each failure is reported with its seed, so that it can be reproduced.
"""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from grader.content.package import Package
from grader.contract.job import Verdict, fresh_seed
from grader.gate.trials.run import Note, Trial, TrialResult, first_failure, judge_trials
from grader.judging.workbench import Workbench


@dataclass(frozen=True)
class FlakeCount:
    """The result for one challenge: how many times its accepted answers were judged, and a line of text for each judging that
    did not accept its answer.
    """

    slug: str
    judgings: int
    refused: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        return f"{self.slug}, {self.judgings} judgings, {len(self.refused)} not accepted"


def count_flakes(
    bench: Workbench,
    package: Package,
    judgings: int,
    note: Note = lambda: None,
    *,
    seed: int | None = None,
    tolerance_share: float = 1.0,
) -> FlakeCount:
    """Judge the accepted answers in turn until `judgings` judgings are done. Each uses a fresh seed, unless `seed` is given.
    `tolerance_share` multiplies the tolerances of all comparisons.
    """
    started = time.monotonic()
    trials = itertools.islice(_trials(package, seed), judgings)
    ends = judge_trials(bench, trials, tolerance_share=tolerance_share, note=note)
    refused = tuple(_told(end) for end in ends if not end.accepted)
    return FlakeCount(package.slug, len(ends), refused, time.monotonic() - started)


def _trials(package: Package, seed: int | None) -> Iterator[Trial]:
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    for answer in itertools.cycle(accepted):
        yield Trial(answer.name, answer.source, fresh_seed() if seed is None else seed, package)


def _told(end: TrialResult) -> str:
    if end.judgement is None:
        return f"{end.trial.name} on seed {end.trial.seed}: {end.fault}"
    how = end.judgement.message if end.unloaded else first_failure(end.judgement)
    return f"{end.trial.name} on seed {end.trial.seed}: {how}"


def show(console: Console, found: list[FlakeCount]) -> None:
    """Print a table with a row for each challenge, then every failure, then the totals."""
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
    if any(item.refused for item in found):
        console.print("repeat one with `gradus challenge flakes SLUG --seed SEED --judgings 10`", highlight=False)
    judgings, refused = sum(item.judgings for item in found), sum(len(item.refused) for item in found)
    console.print(f"{judgings:,} judgings of accepted answers, {refused} not accepted")
