"""Measures the latency and the throughput of the connection to nodes over NATS (`make bench-cluster`).

The latency is the time from entering the queue to the stored judgement, both as recorded in the database, with one submission
at a time. dispatch.py measures the throughput. simulation.py estimates the throughput of many nodes.
"""

import argparse
import asyncio
import json
import logging
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import select

from api.judging.submissions.models import Judging
from tests.api.judging.nodes.remote_rig import Place, place
from tests.api.running_service import SOURCE, Person
from tests.bench import dispatch, simulation
from tests.live import ROOT

OPEN = {
    "unfinished_per_account": 1_000_000,
    "submissions_per_minute": 1_000_000,
    "submissions_per_challenge_a_day": 1_000_000,
    "requests_per_minute": 1_000_000,
    "requests_per_minute_of_an_address": 1_000_000,
    "queue_limit": 1_000_000,
    "lease_s": 60,
}
# The simulation runs twice: once with as many cores as this machine has, and once with this many.
MANY_CORES = 16
RESULTS = ROOT / "var" / "bench"


async def far_nodes(at: Place, nodes: int, slots: int) -> None:
    """Start nodes that are connected over NATS."""
    await asyncio.gather(*(at.start(f"node-{number}", "--slots", str(slots)) for number in range(nodes)))


async def local_node(at: Place, nodes: int, slots: int) -> None:
    """Start one node with `nodes * slots` slots. It is connected over the local socket."""
    socket = str(at.service.settings.socket)
    command = [sys.executable, "-m", "tests.instant_node", "--socket", socket, "--slots", str(nodes * slots)]
    at.nodes.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True))
    await at.until(at.service.state.dispatcher.nodes.size)


async def latency_ms(at: Place, person: Person, count: int) -> list[float]:
    """Judge `count` submissions, one after the other. Return their latencies in ms, sorted."""
    for number in range(count):
        sent = await person.send(source=f"{SOURCE}# one {number}\n")
        await at.judged(person, sent["id"])
    async with at.service.state.db.read() as session:
        rows = (await session.execute(select(Judging.queued_at, Judging.ended_at))).all()
    return sorted((ended - queued).total_seconds() * 1000 for queued, ended in rows if ended)


async def measure(way: Any, options: argparse.Namespace) -> dict[str, float]:
    """Return the p50 and p95 latency, in ms, of one kind of connection. `way` is the function that starts the nodes with this
    kind of connection.
    """
    home = Path(tempfile.mkdtemp(prefix="gradus-"))
    try:
        async with place(home, **OPEN) as at:
            person = await at.service.person()
            await way(at, options.nodes, options.slots)
            found = await latency_ms(at, person, options.submissions)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return {"p50_ms": round(statistics.median(found), 2), "p95_ms": round(found[int(len(found) * 0.95)], 2)}


def main() -> None:
    """Run all measurements and simulations, print the results, and write them to var/bench/cluster.json."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster")
    parser.add_argument("--processes", type=int, default=2, help="of the service, for the rate")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--slots", type=int, default=32)
    parser.add_argument("--submissions", type=int, default=200, help="one after the other, for the latency")
    parser.add_argument("--queue", type=int, default=8000, help="waiting at once, for the rate")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    embedded = asyncio.run(measure(local_node, options))
    over_nats = asyncio.run(measure(far_nodes, options))
    costs = round(over_nats["p50_ms"] - embedded["p50_ms"], 2)
    single = asyncio.run(dispatch.measure(options.processes, options.nodes, 1, options.queue // 4, ["run"]))
    rates = asyncio.run(dispatch.measure(options.processes, options.nodes, options.slots, options.queue))
    times = simulation.judging_times()
    ways = [
        simulation.calibrated(single["run"], rates["run"], costs, cores) for cores in (os.cpu_count() or 1, MANY_CORES)
    ]
    simulated = [{**asdict(way), "rows": simulation.table(way, times)} for way in ways]
    told = {
        "embedded": embedded,
        "nats": over_nats,
        "overhead_p50_ms": costs,
        "rates": rates,
        "single_slots": single["run"],
        "simulated": simulated,
        **vars(options),
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "cluster.json").write_text(json.dumps(told, indent=2) + "\n")
    print(f"{'':12}{'p50 ms':>10}{'p95 ms':>10}")
    for name, figures in (("embedded", embedded), ("over NATS", over_nats)):
        print(f"{name:12}{figures['p50_ms']:>10}{figures['p95_ms']:>10}")
    print(f"The way over NATS costs {costs} ms at p50.\n")
    show(rates)
    print(
        f"{options.processes} processes of the service, {options.nodes} nodes of {options.slots} slots that answer at once: "
        "what was offered together ends together, but «apart»."
    )
    for way, found in zip(ways, simulated, strict=True):
        simulation.show(way, found["rows"], statistics.mean(times))


def show(rates: dict[str, dict[str, Any]]) -> None:
    """Print a table of the rates and the CPU time per judging."""
    parts = ("service", "nodes", "nats", "postgresql", "all")
    print(f"{'':12}{'judgings/s':>12}" + "".join(f"{f'{part} ms':>15}" for part in parts))
    for kind, found in rates.items():
        spent = "".join(f"{found['processor_ms'][part]:>15.2f}" for part in parts)
        print(f"{kind:12}{found['per_second']:>12}{spent}")


if __name__ == "__main__":
    main()
