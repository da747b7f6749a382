"""Provides a node that a test controls. It uses the real transport over a real Unix socket."""

import asyncio
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grader.contract import transport
from grader.contract.job import Job, Judgement, TestResult, Verdict

WITHIN_S = 10
TITLES = {"test_zero": 1, "test_secret_number": 2, "test_marked_but_not_locked": 1}
_to_node: msgspec.json.Decoder[Any] = msgspec.json.Decoder(transport.ToNode)


def result_of(name: str, verdict: Verdict = Verdict.AC, message: str = "") -> TestResult:
    """Return the result of a test of the add-one challenge."""
    return TestResult(
        id=name,
        title=name,
        points=TITLES.get(name, 1),
        sample=name == "test_zero",
        attested=False,
        verdict=verdict,
        seconds=0.01,
        message=message,
        stdout="printed",
    )


def judgement_of(job: Job, verdict: Verdict | None = Verdict.AC, **more: Any) -> Judgement:
    """Return a judgement with this verdict. If the verdict is not AC, only the last test has it, and all other tests pass."""
    names = [name for name in TITLES if job.kind == "submit" or name == "test_zero"]
    tests = [result_of(name) for name in names]
    if verdict not in (Verdict.AC, None):
        tests[-1] = result_of(names[-1], verdict, "Look at it again.")
    points = [test.points for test in tests]
    values: dict[str, Any] = {
        "job_id": job.id,
        "token": job.token,
        "verdict": verdict,
        "score": sum(test.points for test in tests if test.verdict is Verdict.AC),
        "max_score": sum(points),
        "tests": tuple(tests),
        "seed": job.seed,
        "digest": job.digest,
        "cpu_s": 0.02,
        "wall_s": 0.05,
        "memory_mb": 12.5,
        "environment": {"torch": "2.13.0"},
    }
    return Judgement(**{**values, **more})


@dataclass
class ScriptedNode:
    """A node's connection to the service, which a test controls."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, message: transport.FromNode) -> None:
        """Send one message."""
        self.writer.write(transport.pack(message))
        await self.writer.drain()

    async def ready(self, short: int = 0, other: int = 1) -> None:
        """Report the number of free slots."""
        await self.say(transport.Ready(short=short, any=other))

    async def hear(self) -> transport.ToNode:
        """Wait for the next message of the service."""
        async with asyncio.timeout(WITHIN_S):
            (length,) = struct.unpack(">I", await self.reader.readexactly(4))
            message: transport.ToNode = _to_node.decode(await self.reader.readexactly(length))
        return message

    async def offer(self) -> Job:
        """Wait for the next job, without accepting it."""
        message = await self.hear()
        assert isinstance(message, transport.Offer), message
        return message.job

    async def take(self) -> Job:
        """Wait for the next job and accept it."""
        job = await self.offer()
        await self.say(transport.Accepted(job.id, job.token))
        return job

    async def judge(self, job: Job, verdict: Verdict | None = Verdict.AC, **more: Any) -> None:
        """Report the results of the tests one by one, then the judgement."""
        judgement = judgement_of(job, verdict, **more)
        for done, test in enumerate(judgement.tests, start=1):
            await self.say(transport.Progress(job.id, job.token, done, len(judgement.tests), test))
        await self.say(transport.Judged(judgement))

    async def silent(self, seconds: float = 0.4) -> bool:
        """Return whether the service sends nothing for this long."""
        try:
            await asyncio.wait_for(self.reader.readexactly(1), seconds)
        except TimeoutError:
            return True
        return False

    def kill(self) -> None:
        """Drop the connection without warning."""
        self.writer.transport.abort()


async def dial(
    socket: Path,
    name: str = "node-1",
    device: str = "cpu",
    slots: int = 2,
    *,
    proves: bool = False,
    measures: bool = False,
) -> ScriptedNode:
    """Connect and send Hello. A `cuda` node has a GPU for each slot."""
    reader, writer = await asyncio.open_unix_connection(socket)
    node = ScriptedNode(reader, writer)
    gpus = tuple(f"Test GPU {number}" for number in range(slots)) if device == "cuda" else ()
    lanes = {"short": 0, "any": slots}
    await node.say(transport.Hello(name, device, lanes, {"torch": "2.13.0"}, proves, gpus, measures))
    return node
