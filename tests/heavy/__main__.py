"""Lists the heavy test suites, and runs those that have changed since they last passed.

A suite that passes leaves a proof, a file with the digest of everything that its result depends on. A suite is only run again
if that digest no longer matches.

python -m tests.heavy                 list the suites and their proofs
python -m tests.heavy run             run the suites whose proof is missing or stale
python -m tests.heavy run --all       run all suites
python -m tests.heavy run NAME...     run these suites
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table

from tests.heavy import proof, suites
from tests.heavy.proof import Proof
from tests.heavy.suites import ROOT, Map, Suite

# If at most this many tests fail, they are run once more, because they may only have failed because the machine was busy.
MOST_AGAIN = 5
PYTEST = [sys.executable, "-m", "pytest", "-q", "--durations=10", "--durations-min=10"]
console = Console()


def fits(known: Map, name: str, files: list[str]) -> bool:
    """Return whether a suite has a proof that matches the current files."""
    found = proof.load(name)
    return found is not None and found.digest == known.digest(name, files)


def show(known: Map, files: list[str]) -> None:
    """Print a table of the suites and their proofs."""
    table = Table(title="heavy suites", title_justify="left")
    for column in ("suite", "what it runs", "proof"):
        table.add_column(column)
    for column in ("passed", "seconds"):
        table.add_column(column, justify="right")
    for name, suite in known.suites.items():
        found = proof.load(name)
        state = "none" if found is None else "fits" if fits(known, name, files) else "stale"
        figures = ("", "") if found is None else (str(found.passed), f"{found.seconds:.0f}")
        table.add_row(name, suite.title, state, *figures)
    console.print(table)


def run(known: Map, name: str, files: list[str]) -> bool:
    """Run one suite. If it passes, write its proof and return True.

    If at most MOST_AGAIN tests fail, run them once more, without other tests beside them, because a test that waits for
    something may time out on a busy machine. The proof lists these tests.
    """
    suite, started = known.suites[name], time.monotonic()
    before = known.digest(name, files)
    console.print(f"== {name}: {suite.title}")
    report = ROOT / "var" / "heavy" / f"{name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    code = _pytest(suite, [*suite.pytest, f"--junitxml={report}"])
    passed, failed = outcomes(report)
    if code and 0 < len(failed) <= MOST_AGAIN:
        console.print(f"== {name}: once more, alone: {', '.join(failed)}", soft_wrap=True)
        code = _pytest(suite, ["--last-failed", "--last-failed-no-failures=none", *_without_workers(suite.pytest)])
        passed += len(failed)
    if code or not passed:
        console.print(f"[red]== {name}: failed[/red]")
        return False
    seconds = time.monotonic() - started
    proof.save(Proof(name, before, passed, round(seconds, 1), platform.release(), _engine(), failed))
    console.print(f"== {name}: {passed} passed in {seconds:.0f} s")
    return True


def _pytest(suite: Suite, arguments: list[str]) -> int:
    environment = {**os.environ, **suite.environment}
    command = [*PYTEST, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def _without_workers(arguments: list[str]) -> list[str]:
    at = arguments.index("-n") if "-n" in arguments else len(arguments)
    return arguments[:at] + arguments[at + 2 :]


def outcomes(report: Path) -> tuple[int, list[str]]:
    """Read a JUnit report. Return how many tests passed, and the names of those that failed. Skipped tests are left out."""
    if not report.is_file():
        return 0, []
    passed, failed = 0, set()
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(f"{case.get('classname')}::{case.get('name')}")
        elif case.find("skipped") is None:
            passed += 1
    return passed, sorted(failed)


def _engine() -> str:
    asked = subprocess.run(
        ["docker", "version", "--format", "{{.Server.Version}}"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "none"


def main(arguments: list[str]) -> int:
    """Run a command line. Return exit code 1 if a suite failed, 2 for wrong usage, otherwise 0."""
    known, files = suites.load(), suites.tracked()
    if arguments[:1] != ["run"]:
        show(known, files)
        return 0 if not arguments else 2
    named = [argument for argument in arguments[1:] if argument != "--all"]
    if unknown := set(named) - set(known.suites):
        console.print(f"no suite is called {', '.join(sorted(unknown))}; there are: {', '.join(known.suites)}")
        return 2
    chosen = named or [name for name in known.suites if "--all" in arguments or not fits(known, name, files)]
    for name in known.suites:
        if not named and name not in chosen:
            console.print(f"== {name}: proven for these files, not run again")
    failed = [name for name in known.suites if name in chosen and not run(known, name, files)]
    if failed:
        console.print(f"[red]== heavy suites that failed: {', '.join(failed)}[/red]")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
