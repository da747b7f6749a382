"""`make bench`: judges the same ten hidden tests in five ways, and measures the throughput of the grader.

    fresh           a slot as users have it: each job runs in new namespaces; the time from submitting the job to receiving the
                    judgement
    container       the same on a host without namespaces: each job gets a new container, which was warmed before the job
                    arrived
    process cells   the same as fresh, without containers: the difference is the cost of the containers' isolation
    cold container  `docker run` of a new container with plain pytest on the same tests (no isolation inside it)
    bare pytest     plain pytest on this machine, without isolation

Compare the ratios and not the milliseconds, because other programs may use the machine. Writes var/bench/grader.json.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import docker
import msgspec
from rich.console import Console
from rich.table import Table

from grader.content.package import Lock, Package, load
from grader.contract.job import Verdict
from grader.gate.lock import collected
from grader.hosts.zygote_client import ZygoteClient
from grader.judging.pool.cells import Cell
from grader.judging.workbench import Workbench, a_job, workbench

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "challenge" / "attention" / "ten-tests"
ANSWER = FOLDER / "submissions" / "accepted" / "a-reference.py"
OUT = ROOT / "var" / "bench" / "grader.json"
IMAGE = "gradus-grader:latest"


def percentile(times: list[float], share: float) -> float:
    """Return the percentile `share` (0.95 for the p95) in milliseconds. `times` are in seconds."""
    return statistics.quantiles([t * 1000 for t in times], n=100, method="inclusive")[round(share * 100) - 1]


def timed(count: int, act: Callable[[], None], before: Callable[[], None] = lambda: None) -> list[float]:
    """Call `act` `count` times, each time after an unmeasured call of `before`. Return the seconds of each call of `act`."""
    times = []
    for _ in range(count):
        before()
        started = time.perf_counter()
        act()
        times.append(time.perf_counter() - started)
    return times


def the_package(bench: Workbench) -> Package:
    """Load the package with the ten tests, and give it the lock that the gate would write."""
    package = load(FOLDER, locked=False)
    return msgspec.structs.replace(package, lock=Lock(collected(bench, package)))


def one(bench: Workbench, package: Package) -> None:
    """Judge the reference, a right answer, once. Raise RuntimeError if it is not accepted."""
    judgement = bench.judge(a_job(package, package.reference), package)
    if judgement.verdict is not Verdict.AC:
        raise RuntimeError(f"the reference is {judgement.verdict}: {judgement.tests}")


def rested(bench: Workbench) -> None:
    """Wait until spare cells are warm and waiting children are ready, as on a node without load. A child that waits for its job
    first makes a trial call, which takes a moment.
    """
    bench.spares.wait_until_warm()
    time.sleep(0.25)


def sustained(bench: Workbench, package: Package, count: int) -> float:
    """Judge the reference `count` times with all slots busy. Return the judgings per second."""
    started = time.perf_counter()
    ends = list(bench.judge_all((a_job(package, package.reference), package) for _ in range(count)))
    seconds = time.perf_counter() - started
    wrong = [e for e in ends if e.judgement is None or e.judgement.verdict is not Verdict.AC]
    if wrong:
        raise RuntimeError(f"{len(wrong)} of {count} were not accepted, first: {wrong[0]}")
    return count / seconds


def cold_container() -> None:
    """Run the tests once with plain pytest in a new container."""
    inside = ["python3", "-m", "grader.gate.local.run", "/c", "/c/submissions/accepted/a-reference.py", "-q"]
    command = ["docker", "run", "--rm", "--network", "none", "-e", "OMP_NUM_THREADS=1", "-v", f"{FOLDER}:/c:ro", IMAGE]
    subprocess.run([*command, *inside], check=True, capture_output=True)


def bare_pytest() -> None:
    """Run the tests once with plain pytest on this machine."""
    command = [sys.executable, "-m", "grader.gate.local.run", str(FOLDER), str(ANSWER), "-q"]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"})


def memory_mb(label_image: str = IMAGE) -> float:
    """Return the resident memory of this process plus the private memory of all grader containers, in MiB."""
    own = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    client = docker.from_env()
    pids = [c.attrs["State"]["Pid"] for c in client.containers.list(filters={"ancestor": label_image})]
    return own + sum(_tree_mb(pid) for pid in pids)


def settled_memory_mb(label_image: str = IMAGE) -> float:
    """Return `memory_mb` as soon as it has stayed the same for a second. Right after a judging, the processes that wait for the
    next one are still being forked, and each of them has 6 to 8 MiB.
    """
    reading = memory_mb(label_image)
    for _ in range(60):
        time.sleep(1.0)
        before, reading = reading, memory_mb(label_image)
        if abs(reading - before) < 0.5:
            break
    return reading


def _tree_mb(pid: int) -> float:
    """Return the private memory of a process and its descendants, in MiB. Shared pages would be counted several times."""
    total = 0.0
    waiting = [pid]
    while waiting:
        current = waiting.pop()
        try:
            rows = Path(f"/proc/{current}/smaps_rollup").read_text().splitlines()
            waiting += map(int, Path(f"/proc/{current}/task/{current}/children").read_text().split())
        except (OSError, ProcessLookupError):
            continue
        total += sum(int(row.split()[1]) / 1024 for row in rows if row.startswith(("Private_Dirty", "Private_Clean")))
    return total


def measure(repeat: int, soak: int, console: Console) -> Iterator[tuple[str, float]]:
    """Yield each figure as (name, value) as soon as it is measured. The name ends with the unit, such as `_ms`."""
    with workbench("docker", slots=1, image=IMAGE) as bench:
        yield "slot_start_cpu_s", bench.spares.take().host.cpu_seconds()
        package = the_package(bench)
        timed(5, lambda: one(bench, package))
        console.print("fresh namespaces for each judging")
        fresh = timed(repeat, lambda: one(bench, package), before=lambda: rested(bench))
        yield "fresh_p50_ms", percentile(fresh, 0.5)
        yield "fresh_p95_ms", percentile(fresh, 0.95)
        console.print("a new container for each judging, spare warm")
        reason = patch.object(ZygoteClient, "isolation_problem", lambda _: "this benchmark asks for it")
        with patch.object(Cell, "reusable", False), reason:
            single = timed(max(5, repeat // 10), lambda: one(bench, package), before=lambda: rested(bench))
            yield "container_each_p50_ms", percentile(single, 0.5)
            yield "container_each_per_s", sustained(bench, package, 6)
    console.print("process cells: the same without containers")
    with workbench("process", slots=1) as bench:
        timed(5, lambda: one(bench, package))
        loose = timed(repeat, lambda: one(bench, package), before=lambda: rested(bench))
        yield "process_cells_p50_ms", percentile(loose, 0.5)
        yield "isolation_costs_ms", percentile(fresh, 0.5) - percentile(loose, 0.5)
    console.print("cold container, bare pytest")
    cold = timed(max(5, repeat // 20), cold_container)
    yield "cold_container_p50_ms", percentile(cold, 0.5)
    bare = timed(max(5, repeat // 20), bare_pytest)
    yield "bare_pytest_p50_ms", percentile(bare, 0.5)
    yield "speedup_vs_cold_container", percentile(cold, 0.5) / percentile(fresh, 0.5)
    slots = os.cpu_count() or 1
    yield "slots", slots
    with workbench("docker", slots=slots, image=IMAGE) as bench:
        package = the_package(bench)
        sustained(bench, package, 20)
        console.print(f"sustained, {slots} slots")
        yield "judgings_per_s", sustained(bench, package, repeat * 4)
        bench.spares.wait_until_warm()
        before = settled_memory_mb()
        console.print(f"memory over {soak:,} jobs")
        sustained(bench, package, soak)
        bench.spares.wait_until_warm()
        yield f"rss_growth_mb_{soak}_jobs", settled_memory_mb() - before


def main() -> int:
    """Measure, print the figures, and write them to var/bench/grader.json."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=100)
    parser.add_argument("--soak", type=int, default=2000)
    options = parser.parse_args()
    console = Console()
    figures = {}
    for name, value in measure(options.repeat, options.soak, console):
        figures[name] = round(value, 2)
    table = Table(title="make bench: ten hidden tests on CPU")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, value in figures.items():
        table.add_row(name, f"{value:,}")
    console.print(table)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(figures, indent=1) + "\n")
    console.print(f"written to {OUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
