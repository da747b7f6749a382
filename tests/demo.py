"""Starts the whole service, submits right, wrong and hostile answers over HTTP, and prints the verdicts (`make demo`).

The exit code is 0 only if every verdict is as expected.
"""

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.live import Candidate, service
from tests.wrong_answers import package_of, wrong_answer

SLUG = "scaled-dot-product-attention"
RIGHT = package_of(SLUG).reference
NO_SCALE = wrong_answer(SLUG, "no-scale")
WRONG_GRADIENT = wrong_answer(SLUG, "detached-keys")

CHEATS = """
import builtins, torch
class Yes:
    def __eq__(self, other): return True
    def __getattr__(self, name): return Yes()
torch.allclose = torch.equal = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None
builtins.abs = lambda x: 0
def attention(q, k, v, mask=None):
    return Yes()
"""
EXITS = """
import os
def attention(q, k, v, mask=None):
    os._exit(0)
"""
BOMB = """
import os
def attention(q, k, v, mask=None):
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
SEARCH = """
import gc, sys, torch
def attention(q, k, v, mask=None):
    shape = (*q.shape[:-1], v.shape[-1])
    frame, found = sys._getframe(), []
    while frame:
        found += [x for x in frame.f_locals.values() if isinstance(x, torch.Tensor)]
        frame = frame.f_back
    found += [x for x in gc.get_objects() if isinstance(x, torch.Tensor)]
    found = [x for x in found if x.shape == shape and x is not q and x is not k and x is not v]
    return found[0].clone() if found else torch.zeros(shape)
"""


@dataclass(frozen=True)
class Try:
    """An answer, and the verdicts that count as correct for it."""

    what: str
    source: str
    expected: tuple[str, ...]


TRIES = (
    Try("right", RIGHT, ("AC",)),
    Try("wrong: forgets the scale", NO_SCALE, ("WA",)),
    Try("wrong: values right, gradients not", WRONG_GRADIENT, ("WA",)),
    Try("hostile: patches every comparison", CHEATS, ("WA",)),
    Try("hostile: os._exit(0)", EXITS, ("RE",)),
    Try("hostile: looks for the expected tensor", SEARCH, ("WA",)),
    Try("hostile: fork bomb", BOMB, ("TLE", "RE")),
    Try("right, in the cell that was bombed", RIGHT, ("AC",)),
)


def main() -> int:
    """Run the demo. Return 0 if all verdicts are as expected, otherwise 1."""
    console = Console()
    console.print("starting the service: one database, one node, its cells")
    with tempfile.TemporaryDirectory(prefix="gradus-demo-") as folder, service_here(folder) as live:
        console.print(f"serving {live.url}")
        rows = [judge(Candidate(live.url), one) for one in TRIES]
    console.print(table(rows))
    good = all(verdict in one.expected for one, verdict, _, _ in rows)
    console.print("[green]every verdict is as expected[/green]" if good else "[red]a verdict is not as expected[/red]")
    return 0 if good else 1


def service_here(folder: str) -> Any:
    """Start the service with one slot, so that every answer runs in the same cell as the one before."""
    return service(Path(folder), node_slots="1")


def judge(candidate: Candidate, one: Try) -> tuple[Try, str, str, float]:
    """Submit an answer. Return it with its verdict, the first message to the candidate, and the seconds until the verdict."""
    started = time.monotonic()
    found = candidate.judged(candidate.submit(SLUG, one.source))
    failed = next((test for test in found["tests"] if test["verdict"] != "AC"), None)
    told = f"{failed['title']} {failed['message']}" if failed else found["message"]
    return one, found["verdict"], told, time.monotonic() - started


def table(rows: list[tuple[Try, str, str, float]]) -> Table:
    """Return a table of the verdicts."""
    shown = Table(title="make demo")
    for column in ("answer", "expected", "verdict", "seconds", "what the candidate reads"):
        shown.add_column(column, overflow="fold")
    for one, verdict, told, seconds in rows:
        style = "green" if verdict in one.expected else "bold red"
        shown.add_row(one.what, "/".join(one.expected), verdict, f"{seconds:.2f}", told[:160], style=style)
    return shown


if __name__ == "__main__":
    sys.exit(main())
