"""Runs a service with a real nats-server, and nodes that join it as separate processes."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from api.judging.nodes import tokens
from grader.node.nats_connection import NATS_ERRORS
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.live import ROOT
from tests.nats_server import NatsServer, nats_server

# A test fails if it waits longer than this many seconds for the service or a node. The limit is high, because other work can
# slow this machine down.
WITHIN_S = 120
Result = TypeVar("Result")


async def patiently(deed: Callable[[], Awaitable[Result]]) -> Result:
    """Call `deed` until it succeeds, because the service may not listen for messages of nodes yet. Raise the last error after
    WITHIN_S seconds.
    """
    until = time.monotonic() + WITHIN_S
    while True:
        try:
            return await deed()
        except NATS_ERRORS:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.1)


@dataclass
class Place:
    """The service, its nats-server and its nodes."""

    service: Service
    server: NatsServer
    home: Path
    running: contextlib.AsyncExitStack
    nodes: list["subprocess.Popen[str]"] = field(default_factory=list)

    async def token(self, name: str) -> str:
        """Create a token for a node of this name."""
        async with self.service.state.db.write() as session:
            return await tokens.make(session, name)

    async def start(self, name: str, *more: str, token: str = "", wait: bool = True) -> "subprocess.Popen[str]":
        """Start a node that returns verdicts immediately, without running answers. Unless `wait` is false, wait until the
        service can give the node jobs.
        """
        token = token or await self.token(name)
        command = [sys.executable, "-m", "tests.instant_node", "--url", self.server.open_url, "--token", token]
        node = subprocess.Popen(
            [*command, "--data", str(self.home / name), *more], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.nodes.append(node)
        if wait:
            await self.until(lambda: self.size(name) > 0)
        return node

    def size(self, name: str) -> int:
        """Return the number of slots of a node. It is 0 if the service can give the node no jobs."""
        return sum(node.size for node in self.service.state.dispatcher.nodes.all() if node.name == name)

    def judging(self, name: str) -> int:
        """Return the number of running jobs that a node has accepted."""
        found = [node for node in self.service.state.dispatcher.nodes.all() if node.name == name]
        return sum(run.accepted_at is not None for node in found for run in node.running.values())

    async def until(self, condition: Any) -> None:
        """Wait until the condition is true."""
        async with asyncio.timeout(WITHIN_S):
            while not condition():
                await asyncio.sleep(0.02)

    async def judged(self, person: Person, identifier: str) -> dict[str, Any]:
        """Wait until a submission is judged, and return it."""
        async with asyncio.timeout(WITHIN_S):
            while (told := await person.get(identifier))["status"] != "judged":
                await asyncio.sleep(0.05)
        return told

    async def verdict(self, person: Person, identifier: str) -> tuple[str, int]:
        """Wait until a submission is judged. Return its verdict and attempt."""
        told = await self.judged(person, identifier)
        return told["verdict"], told["attempt"]

    async def ended(self, node: "subprocess.Popen[str]") -> tuple[int, str]:
        """Wait until a node ends. Return its exit code and the rest of its output."""
        await self.until(lambda: node.poll() is not None)
        assert node.stdout is not None
        return node.returncode, node.stdout.read()


def settings_at(server: NatsServer, home: Path, **more: Any) -> Any:
    """Return settings of a service that writes the nats-server's users file."""
    return settings_in(home, nats_url=server.url, nats_users=server.users, **more)


@contextlib.asynccontextmanager
async def place(home: Path, **more: Any) -> AsyncIterator[Place]:
    """Run a service that is connected to its own nats-server, and end its nodes when the `with` block ends."""
    write_challenge(home / "challenges")
    with nats_server(home / "nats") as server:
        async with contextlib.AsyncExitStack() as stack:
            service = await stack.enter_async_context(running(settings_at(server, home, **more)))
            made = Place(service, server, home, stack)
            try:
                yield made
            finally:
                for node in made.nodes:
                    node.kill()
                    node.wait()
                    assert node.stdout is not None
                    node.stdout.close()
