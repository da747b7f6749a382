"""`make bench`, second part: phases of single judgings, the cost of one remote call, and every challenge from POST to verdict.

    load       from taking the job until the answer is loaded in the cell
    first      from then until the judge's first call arrives at the node
    cell       per call: from the request leaving the node until the reply arrives there
    node       per call: relaying the request and the reply
    judge      per call: from the reply leaving the node until the judge's next frame arrives there
    test       from the end of one test to the end of the next, without the time that its calls spend in cell and node
    end        from the last test's end until the judgement

These are times of a judging in one slot. The table of all challenges is measured as a user sees it: a service with its default
node is running and idle, and the time is that from the POST of an answer until the event with its verdict arrives. Each answer
is judged twice, and the second time counts, because the first one loads the package. All times are wall-clock medians on this
machine, in milliseconds, of accepted references in containers: compare them within one run. Writes var/bench/phases.json.
"""

import argparse
import functools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from grader.content.package import Package, find, load
from grader.contract import wire
from grader.contract.job import Verdict
from grader.contract.wire import Kind
from grader.judging.candidate_turns import CandidateTurns
from grader.judging.workbench import Workbench, a_job, workbench
from tests.bench.intake import UNLIMITED
from tests.live import Candidate, service

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "var" / "bench" / "phases.json"
CHALLENGES = (
    "scaled-dot-product-attention",
    "multi-head-attention",
    "encoder-layer",
    "batch-norm-from-scratch",
    "checkpointed-blocks",
    "mlp-from-sizes",
)
REST_S = 0.3


@dataclass
class Trace:
    """The frames that the node sent or received during one judging, with the times of `time.perf_counter()` in seconds."""

    started: float = field(default_factory=time.perf_counter)
    marks: list[tuple[str, float]] = field(default_factory=list)

    def mark(self, name: str) -> None:
        """Record an event now."""
        self.marks.append((name, time.perf_counter()))

    def figures(self, ended: float) -> dict[str, float]:
        """Return the figures of the module's docstring in milliseconds, plus `calls`, `tests` and `total`."""
        spans: dict[str, list[float]] = {name: [] for name in ("cell", "node", "judge", "test")}
        at = {"loaded": ended, "CALL": ended, "RESULT": ended}
        # The state of the walk: the last event, and the part of the running test that passed outside the judge.
        last, before, outside, asked = "", self.started, 0.0, 0.0
        began = self.started
        for name, now in self.marks:
            passed = now - before
            if name == "LOADED":
                at["loaded"] = began = now
            elif name == "CALL" and "CALL" not in spans:
                at["CALL"] = now
                spans["CALL"] = [0.0]
            if name == "replied":
                spans["cell"].append(passed)
            if name == "asked":
                asked = passed
            if name == "answered":
                spans["node"].append(asked + passed)
            if last == "answered":
                spans["judge"].append(passed)
            if name in ("asked", "replied", "answered"):
                outside += passed
            if name == "RESULT":
                spans["test"].append(now - began - outside)
                began, outside, at["RESULT"] = now, 0.0, now
            last, before = name, now
        medians = {
            f"{name}_ms": statistics.median(spans[name] or [0.0]) * 1000 for name in ("cell", "node", "judge", "test")
        }
        return {
            "total_ms": (ended - self.started) * 1000,
            "load_ms": (at["loaded"] - self.started) * 1000,
            "first_ms": (at["CALL"] - at["loaded"]) * 1000,
            **medians,
            "end_ms": (ended - at["RESULT"]) * 1000,
            "calls": len(spans["cell"]),
            "tests": len(spans["test"]),
        }


@contextmanager
def traced() -> Iterator[Trace]:
    """Record every frame that passes through the node in the `with` block. Only one judging may run."""
    trace = Trace()
    receive, forward, wait = wire.receive, wire.forward, CandidateTurns._wait
    inside_cell = False

    def receiving(*args: Any, **more: Any) -> wire.Frame:
        frame = receive(*args, **more)
        if not inside_cell:
            trace.mark(frame.kind.name)
        elif frame.kind is Kind.LOADED:
            trace.mark("LOADED")
        return frame

    def forwarding(*args: Any, **more: Any) -> None:
        if trace.marks:
            trace.mark("asked" if inside_cell else "answered")
        forward(*args, **more)

    def waiting(self: CandidateTurns, *args: Any) -> Any:
        found = wait(self, *args)
        if any(name == "asked" for name, _ in trace.marks[-1:]):
            trace.mark("replied")
        return found

    turn = CandidateTurns.turn

    def turning(self: CandidateTurns, *args: Any, **more: Any) -> Any:
        nonlocal inside_cell
        inside_cell = True
        try:
            return turn(self, *args, **more)
        finally:
            inside_cell = False

    wire.receive, wire.forward = receiving, forwarding
    CandidateTurns._wait, CandidateTurns.turn = waiting, turning  # type: ignore[method-assign, assignment]
    try:
        yield trace
    finally:
        wire.receive, wire.forward = receive, forward
        CandidateTurns._wait, CandidateTurns.turn = wait, turn  # type: ignore[method-assign]


