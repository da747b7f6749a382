"""Runs the real service on a real port, with a temporary database, and provides clients for it."""

import asyncio
import contextlib
import json
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from api.app import create_app
from api.kit.http.server import server_config
from api.settings import Settings
from tests import postgres, sqlite
from tests.api.application_state import State, state_of
from tests.api.scripted_node import ScriptedNode, dial
from tests.api.serving import Server

WITHIN_S = 10
# All clients get this context. They never use TLS, and without it, each client would read the system's certificates, which
# takes longer than most tests.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
SOURCE = "def add_one(x):\n    return x + 1\n"


SHORT_INTERVALS = {"poll_s": 0.1, "sweep_s": 0.1, "fault_pause_s": 0.01, "node_drain_s": 0.3}


def settings_in(folder: Path, **more: Any) -> Settings:
    """Return settings for a test: everything in one folder, no local node, short intervals."""
    values: dict[str, Any] = {
        "data_dir": folder / "var",
        "challenges_dir": folder / "challenges",
        "web_dir": folder / "web",
        "serve_unproven": True,
        "local_node": False,
        **SHORT_INTERVALS,
        "registrations_per_hour": 1000,
    }
    if postgres.WANTED and "database_url" not in more:
        values["database_url"] = postgres.database_of(folder)
    return Settings(**{**values, **more})


def benchmark_settings_in(folder: Path, **more: Any) -> Settings:
    """Return settings for a benchmark: as for a test, but with the intervals that are shipped. With the short ones, background
    tasks use a sixth of a CPU.
    """
    shipped = {name: Settings.model_fields[name].default for name in SHORT_INTERVALS}
    return settings_in(folder, **shipped, **more)


@dataclass
class Person:
    """A client with the session cookie of an account."""

    http: httpx.AsyncClient
    email: str = ""

    async def send(self, slug: str = "add-one", kind: str = "submit", **more: Any) -> dict[str, Any]:
        """Send an answer. Return the submission. The source is SOURCE unless `source` is given."""
        body = {"slug": slug, "kind": kind, "source": SOURCE, **more}
        answer = await self.http.post("/api/submissions", json=body)
        assert answer.status_code in (200, 201), answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def get(self, submission_id: str) -> dict[str, Any]:
        """Return a submission in its current state."""
        answer = await self.http.get(f"/api/submissions/{submission_id}")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def until(self, submission_id: str, status: str) -> dict[str, Any]:
        """Wait until the submission has this status. Return the submission."""
        async with asyncio.timeout(WITHIN_S):
            while (told := await self.get(submission_id))["status"] != status:
                await asyncio.sleep(0.02)
        return told

    async def events(self, submission_id: str, last: str | None = None) -> list[dict[str, Any]]:
        """Return every event of a stream, up to its end."""
        return [event async for event in self.follow(submission_id, last)]

    async def follow(self, submission_id: str, last: str | None = None) -> AsyncGenerator[dict[str, Any], None]:
        """Yield events as they arrive, each with its id, its name and its data."""
        headers = {"Last-Event-ID": last} if last else {}
        async with (
            asyncio.timeout(WITHIN_S),
            self.http.stream("GET", f"/api/submissions/{submission_id}/events", headers=headers) as answer,
        ):
            assert answer.status_code == 200
            event: dict[str, Any] = {}
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                if line and name:
                    event[name] = json.loads(value) if name == "data" else value
                elif "data" in event:
                    yield event
                    event = {}


@dataclass
class Service:
    """A running service. Its clients and nodes are closed when it stops."""

    settings: Settings
    state: State
    url: str
    clients: list[httpx.AsyncClient] = field(default_factory=list)
    nodes: list[ScriptedNode] = field(default_factory=list)

    def client(self, **more: Any) -> httpx.AsyncClient:
        """Return a client without cookies."""
        client = httpx.AsyncClient(base_url=self.url, timeout=WITHIN_S, trust_env=False, verify=NO_TLS, **more)
        self.clients.append(client)
        return client

    async def person(self, name: str = "ada") -> Person:
        """Register a new account."""
        person = Person(self.client(), f"{name}@example.org")
        body = {"email": person.email, "name": name, "password": "ten characters"}
        answer = await person.http.post("/api/accounts", json=body)
        assert answer.status_code == 201, answer.text
        return person

    async def admin(self) -> Person:
        """Register the first admin."""
        person = Person(self.client(), "root@example.org")
        token = self.state.limits.new_setup_token()
        body = {"token": token, "email": person.email, "name": "root", "password": "ten characters"}
        answer = await person.http.post("/api/setup", json=body)
        assert answer.status_code == 201, answer.text
        return person

    async def node(self, name: str = "node-1", **more: Any) -> ScriptedNode:
        """Connect a node. Return it once the service has registered it."""
        node = await dial(self.settings.socket, name, **more)
        self.nodes.append(node)
        async with asyncio.timeout(WITHIN_S):
            while name not in [known.name for known in self.state.dispatcher.nodes.all()]:
                await asyncio.sleep(0.01)
        return node


@contextlib.asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Service]:
    """Run a service until the `with` block ends."""
    sqlite.furnish(settings.database)
    app = create_app(settings)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = Server(server_config(app, settings, timeout_graceful_shutdown=3))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    service = Service(settings, state_of(app), f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        async with asyncio.timeout(WITHIN_S):
            while not server.started:
                assert not serving.done(), "the service ended while it was starting"
                await asyncio.sleep(0.01)
        yield service
    finally:
        for client in service.clients:
            await client.aclose()
        for node in service.nodes:
            node.kill()
        service.state.hub.close()
        server.should_exit = True
        await serving
        listening.close()
