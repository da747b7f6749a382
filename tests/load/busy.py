"""Judges right answers that nearly use up their CPU limits, while other programs use CPU and memory. All must be accepted.

    python -m tests.load.busy [--answers 1000] [--weight SHARES] [--loops 2] [--hog-mb 1024]

The answers are the reference solutions of all challenges in turn. Each is changed so that it uses about 80 % of the CPU limit,
which is one second for this test. The cells have the CPU weight that a service gives them, or `--weight`. Prints the verdicts
and writes var/bench/busy.json.
"""

import argparse
import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from api.settings import Settings
from grader.content import proof
from grader.content.package import Package, load
from grader.contract.errors import PackageError
from grader.contract.job import Job, Judgement
from grader.gate.report.record import Record
from grader.judging.workbench import Workbench, a_job, engine
from tests.live import ROOT
from tests.load.neighbours import neighbours

OUT = ROOT / "var" / "bench" / "busy.json"
LIMIT_S = 1.0
# The CPU seconds that an answer uses in total. Like limits, they are seconds of the reference machine. The other 20 % of the
# limit are for page faults and cold caches: beside a program that uses much memory, a reference solution used 0.1 s more than
# gate.lock says.
USED_S = 0.8 * LIMIT_S
# Reference solutions that need more CPU seconds than this, according to gate.lock, are left out, because their CPU time differs
# too much from one run to the next.
MAX_REFERENCE_S = 0.55
# This code makes an answer use CPU time while it is loaded, until its process has used `{}` CPU seconds of this machine.
BURN = "\nimport time as _time\nwhile _time.process_time() < {}: pass\n"


def main() -> None:
    """Run the test once. Exit with 0 if every answer was accepted, otherwise with 1."""
    default: int = Settings.model_fields["node_cpu_shares"].default
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--weight", type=int, default=default, help="CPU shares of all cells together, of 1024")
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--hog-mb", type=int, default=1024)
    parser.add_argument("--image", default="gradus-grader:latest")
    chosen = parser.parse_args()
    with neighbours(chosen.loops, chosen.hog_mb):
        told = measure(chosen)
    print(json.dumps(told, indent=2))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2) + "\n")
    raise SystemExit(0 if told["verdicts"] == {"AC": chosen.answers} else 1)


def measure(chosen: argparse.Namespace) -> dict[str, Any]:
    """Judge all answers. Return the number of answers per verdict, the number of retries and the times in seconds."""
    began = time.monotonic()
    bench = Workbench(engine("docker", chosen.image, cpu_shares=chosen.weight), slots=os.cpu_count() or 1)
    bench.start()
    try:
        # This judging waits for the first cell, which measures the speed of the machine.
        bench.judge(*next(jobs(1, bench.speed.value)))
        warm_s = time.monotonic() - began
        ends, again, faults = tried(bench, list(jobs(chosen.answers, bench.speed.value)))
    finally:
        bench.close()
    judged = [judgement for _, judgement in ends]
    return {
        "what": "right answers near their limits, beside busy loops and a memory hog",
        "verdicts": dict(Counter(str(each.verdict) for each in judged)),
        "tried_again": again,
        "not_judged": faults,
        "not_accepted": [
            f"{slug}: {each.verdict} with {each.cpu_s:.2f} s of CPU. {each.message}"
            for slug, each in ends
            if each.verdict != "AC"
        ][:10],
        "weight": chosen.weight,
        "loops": chosen.loops,
        "hog_mb": chosen.hog_mb,
        "speed": round(bench.speed.value, 2),
        "warm_after_s": round(warm_s, 1),
        "took_s": round(time.monotonic() - began, 1),
        "cpu_s_p50": round(statistics.median([each.cpu_s for each in judged] or [0.0]), 2),
        "wall_s_p50": round(statistics.median([each.wall_s for each in judged] or [0.0]), 2),
        "wall_s_max": round(max((each.wall_s for each in judged), default=0.0), 2),
        "beyond_three_limits": sum(each.wall_s > 3 * LIMIT_S for each in judged),
        "load_average": os.getloadavg()[0],
    }


def tried(
    bench: Workbench, orders: list[tuple[Job, Package]]
) -> tuple[list[tuple[str, Judgement]], int, dict[str, int]]:
    """Judge these jobs. If the grader itself fails on a job, judge the job again, as often as a service would.

    Return the judgements, the number of retries, and the number of jobs that got no judgement, by their last fault.
    """
    judged: list[tuple[str, Judgement]] = []
    failed: dict[str, str] = {}
    again = 0
    for attempt in range(Settings.model_fields["max_faults"].default):
        again += len(orders) if attempt else 0
        ends = list(bench.judge_all(orders))
        judged += [(end.job.slug, end.judgement) for end in ends if end.judgement is not None]
        failed = {end.job.id: str(end.fault).splitlines()[0] for end in ends if end.judgement is None}
        orders = [order for order in orders if order[0].id in failed]
    return judged, again, dict(Counter(failed.values()))


def jobs(answers: int, speed: float) -> Iterator[tuple[Job, Package]]:
    """Yield `answers` jobs, in which the challenges take turns. `speed` is relative to the reference machine."""
    folders = [path.parent for path in sorted((ROOT / "challenges").glob("*/*/challenge.toml"))]
    tasks = [task for folder in folders if (task := near_limit(folder, speed))]
    for number in range(answers):
        package, source = tasks[number % len(tasks)]
        yield a_job(package, source), package


def near_limit(folder: Path, speed: float) -> tuple[Package, str] | None:
    """Load a challenge, set its CPU limits to LIMIT_S, and change its reference solution so that it uses USED_S on a machine of
    this speed. Return the challenge and the changed solution.

    Return None if the challenge cannot be read, if it is for GPUs only, if it has no proof, or if its unchanged reference
    solution needs more than MAX_REFERENCE_S.
    """
    try:
        package = load(folder)
        proven = proof.load(folder)
    except PackageError:
        return None
    if "cpu" not in package.info.devices:
        return None
    if proven is None or (needed := msgspec.json.decode(proven.record, type=Record).cpu_s) > MAX_REFERENCE_S:
        return None
    limits = msgspec.structs.replace(package.info.limits, cpu_s=LIMIT_S, cpu_s_per_call=LIMIT_S)
    limited = msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))
    return limited, package.reference + BURN.format(round((USED_S - needed) / speed, 3))


if __name__ == "__main__":
    main()