def packages(slugs: tuple[str, ...] = ()) -> Iterator[Package]:
    """Yield the packages with these slugs in order, or all packages of the catalogue."""
    folders = {folder.name: folder for folder in find(ROOT / "challenges")}
    for slug in slugs or folders:
        if slug in folders:
            yield load(folders[slug])


def judged(bench: Workbench, package: Package) -> dict[str, float]:
    """Judge the reference once, with a child that has rested and rehearsed. Raise RuntimeError if it is not accepted."""
    time.sleep(REST_S)
    with traced() as trace:
        judgement = next(bench.judge_all([(a_job(package, package.reference), package)])).judgement
        ended = time.perf_counter()
    if judgement is None or judgement.verdict is not Verdict.AC:
        raise RuntimeError(f"{package.slug}: the reference is not accepted, {judgement}")
    return trace.figures(ended)


def post_to_verdict(person: Candidate, package: Package) -> dict[str, float]:
    """Submit the reference once. Return the time from the POST to the verdict, and the CPU time of the answer."""
    time.sleep(REST_S)
    started = time.perf_counter()
    events = list(person.events(person.submit(package.slug, package.reference)))
    ended = time.perf_counter()
    last = events[-1][1]
    if last.get("verdict") != Verdict.AC:
        raise RuntimeError(f"{package.slug}: the reference is not accepted, {last}")
    tests = sum(name == "test" for name, _ in events)
    return {"total_ms": 1000 * (ended - started), "cpu_ms": 1000 * last["cpu_s"], "tests": tests}


def several(measure: Callable[[], dict[str, float]], repeat: int) -> dict[str, float]:
    """Measure once to load the package, then `repeat` times. Return the median of each figure."""
    measure()
    runs = [measure() for _ in range(repeat)]
    return {name: round(statistics.median(run[name] for run in runs), 3) for name in runs[0]}


def catalogue() -> dict[str, dict[str, float]]:
    """Measure every challenge for CPUs on a service with its default node."""
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder, service(Path(folder), **UNLIMITED) as live:
        person = Candidate(live.url)
        chosen = [package for package in packages() if "cpu" in package.info.devices]
        return {p.slug: several(functools.partial(post_to_verdict, person, p), 1) for p in chosen}


def percentile(values: list[float], share: float) -> float:
    """Return the value below which the given share of the values lies, by linear interpolation."""
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def show(console: Console, title: str, rows: dict[str, dict[str, float]]) -> None:
    """Print one row per challenge."""
    table = Table(title=title)
    table.add_column("challenge")
    names = list(next(iter(rows.values())))
    for name in names:
        table.add_column(name.removesuffix("_ms"), justify="right")
    for slug, row in rows.items():
        table.add_row(slug, *(f"{row[name]:,.2f}" if name.endswith("_ms") else f"{row[name]:,.0f}" for name in names))
    console.print(table)


def main() -> int:
    """Measure, print the tables, and write var/bench/phases.json."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("slugs", nargs="*", default=CHALLENGES)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--catalogue", action="store_true", help="judge the reference of every challenge too")
    options = parser.parse_args()
    console = Console(width=160)
    figures: dict[str, Any] = {}
    with workbench(slots=1) as bench:
        chosen = {
            p.slug: several(functools.partial(judged, bench, p), options.repeat) for p in packages(tuple(options.slugs))
        }
        show(console, "phases of a judging, medians in ms", chosen)
        figures["phases"] = chosen
    if options.catalogue:
        every = catalogue()
        totals = [row["total_ms"] for row in every.values()]
        spread = {"p50_ms": percentile(totals, 0.5), "p90_ms": percentile(totals, 0.9), "max_ms": max(totals)}
        slowest = sorted(every.items(), key=lambda item: -item[1]["total_ms"])[:12]
        show(console, "the slowest challenges", dict(slowest))
        show(console, f"POST to verdict over {len(every)} challenges", {"all": spread})
        figures |= {"catalogue": spread, "challenges": every}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(figures, indent=1) + "\n")
    console.print(f"written to {OUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
