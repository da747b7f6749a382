"""Measures how quickly a real server accepts submissions that a client in another process sends at a steady rate.

    python -m tests.bench.post_submission [--rate 100] [--seconds 20]

Prints p50, p95 and the achieved rate, and writes var/bench/post_submission.json.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import benchmark_settings_in, running

GOAL_P95_MS = 25.0
WARM_UP, CONNECTIONS = 50, 16
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def main() -> None:
    """Run the benchmark once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--judging", action="store_true", help="a node judges everything at the same time")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        told = asyncio.run(measure(Path(folder), chosen))
    print(json.dumps(told, indent=2))
    target = Path("var/bench/post_submission.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(told, indent=2) + "\n")


async def measure(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Run the server in this process, and send submissions from another one. Return the rate, the response times and the CPU
    time.
    """
    write_challenge(folder / "challenges")
    unlimited = 10**6
    settings = benchmark_settings_in(
        folder,
        requests_per_minute=unlimited,
        unfinished_per_account=unlimited,
        submissions_per_minute=unlimited,
        submissions_per_challenge_a_day=unlimited,
        queue_limit=unlimited,
    )
    async with running(settings) as service:
        ada = await service.person()
        token = (await ada.http.post("/api/me/tokens", json={"name": "bench"})).json()["token"]
        node = await service.node(slots=8) if chosen.judging else None
        judging = asyncio.create_task(judge_all(node)) if node else None
        used_s = time.process_time()
        times, took_s = await asyncio.to_thread(send_elsewhere, service.url, token, chosen)
        used_s = time.process_time() - used_s
        if judging:
            judging.cancel()
    told = report(times, took_s, chosen)
    return {**told, "service_cpu_ms_each": round(1000 * used_s / (len(times) + WARM_UP), 2)}


async def judge_all(node: Any) -> None:
    """Judge all jobs immediately, until cancelled."""
    await node.ready(other=8)
    while True:
        job = await node.take()
        await node.judge(job)
        await node.ready(other=8)


def send_elsewhere(url: str, token: str, chosen: argparse.Namespace) -> tuple[list[float], float]:
    """Send submissions from another process. Return the response times in ms, and the total time in seconds."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(sender, (url, token, chosen.rate, chosen.seconds))


def sender(url: str, token: str, rate: float, seconds: float) -> tuple[list[float], float]:
    """Send at a steady rate, without waiting for earlier answers. A response time counts from the moment at which the request
    was due. Return the response times in ms, and the total time in seconds.
    """
    return asyncio.run(_send_all(url, token, rate, int(rate * seconds)))


async def _send_all(url: str, token: str, rate: float, count: int) -> tuple[list[float], float]:
    # This uses plain streams, because a client library would use more CPU time than the service.
    host, port = url.removeprefix("http://").split(":")
    free: asyncio.Queue[Line] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection(host, int(port)))
    for number in range(WARM_UP):
        await _send(free, request_of(token, -number - 1), time.perf_counter())
    begin = time.perf_counter()
    sending = []
    for number in range(count):
        due = begin + number / rate
        await asyncio.sleep(max(0, due - time.perf_counter()))
        sending.append(asyncio.create_task(_send(free, request_of(token, number), due)))
    times = list(await asyncio.gather(*sending))
    took_s = time.perf_counter() - begin
    while not free.empty():
        free.get_nowait()[1].close()
    return times, took_s


def request_of(token: str, number: int) -> bytes:
    """Return the bytes of an HTTP request with a submission. `number` makes its source unique."""
    source = f"# {number}\n" + "def add_one(x):\n    return x + 1\n" * 30
    body = json.dumps({"slug": "add-one", "kind": "submit", "source": source}).encode()
    head = (
        f"POST /api/submissions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _send(free: asyncio.Queue[Line], request: bytes, due: float) -> float:
    reader, writer = await free.get()
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 201"):
        raise RuntimeError(head.decode())
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)
    free.put_nowait((reader, writer))
    return (time.perf_counter() - due) * 1000


def report(times: list[float], took_s: float, chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the achieved rate, the response times in ms, and facts about the machine."""
    ordered = sorted(times)
    p95 = ordered[int(0.95 * len(ordered))]
    return {
        "what": "POST /api/submissions on SQLite, from due time to 201",
        "sent": len(times),
        "wanted_per_s": chosen.rate,
        "reached_per_s": round(len(times) / took_s, 1),
        "p50_ms": round(ordered[len(ordered) // 2], 2),
        "p95_ms": round(p95, 2),
        "max_ms": round(ordered[-1], 2),
        "goal_p95_ms": GOAL_P95_MS,
        "met": p95 <= GOAL_P95_MS,
        "judging_meanwhile": chosen.judging,
        "cpus": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    main()
