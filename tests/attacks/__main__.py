"""Runs all tests of the attack catalogue, and prints a table (`make attacks`). The exit code is 0 only if every test passed.

python -m tests.attacks            run all tests, and write the figures to var/attacks.json
python -m tests.attacks --write    only regenerate the table in SECURITY.md
"""

import json
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from tests.attacks.catalogue import GROUPS, tried
from tests.attacks.table import SECURITY, written

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "var" / "attacks.json"
OTHERS = "other checks"
MOST_AGAIN = 3


@dataclass
class Outcomes:
    """A pytest plugin that records which tests passed and how long they took, by group of the catalogue."""

    held: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    failed: list[str] = field(default_factory=list)
    _open: dict[str, bool] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the result of one phase of a test (setup, call or teardown). A test passes if all of its phases pass."""
        group = group_of(report.nodeid)
        self.seconds[group] += report.duration
        self._open[report.nodeid] = self._open.get(report.nodeid, True) and report.passed
        if report.when == "teardown":
            held = self._open.pop(report.nodeid)
            self.held[group].append(held)
            if not held:
                self.failed.append(report.nodeid)


def group_of(nodeid: str) -> str:
    """Return the letter of the group to which a test's program belongs, or OTHERS if the test does not run a program."""
    found = re.search(r"\[(?:.*[-/])?([A-Z])\d+-[^\]]*\]$", nodeid)
    return found[1] if found and found[1] in GROUPS else OTHERS


def show(outcomes: Outcomes, console: Console) -> None:
    """Print a table with one row per group."""
    table = Table(title="attacks, each through the real path", title_justify="left")
    for name in ("group", "what they go for"):
        table.add_column(name)
    for name in ("lines", "programs", "held", "seconds"):
        table.add_column(name, justify="right")
    programs = tried()
    for letter in [*GROUPS, OTHERS]:
        held = outcomes.held.get(letter, [])
        if not held:
            continue
        lines = len({p.line for p in programs if p.line[0] == letter}) if letter in GROUPS else 0
        title = GROUPS[letter].title if letter in GROUPS else "made sources, catalogue, table"
        mark = "[green]" if all(held) else "[red]"
        row = (str(lines or ""), str(len(held)), f"{mark}{sum(held)}[/]", f"{outcomes.seconds[letter]:.0f}")
        table.add_row("" if letter == OTHERS else letter, title, *row)
    every = [held for group in outcomes.held.values() for held in group]
    lines = len({p.line for p in programs if GROUPS[p.line[0]].lines})
    table.add_section()
    table.add_row("", "all", str(lines), str(len(every)), str(sum(every)), f"{sum(outcomes.seconds.values()):.0f}")
    console.print(table)
    for nodeid in outcomes.failed:
        console.print(f"[red]did not hold:[/] {nodeid}", soft_wrap=True)


def run(arguments: list[str]) -> int:
    """Run the tests in two processes and print the table. Return pytest's exit code.

    If at most MOST_AGAIN tests fail, list them and run them once more, one at a time. On a busy machine, a test can fail only
    because other tests at the same time leave it too little CPU time.
    """
    outcomes, started = Outcomes(), time.monotonic()
    code = int(pytest.main([str(HERE), "-n", "2", "-q", *arguments], plugins=[outcomes]))
    console = Console()
    show(outcomes, console)
    if 0 < len(outcomes.failed) <= MOST_AGAIN:
        console.print(f"once more, alone: {', '.join(outcomes.failed)}", soft_wrap=True)
        code = int(pytest.main(["-q", *outcomes.failed]))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    figures: dict[str, object] = {
        letter: {"programs": len(held), "held": sum(held)} for letter, held in sorted(outcomes.held.items())
    }
    figures |= {"seconds": round(time.monotonic() - started, 1), "failed": outcomes.failed}
    OUT.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    console.print(f"{time.monotonic() - started:.0f} s; written to {OUT.relative_to(HERE.parents[1])}")
    return code


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        SECURITY.write_text(written(SECURITY.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.exit(run(sys.argv[1:]))
