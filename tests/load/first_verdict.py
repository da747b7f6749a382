"""Starts a service on a busy machine, and measures the time to the first verdict. Then checks that right answers are accepted.

    python -m tests.load.first_verdict [--loops 2] [--answers 20] [--within 60] [--weight SHARES]

The service has its default settings, and the busy loops have the same CPU weight as the service. The first answer is submitted
as soon as the service responds. Writes var/bench/first_verdict.json. Exits with 0 if all answers are accepted and the first
verdict arrives within `--within` seconds.
"""

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from grader.content.package import load
from tests.live import ROOT, Candidate, launch
from tests.load.neighbours import neighbours

OUT = ROOT / "var" / "bench" / "first_verdict.json"


def main() -> None:
    """Run the test once. Exit with 0 if the goals were met, otherwise with 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--answers", type=int, default=20)
    parser.add_argument("--within", type=float, default=60, help="seconds until the first verdict")
    parser.add_argument("--weight", type=int, help="what all cells together weigh, of 1024, in place of the default")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gradus-first-") as folder, neighbours(chosen.loops):
        told = measure(Path(folder), chosen)
    print(json.dumps(told, indent=2))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2) + "\n")
    raise SystemExit(0 if told["met"] else 1)


def measure(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Start the service, wait for the first verdict, then submit the other answers. Return the times in seconds, and
    the number of answers per verdict.
    """
    weight: dict[str, Any] = {"node_cpu_shares": str(chosen.weight)} if chosen.weight else {}
    began = time.monotonic()
    live = launch(folder, submissions_per_minute="600", **weight)
    try:
        live.wait_until_ready(seconds=600, path="/api/health")
        candidate = Candidate(live.url)
        answers_s = time.monotonic() - began
        every = sorted(path.parent for path in (ROOT / "challenges").glob("*/*/challenge.toml"))
        # The service does not serve challenges that the gate has not proven in their current state.
        folders = [each for each in every if candidate.http.get(f"/api/challenges/{each.name}").is_success]
        verdicts = [verdict(candidate, folders[0])]
        first_s = time.monotonic() - began
        step = max(1, len(folders) // max(1, chosen.answers))
        verdicts += [verdict(candidate, each) for each in folders[::step][: chosen.answers]]
        all_s = time.monotonic() - began
    finally:
        live.stop()
    counted = dict(Counter(verdicts))
    return {
        "what": "a service from nothing, beside busy loops",
        "loops": chosen.loops,
        "weight": chosen.weight or "default",
        "service_answers_after_s": round(answers_s, 1),
        "first_verdict_after_s": round(first_s, 1),
        "goal_s": chosen.within,
        "verdicts": counted,
        "all_judged_after_s": round(all_s, 1),
        "load_average": os.getloadavg()[0],
        "met": first_s <= chosen.within and counted == {"AC": chosen.answers + 1},
    }


def verdict(candidate: Candidate, folder: Path) -> str:
    """Submit a challenge's reference, and wait for its verdict."""
    package = load(folder)
    found = candidate.judged(candidate.submit(package.slug, package.reference), seconds=600)
    return str(found["verdict"] if found["status"] == "judged" else found["status"])


if __name__ == "__main__":
    main()
