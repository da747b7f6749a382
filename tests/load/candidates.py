"""Lets many candidates take an assessment at the same time, with a real service and real cells on this machine.

    python -m tests.load.candidates [--candidates 300] [--seconds 60] [--judge-within 300]

Each candidate starts, opens an item, saves a draft every few seconds, submits, works on a second item and finishes. Prints how
long saving a draft took, which drafts were lost, and whether everything was judged. Writes var/bench/candidates.json.
"""

import argparse
import asyncio
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.live import ROOT, service
from tests.load.browser import Browser
from tests.load.taking import Figures, Task, invited, take_all, until_judged

GOAL_P95_MS = 100.0
SLUGS = ("scaled-dot-product-attention", "rms-norm")
ANSWER = ROOT / "challenges/architectures/scaled-dot-product-attention/submissions/accepted"
OUT = ROOT / "var" / "bench" / "candidates.json"


def main() -> None:
    """Run the test once. Exit with 0 if the goals were met, otherwise with 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60, help="how long each writes")
    parser.add_argument("--judge-within", type=float, default=300, help="how long to wait for the last verdict")
    chosen = parser.parse_args()
    settings = {"webhooks_private": "false", "registrations_per_hour": "1000"}
    with tempfile.TemporaryDirectory(prefix="gradus-load-") as folder, service(Path(folder), **settings) as live:
        told = asyncio.run(measure(live.url, chosen))
    print(json.dumps(told, indent=2))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2) + "\n")
    raise SystemExit(0 if told["met"] else 1)


async def measure(url: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """Create an assessment, let all candidates take it, and wait until everything is judged. Return the results to report."""
    host, port = urlsplit(url).hostname or "", urlsplit(url).port or 80
    owner = Browser(host, port)
    path, tokens = await invited(owner, SLUGS, chosen.candidates)
    answer = sorted(ANSWER.glob("*.py"))[0].read_text()
    began = time.monotonic()
    figures = await take_all(Task(host, port, answer, chosen.seconds, min(20.0, chosen.seconds / 3)), tokens)
    writing_s = time.monotonic() - began
    judged, unfinished = await until_judged(owner, path, chosen.judge_within)
    owner.close()
    told = report(figures, chosen.candidates)
    verdicts = {
        "answers": figures.answers,
        "judged": judged,
        "not_judged": unfinished,
        "all_judged_after_s": round(time.monotonic() - began, 1),
    }
    met = told["met"] and unfinished == 0 and judged == figures.answers
    return {**told, **verdicts, "writing_s": round(writing_s, 1), "met": met, **machine()}


def report(figures: Figures, candidates: int) -> dict[str, Any]:
    """Return the response times in ms, the lost drafts, the errors, and under `met` whether the goals were met."""
    p95 = percentile(figures.saves, 0.95)
    return {
        "what": "PUT draft of an assessment on SQLite, by candidates at once",
        "candidates": candidates,
        "drafts": len(figures.saves),
        "p50_ms": percentile(figures.saves, 0.5),
        "p95_ms": p95,
        "max_ms": percentile(figures.saves, 1),
        "goal_p95_ms": GOAL_P95_MS,
        "start_p95_ms": percentile(figures.starts, 0.95),
        "submit_p95_ms": percentile(figures.sends, 0.95),
        "lost_drafts": len(figures.lost),
        "errors": figures.errors[:10],
        "met": p95 <= GOAL_P95_MS and not figures.lost and not figures.errors,
    }


def percentile(times: list[float], share: float) -> float:
    """Return the time that the fraction `share` of all times does not exceed. For the p95, `share` is 0.95."""
    ordered = sorted(times) or [0.0]
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def machine() -> dict[str, Any]:
    """Return facts about the machine on which the test runs."""
    return {"cpus": os.cpu_count(), "load_average": os.getloadavg()[0], "python": platform.python_version()}


if __name__ == "__main__":
    main()
