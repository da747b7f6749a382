"""Prints the gate's results as a table, and writes them as JSON with totals."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import asdict
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.content.proof import torch_version
from grader.gate.report.record import LEAST_RATE_OVERALL, Record, overall

COLUMNS = "tests accepted wrong saboteurs mutants rate seconds".split()


class Totals(msgspec.Struct, frozen=True):
    """Sums over all challenges and topics of a run."""

    challenges: int
    topics: int
    items: int
    tests: int
    accepted: int
    wrong: int
    saboteurs_applied: int
    saboteurs_rejected: int
    mutants: int
    mutants_killed: int
    mutants_excused: int
    kill_rate: float
    judgings: int
    findings: int
    seconds: float


class Report(msgspec.Struct, frozen=True):
    """The results of one run of the gate."""

    made_at: str
    torch: str
    totals: Totals
    records: tuple[Record, ...]


def report(records: list[Record]) -> Report:
    """Make a report of a run from its records and their totals."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Report(now, torch_version(), totals(records), tuple(records))


def totals(records: list[Record]) -> Totals:
    """Sum up the records. `items` is the number of challenges and topics."""
    challenges = [record for record in records if record.kind == "challenge"]
    pages = [record for record in records if record.kind == "topic"]
    named = {topic for record in challenges for topic in record.topics}
    return Totals(
        challenges=len(challenges),
        topics=len(pages) or len(named),
        items=len(challenges) + len(pages),
        tests=sum(record.tests for record in records),
        accepted=sum(record.accepted for record in records),
        wrong=sum(record.wrong for record in records),
        saboteurs_applied=sum(record.applied for record in records),
        saboteurs_rejected=sum(record.rejected for record in records),
        mutants=sum(record.made for record in records),
        mutants_killed=sum(record.killed for record in records),
        mutants_excused=sum(item.end == "excused" for record in records for item in record.mutants),
        kill_rate=round(overall(records), 4),
        judgings=sum(record.judgings for record in records),
        findings=sum(len(record.findings) for record in records),
        seconds=round(sum(record.seconds for record in records if not record.cached), 1),
    )


def write_json(made: Report, path: Path) -> None:
    """Write a report as JSON. Every record has every field: `Record` leaves out default values only in gate.lock."""
    told = asdict(made) | {"records": [asdict(record) for record in made.records]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n")


def show(console: Console, records: list[Record], *, whole: bool) -> None:
    """Print the table, the findings, the mutants that survived, and the totals."""
    table = Table(title="authoring gate")
    table.add_column("challenge or topic", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for record in records:
        table.add_row(escape(record.slug), *_cells(record), style="red" if record.findings else "green")
    console.print(table)
    for record in records:
        for line in _told(record):
            console.print(line, highlight=False, soft_wrap=True)
    for line in summary(totals(records), whole=whole):
        console.print(line, highlight=False, soft_wrap=True)


def summary(sums: Totals, *, whole: bool) -> Iterable[str]:
    """Yield the totals as lines of text. `whole` says that the run covered the whole catalogue. In this case, adds a line if
    the kill rate (the share of mutants that the tests reject) is below LEAST_RATE_OVERALL.
    """
    yield (
        f"topics {sums.topics}, items {sums.items}, tests {sums.tests:,}, accepted answers {sums.accepted}, wrong answers"
        f" {sums.wrong:,}, saboteurs rejected {sums.saboteurs_rejected:,} of {sums.saboteurs_applied:,}, mutants killed"
        f" {sums.mutants_killed:,} of {sums.mutants:,} ({sums.kill_rate:.1%})"
    )
    if whole and sums.kill_rate < LEAST_RATE_OVERALL:
        yield f"[red]the kill rate of the catalogue is below {LEAST_RATE_OVERALL:.0%}[/red]"


def _cells(record: Record) -> list[str]:
    if record.kind != "challenge":
        return [record.kind, "", "", "", "", "", _seconds(record)]
    rate = f"{record.rate:.0%}" if record.made else ""
    return [
        str(record.tests),
        str(record.accepted),
        str(record.wrong),
        f"{record.rejected}/{record.applied}",
        f"{record.killed}/{record.made}",
        rate,
        _seconds(record),
    ]


def _seconds(record: Record) -> str:
    return "cached" if record.cached else f"{record.seconds:.1f}"


def _told(record: Record) -> Iterable[str]:
    for finding in record.findings:
        yield f"[red]{escape(f'{record.slug}: {finding.where}: {finding.text}')}[/red]"
    for item in record.mutants:
        if item.end == "survived":
            yield f"[yellow]{escape(record.slug)}: mutant {item.id} of line {item.line} survived[/yellow]"
            yield escape("\n".join(f"    {line}" for line in item.diff.splitlines()))
