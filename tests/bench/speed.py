"""`make bench-speed`: measures how well the speed boards measure.

    noise       the baseline is measured as an answer, again and again: the deviation between sessions is the noise floor
    neighbour   the same answer is measured again and again beside a process that uses another core: all of these must share a
                rank, or be marked as measured on a shared machine
    ratios      answers whose work differs by a known factor: how often the rule of ranks tells two of them apart, and how often
                it puts them in the wrong order

The answers repeat one piece of work a given number of times, so their true ratio is known. A session ends as on a node. The cell
is replaced after every CELL_SESSIONS sessions, since its memory layout is part of the noise. Writes var/bench/speed.json.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from rich.console import Console

from grader.content.package import Package, load
from grader.contract.job import fresh_seed
from grader.contract.measurement import ChainSize, Measurement, MeasurementPlan, Quantity
from grader.contract.ranking import Interval, interval, noise_floor, ranks
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.measuring.measuring import MeasuringRequest, measure
from grader.judging.slots.lane import Lane
from grader.judging.workbench import workbench

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "attacks" / "package" / "hostile" / "attention"
OUT = ROOT / "var" / "bench" / "speed.json"
CELL_SESSIONS = 5
# The work of the baseline, and of answers whose true ratio to the fastest is 1, 1.05 and 1.3.
UNITS, FACTORS = 20, (1.0, 1.05, 1.3)
# Required of answers that differ by the factor 1.3, and of all answers.
MUST_TELL_APART, MAY_CONFUSE = 0.95, 0.05
ANSWER = """
import math


def attention(q, k, v):
    for _ in range({units}):
        out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out
"""
CHAIN = """
import torch


def chain(solution, size, steps, seed):
    draw = torch.Generator().manual_seed(seed)
    q, k, v, weights = (torch.randn(size, 64, generator=draw) for _ in range(4))
    sketches = []
    for _ in range(steps):
        out = solution.attention(q, k, v)
        sketch = (torch.tanh(out) * weights).sum(dtype=torch.float64).float() / size**0.5
        sketches.append(sketch)
        q = torch.randn(size, 64, generator=draw) + torch.tanh(weights * sketch)
    return torch.stack(sketches)
"""
SIZES = (ChainSize(32, 20, 0, 1), ChainSize(128, 25, 0, 1))
console = Console(width=130)


@dataclass(frozen=True)
class Session:
    """The result of one session. `shared` says whether the machine was too busy."""

    log_ratio: float
    std_error: float
    pairs: int
    wall_s: float
    shared: bool


class Bench:
    """Measures answers in sessions."""

    def __init__(self, bench: MeasuringBench, package: Package, budget_s: float) -> None:
        self._bench, self._package = bench, package
        self._plan = MeasurementPlan(Quantity.SPEED, CHAIN, ANSWER.format(units=UNITS), SIZES, budget_s=budget_s)
        self._sessions = 0

    def session(self, units: int) -> Session:
        """Measure an answer that repeats the work `units` times."""
        if self._sessions and not self._sessions % CELL_SESSIONS:
            self._bench.release()
        self._sessions += 1
        source = ANSWER.format(units=units)
        found: Measurement = measure(
            MeasuringRequest(self._package, source, fresh_seed(), self._plan), self._bench, Lane()
        )
        print(".", end="", flush=True)
        return Session(found.log_ratio, found.std_error, found.pairs, found.wall_s, bool(found.shared))


@contextmanager
def neighbour() -> Iterator[None]:
    """Run a process that uses a whole core during the `with` block."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def intervals(sessions: Sequence[Session], noise: float) -> list[Interval]:
    return [interval(each.log_ratio, each.std_error, noise) for each in sessions]


def told_apart(fast: Sequence[Interval], slow: Sequence[Interval]) -> tuple[float, float]:
    """Return two shares of all pairs of a fast and a slow entry: those in the right order, and those in the wrong one."""
    pairs = list(product(fast, slow))
    right = sum(one.low > other.high for one, other in pairs)
    wrong = sum(other.low > one.high for one, other in pairs)
    return right / len(pairs), wrong / len(pairs)


def _describe(sessions: Sequence[Session]) -> str:
    pairs, wall_s = (statistics.mean(getattr(each, name) for each in sessions) for name in ("pairs", "wall_s"))
    shared = sum(each.shared for each in sessions)
    return f"{len(sessions)} sessions of {pairs:.0f} pairs and {wall_s:.0f} s on average, {shared} of them marked as shared"


def run(bench: Bench, sessions: int) -> bool:
    """Measure, print the figures, and write them. Returns whether all requirements are met."""
    same = [bench.session(UNITS) for _ in range(sessions)]
    noise = noise_floor([each.log_ratio for each in same])
    mean = statistics.mean(each.log_ratio for each in same)
    error = statistics.median(each.std_error for each in same)
    console.print(
        f"\nnoise floor {noise:.2%}; mean ratio {math.exp(mean):.4f} (true: 1); median standard error {error:.2%}"
    )
    console.print(f"  {_describe(same)}")

    with neighbour():
        beside = [bench.session(UNITS) for _ in range(sessions)]
    quiet = [each for each in beside if not each.shared]
    distinct = len(set(ranks(intervals(quiet, noise))))
    console.print(
        f"\nthe same answer beside a busy process: {distinct} distinct ranks (must be 1, or 0 if all are shared)"
    )
    console.print(f"  {_describe(beside)}")

    by_factor = {factor: [bench.session(round(UNITS * factor)) for _ in range(sessions)] for factor in FACTORS}
    entries = {factor: intervals(found, noise) for factor, found in by_factor.items()}
    print()
    shares = {}
    for factor in FACTORS[1:]:
        right, wrong = shares[factor] = told_apart(entries[FACTORS[0]], entries[factor])
        known = statistics.mean(x.log_ratio for x in by_factor[FACTORS[0]])
        known -= statistics.mean(x.log_ratio for x in by_factor[factor])
        console.print(
            f"true ratio {factor}: measured {math.exp(known):.3f}; told apart {right:.1%}, in the wrong order {wrong:.1%}"
        )
        console.print(f"  {_describe(by_factor[factor])}")
    spread = len(set(ranks(entries[FACTORS[0]])))
    console.print(f"equal answers: {spread} distinct ranks among {sessions} (must be 1)")
    OUT.parent.mkdir(parents=True, exist_ok=True)
    told = {"noise": noise, "same": same, "beside": beside, "by_factor": {str(key): by_factor[key] for key in FACTORS}}
    OUT.write_text(json.dumps(told, default=asdict, indent=1) + "\n")
    confused = max(wrong for _, wrong in shares.values())
    return distinct <= 1 and spread == 1 and shares[FACTORS[-1]][0] >= MUST_TELL_APART and confused <= MAY_CONFUSE


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and run. Returns 0 if all requirements are met."""
    parser = argparse.ArgumentParser("python -m tests.bench.speed", description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=30, help="sessions of each kind (default 30)")
    parser.add_argument("--budget", type=float, default=30.0, help="seconds of a session (default 30, as on a node)")
    parser.add_argument("--cells", default="docker")
    options = parser.parse_args(arguments)
    print(f"{5 * options.sessions} sessions with a budget of {options.budget:g} s each")
    with workbench(options.cells, slots=1) as made:
        measuring = MeasuringBench(made.spares, made.judge_container)
        met = run(Bench(measuring, load(FOLDER), options.budget), options.sessions)
        measuring.release()
    print("all requirements are met" if met else "NOT all requirements are met")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
