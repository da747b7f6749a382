"""`make fuzz`: fuzzes the code that reads frames (messages) from a cell, guided by coverage. No input may crash this code.

    python -m tests.fuzz [--frames 5000000] [--seconds 1500] [--workers 2]

The fuzzer starts from recorded conversations. It ends when all targets together have read `--frames` frames, or after
`--seconds` seconds. Writes var/bench/fuzz.json. Inputs that cause a crash are stored in tests/fuzz/crashes, and an ordinary
test replays them from then on.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.fuzz.seeds import CRASHES, conversations
from tests.fuzz.targets import CONVERSATIONS, LONGEST, TARGETS

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "var" / "fuzz"
OUT = ROOT / "var" / "bench" / "fuzz.json"
SLICE_S = 60
MOST_RESTARTS = 20
# This is libFuzzer's exit code after an interruption. The fuzzer is interrupted when enough frames have been read.
INTERRUPTED = 72
SECONDS_AN_INPUT, MEGABYTES = 10, 1500
COVERAGE = re.compile(r"#(\d+)\s+(INITED|DONE|NEW|REDUCE|pulse)\s+cov: (\d+) ft: (\d+)(?: corp: (\d+))?")


class Run:
    """A fuzzer process that runs for a limited time, and the output of this process."""

    def __init__(self, target: str, seconds: int, seed: int) -> None:
        self.target = target
        self._figures = WORK / f"{target}-{seed}.json"
        self._log = WORK / f"{target}-{seed}.log"
        corpus = WORK / "corpus" / target
        flags = {
            "max_total_time": seconds,
            "seed": seed,
            "max_len": LONGEST,
            "timeout": SECONDS_AN_INPUT,
            "rss_limit_mb": MEGABYTES,
            "artifact_prefix": f"{CRASHES}/{target}-",
        }
        arguments = [str(corpus), *(f"-{name}={value}" for name, value in flags.items())]
        command = [sys.executable, "-m", "tests.fuzz.worker", target, str(self._figures), *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def figures(self) -> dict[str, float]:
        """Return the numbers of inputs and frames so far, and the seconds."""
        try:
            found: dict[str, float] = json.loads(self._figures.read_text())
        except (OSError, ValueError):
            return {"inputs": 0, "frames": 0, "seconds": 0.0}
        return found

    def coverage(self) -> tuple[int, int, int]:
        """Return how many edges (jumps in the code) the seeds cover, how many are covered now, and the number of inputs in the
        corpus.
        """
        rows = COVERAGE.findall(self._log.read_text(errors="replace"))
        first = next((int(row[2]) for row in rows if row[1] == "INITED"), 0)
        return first, int(rows[-1][2]) if rows else 0, int(rows[-1][4] or 0) if rows else 0

    def crashed(self) -> bool:
        """Return whether the process ended because of a crash, a slow input or too much memory."""
        return self.process.poll() not in (None, 0, -signal.SIGTERM, INTERRUPTED)


def plant() -> None:
    """Write the recorded conversations as the first inputs of each target. The target `reply` gets each recording once for
    every kind of conversation.
    """
    for target in TARGETS:
        folder = WORK / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(conversations()):
            kinds = range(len(CONVERSATIONS)) if target == "reply" else [0]
            for kind in kinds:
                (folder / f"recorded-{number}-{kind}").write_bytes(bytes([kind]) + data[1:])


def fuzz(frames: int, seconds: int, workers: int) -> list[Run]:
    """Run the targets in turn on the workers. Stop when they have read enough frames, when the time is over, or when too many
    runs have crashed. Return all runs.
    """
    done: list[Run] = []
    running: list[Run] = []
    until, seed = time.monotonic() + seconds, 1
    names = list(TARGETS)
    while time.monotonic() < until and sum(run.figures()["frames"] for run in done + running) < frames:
        left = int(until - time.monotonic())
        while len(running) < workers and left > 0 and sum(run.crashed() for run in done) < MOST_RESTARTS:
            running.append(Run(names[seed % len(names)], min(SLICE_S, max(1, left)), seed))
            seed += 1
        time.sleep(0.5)
        done += [run for run in running if run.process.poll() is not None]
        running = [run for run in running if run.process.poll() is None]
        if not running and sum(run.crashed() for run in done) >= MOST_RESTARTS:
            break
    for run in running:
        run.process.terminate()
        run.process.wait()
    return done + running


def result(runs: list[Run], before: set[Path]) -> dict[str, Any]:
    """Return the figures of each target, and the names of the new crashes."""
    rows = {}
    for target in TARGETS:
        mine = [run for run in runs if run.target == target]
        totals = {key: sum(run.figures()[key] for run in mine) for key in ("inputs", "frames", "seconds")}
        covered = [run.coverage() for run in mine]
        rows[target] = {
            **totals,
            "frames_per_s": round(totals["frames"] / totals["seconds"], 1) if totals["seconds"] else 0.0,
            "edges_of_the_seeds": covered[0][0] if covered else 0,
            "edges": max((now for _, now, _ in covered), default=0),
            "corpus": len(list((WORK / "corpus" / target).iterdir())),
        }
    new = sorted(path.name for path in set(CRASHES.glob("*")) - before)
    died = sum(run.crashed() for run in runs)
    return {"died": died, "targets": rows, "frames": sum(row["frames"] for row in rows.values()), "crashes": new}


def show(found: dict[str, Any], seconds: float) -> None:
    """Print the figures as a table."""
    table = Table(title="frames of a hostile cell")
    for column in ("target", "inputs", "frames", "frames/s", "edges: seeds", "edges: now", "corpus"):
        table.add_column(column, justify="left" if column == "target" else "right")
    for name, row in found["targets"].items():
        cells = [
            row["inputs"],
            row["frames"],
            row["frames_per_s"],
            row["edges_of_the_seeds"],
            row["edges"],
            row["corpus"],
        ]
        table.add_row(name, *(f"{cell:,}" for cell in cells))
    console = Console()
    console.print(table)
    rate = found["frames"] / seconds
    console.print(f"{found['frames']:,} frames in {seconds:,.0f} s ({rate:,.0f}/s), {found['died']} crashes")
    for name in found["crashes"]:
        console.print(f"tests/fuzz/crashes/{name}", style="red")


def main() -> int:
    """Fuzz, print the figures and store them. Return 1 if anything crashed, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--frames", type=int, default=5_000_000)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    CRASHES.mkdir(exist_ok=True)
    before, started = set(CRASHES.glob("*")), time.monotonic()
    plant()
    found = result(fuzz(options.frames, options.seconds, options.workers), before)
    seconds = time.monotonic() - started
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({**found, "wall_s": round(seconds, 1), "workers": options.workers}, indent=1) + "\n")
    show(found, seconds)
    return int(bool(found["crashes"] or found["died"]))


if __name__ == "__main__":
    sys.exit(main())
