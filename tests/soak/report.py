"""Prints the progress of a soak, prints its results as tables, and writes its figures as JSON."""

import json
import statistics
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.soak.run import Outcome
from tests.soak.schedule import Strike
from tests.soak.storm import Storm

OUT = Path(__file__).resolve().parents[2] / "var" / "bench" / "soak.json"


def line(storm: Storm) -> str:
    """Return the progress of a run as one line of text."""
    sent = storm.book.all()
    judged = sum(each.told is not None for each in sent)
    seconds = time.monotonic() - storm.began
    return f"{seconds:4.0f} s   {len(sent)}/{storm.submissions} sent, {judged} judged, {len(storm.hits)} faults   {storm.phase}"


def show_plan(console: Console, strikes: list[Strike], seed: int) -> None:
    """Print the planned faults."""
    console.print(f"seed {seed}: {len(strikes)} faults")
    console.print(
        "  " + ", ".join(f"{each.number} {each.fault.name} +{each.delay_s:g} s" for each in strikes), style="dim"
    )


def percentile(values: list[float], share: float) -> float | None:
    """Return a percentile of the values, or None if there are no values."""
    if len(values) < 2:
        return values[0] if values else None
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def numbers(outcome: Outcome) -> dict[str, Any]:
    """Return all figures of a run, for var/bench/soak.json."""
    sent = outcome.book.all()
    latencies = [each.latency_s for each in sent if each.latency_s is not None]
    return {
        "submissions": outcome.order.submissions,
        "seed": outcome.order.seed,
        "seconds": round(outcome.seconds, 1),
        "seconds_of_faults": round(outcome.rained_s, 1),
        **outcome.facts,
        "requests_sent": sum(each.tries for each in sent),
        "sent_twice_on_purpose": sum(bool(each.duplicates) for each in sent),
        "judged_again_after_a_kill": outcome.rejudged,
        "attempts": outcome.attempts,
        "latency_s": {
            "p50": percentile(latencies, 0.5),
            "p95": percentile(latencies, 0.95),
            "max": max(latencies, default=None),
        },
        "faults": [
            {
                "number": hit.strike.number,
                "fault": hit.strike.fault.name,
                "hit": hit.detail,
                "missed": hit.missed,
                "judging": len(hit.judging),
                "recovered_s": hit.recovered_s,
            }
            for hit in outcome.hits
        ],
        "memory_mb": [
            {
                "role": each.role,
                "pid": each.pid,
                "most": max(each.seen),
                "growth": each.growth_mb,
                "samples": len(each.seen),
            }
            for each in outcome.memory
        ],
        "violations": outcome.violations,
    }


def write(outcome: Outcome, target: Path = OUT) -> None:
    """Write the figures to a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(numbers(outcome), indent=2) + "\n")


def show(console: Console, outcome: Outcome) -> None:
    """Print the faults with their recovery times, the totals, and the violations."""
    table = Table(title="faults")
    for column, justify in (
        ("fault", "left"),
        ("hits", "right"),
        ("recovered after", "right"),
        ("worst", "right"),
        ("what", "left"),
    ):
        table.add_column(column, justify="right" if justify == "right" else "left")
    for name in dict.fromkeys(hit.strike.fault.name for hit in outcome.hits):
        hits = [hit for hit in outcome.hits if hit.strike.fault.name == name]
        struck = [hit for hit in hits if not hit.missed]
        times = [hit.recovered_s for hit in struck if hit.recovered_s is not None]
        typical = f"{statistics.median(times):.1f} s" if times else "-"
        worst = f"{max(times):.1f} s" if times else "-"
        lost = len(struck) - len(times)
        style = "bold red" if lost else "yellow" if not struck else None
        table.add_row(name, f"{len(struck)}/{len(hits)}", typical, worst, hits[0].strike.fault.what, style=style)
    console.print(table)
    _show_totals(console, numbers(outcome), outcome)


def _show_totals(console: Console, told: dict[str, Any], outcome: Outcome) -> None:
    table = Table(title="totals", show_header=False)
    latency = told["latency_s"]
    most = {
        role: max((m["most"] for m in told["memory_mb"] if m["role"] == role), default=0.0) for role in ("api", "node")
    }
    rows = {
        "submissions": f"{told['submissions']} in {told['seconds']:.0f} s, {told['seconds_of_faults']:.0f} s under faults",
        "requests to send them": f"{told['requests_sent']}, {told['sent_twice_on_purpose']} sent twice on purpose",
        "judgings by attempts": ", ".join(f"{count} with {attempt}" for attempt, count in told["attempts"].items()),
        "from sending to reading the verdict": " ".join(
            f"{name} {value:.2f} s" for name, value in latency.items() if value is not None
        ),
        "judged again after a kill of the candidate": str(told["judged_again_after_a_kill"]),
        "memory of their own": f"api {most['api']:.0f} MiB, node {most['node']:.0f} MiB at most",
        **{name: str(value) for name, value in outcome.facts.items()},
    }
    for name, value in rows.items():
        table.add_row(name, value)
    console.print(table)
    for each in outcome.violations:
        console.print(f"[bold red]broken[/bold red] {each}", highlight=False)
    if not outcome.violations:
        console.print(
            "[green]every submission has exactly one verdict, the right one; nothing was lost, nothing is left[/green]"
        )
