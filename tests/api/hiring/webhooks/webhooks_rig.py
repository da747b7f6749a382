"""Provides a local receiver of webhooks. Also creates the webhooks and tokens that the tests of roles need."""

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from sqlalchemy import update

from api.hiring.webhooks.models import WebhookDelivery
from api.hiring.webhooks.signing import signature
from tests.api.running_service import WITHIN_S, Service

OF_HOOKS, OF_TOKENS = "/api/teams/{team_id}/webhooks", "/api/teams/{team_id}/tokens"
EVERYTHING = ["participation.started", "participation.finished", "participation.judged"]
HOOK: dict[str, Any] = {"url": "https://ats.example.org/gradus", "events": EVERYTHING}
CONNECTIONS: dict[str, dict[str, Any]] = {
    f"POST {OF_HOOKS}": HOOK,
    f"PUT {OF_HOOKS}/{{webhook_id}}": {**HOOK, "on": True},
    f"POST {OF_TOKENS}": {"name": "Recruiting", "scopes": ["invite", "read_results"]},
    "POST /api/tracking/assessments/{assessment_id}/invitations": {"reference": "4711", "email": "", "name": "Eve"},
}


async def connected(service: Service, owner: httpx.AsyncClient, route: str, team: str) -> dict[str, str]:
    """Create the webhook, the delivery or the token whose id the route's path contains, if any. Return the created ids by the
    name of their path parameter.
    """
    found = {}
    if "{webhook_id}" in route:
        made = await owner.post(OF_HOOKS.format(team_id=team), json=HOOK)
        found["webhook_id"] = made.json()["id"]
    if "{delivery_id}" in route:
        path = f"{OF_HOOKS.format(team_id=team)}/{found['webhook_id']}/test"
        found["delivery_id"] = (await owner.post(path)).json()["id"]
        async with service.state.db.write() as session:
            await session.execute(update(WebhookDelivery).values(status="failed"))
    if "{team_token_id}" in route:
        made = await owner.post(OF_TOKENS.format(team_id=team), json=CONNECTIONS[f"POST {OF_TOKENS}"])
        found["team_token_id"] = made.json()["id"]
    return found


@dataclass(frozen=True)
class Message:
    """A request that the receiver got."""

    headers: dict[str, str]
    body: str

    @property
    def told(self) -> dict[str, Any]:
        """The JSON body, decoded."""
        read: dict[str, Any] = json.loads(self.body)
        return read

    def signed_by(self, secret: str) -> bool:
        """Return whether the signature is valid. The check is the same as in the example code in docs/connections.md."""
        at = int(self.headers["webhook-timestamp"])
        expected = signature(secret, self.headers["webhook-id"], at, self.body)
        return expected in self.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    """A server that stores the messages that it receives. It answers a message with the next raw response in `answers`, or with
    status 204 if there is none.
    """

    port: int = 0
    messages: list[Message] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Receive one message and answer it."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
        body = (await reader.readexactly(int(headers["content-length"]))).decode()
        self.messages.append(Message(headers, body))
        answer = self.answers.pop(0) if self.answers else "204 No Content\r\n\r\n"
        with contextlib.suppress(ConnectionError):
            if answer:
                writer.write(f"HTTP/1.1 {answer}".encode())
                await writer.drain()
            writer.close()

    async def wait_for(self, count: int) -> Message:
        """Wait until this many messages have arrived. Return the last of them."""
        async with asyncio.timeout(WITHIN_S):
            while len(self.messages) < count:
                await asyncio.sleep(0.02)
        return self.messages[count - 1]


@contextlib.asynccontextmanager
async def receiver(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Run the receiver until the `with` block ends."""
    one = Receiver()
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0, ssl=tls)
    one.port = server.sockets[0].getsockname()[1]
    try:
        yield one
    finally:
        server.close()
