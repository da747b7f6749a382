"""Provides a client of a room's WebSocket, as the web client is one: with a document of its own, which it keeps while it has no
connection.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from pycrdt import Decoder, Doc, Text, TransactionEvent
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from api.hiring.room_documents import protocol
from api.hiring.room_documents.document import name_of
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in

WITHIN_S = 20


@dataclass
class Editor:
    """A page in which somebody edits the document of a room. `headers` has the cookie of the person."""

    url: str
    headers: dict[str, str]
    position: int = 1
    doc: "Doc[Text]" = field(default_factory=Doc)
    told: list[str] = field(default_factory=list)
    cursors: list[bytes] = field(default_factory=list)
    closed: tuple[int, str] | None = None
    socket: ClientConnection | None = None
    _sent: int = 0
    _saved: int = 0
    _synced: bool = False
    _remote: bool = False
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    _outgoing: "asyncio.Queue[bytes]" = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.text = self.doc.get(name_of(self.position), type=Text)
        self._subscription = self.doc.observe(self._changed)

    def _changed(self, event: TransactionEvent) -> None:
        """Send what was written here. Without a connection it is sent by the next one, which compares both documents."""
        if not self._remote and self._synced:
            self._outgoing.put_nowait(protocol.sync(protocol.UPDATE, event.update))

    @property
    def is_saved(self) -> bool:
        return self._synced and self._outgoing.empty() and self._sent == self._saved

    async def open(self) -> "Editor":
        """Connect, and begin to exchange changes."""
        self.closed, self._sent, self._saved, self._synced = None, 0, 0, False
        self._outgoing = asyncio.Queue()
        self.socket = await connect(self.url, additional_headers=self.headers, max_size=None, compression=None)
        self._outgoing.put_nowait(protocol.sync(protocol.STATE, self.doc.get_state()))
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        return self

    async def keep_open(self) -> None:
        """Stay connected until the task is cancelled: connect again after each lost connection."""
        while True:
            with contextlib.suppress(OSError, InvalidHandshake):
                await self.open()
                await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.sleep(0.1)

    def cut(self) -> None:
        """Lose the network: the connection ends without a farewell."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self.socket is not None:
            await self.socket.close()

    async def send(self, message: bytes) -> None:
        """Send any message."""
        assert self.socket is not None
        await self.socket.send(message)

    def type(self, text: str, at: int | None = None) -> None:
        """Write text, at the end unless a place is given. Like the library, `at` counts bytes of UTF-8."""
        self.text.insert(len(self.text) if at is None else min(at, len(self.text)), text)

    async def _write(self) -> None:
        assert self.socket is not None
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = await self._outgoing.get()
                if message[:2] in (b"\x00\x01", b"\x00\x02"):
                    self._sent += 1
                await self.socket.send(message)

    async def _read(self) -> None:
        assert self.socket is not None
        try:
            while True:
                message = await self.socket.recv()
                assert isinstance(message, bytes)
                self._handle(message)
        except ConnectionClosed as error:
            received = error.rcvd
            self.closed = (received.code, received.reason) if received else (1006, "")
            self._synced = False
            self._tasks[1].cancel()

    def _handle(self, message: bytes) -> None:
        decoder = Decoder(message)
        kind = decoder.read_var_uint()
        if kind == protocol.SYNC:
            step, data = decoder.read_var_uint(), decoder.read_message()
            assert data is not None
            if step == protocol.STATE:
                self._outgoing.put_nowait(protocol.sync(protocol.MISSING, self.doc.get_update(data)))
                self._synced = True
            else:
                self._remote = True
                try:
                    self.doc.apply_update(data)
                finally:
                    self._remote = False
        elif kind == protocol.AWARENESS:
            self.cursors.append(decoder.read_message() or b"")
        elif kind == protocol.SAVED:
            self._saved = decoder.read_var_uint()
        elif kind == protocol.CHANGED:
            self.told.append((decoder.read_message() or b"").decode())


async def until(condition: Callable[[], Any], within_s: float = WITHIN_S) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(within_s):
        while not condition():
            await asyncio.sleep(0.01)


def cookies_of(client: httpx.AsyncClient | httpx.Client) -> dict[str, str]:
    """Return the header with a client's cookies."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}


def socket_url(url: str, room_id: str) -> str:
    return f"{url.replace('http', 'ws', 1)}/api/rooms/{room_id}/socket"


@dataclass
class RoomRig:
    """A team that Ada owns, and the room that was created last."""

    service: Service
    owner: Person
    team: str
    room: str = ""
    links: dict[str, str] = field(default_factory=dict)
    editors: list[Editor] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"/api/rooms/{self.room}"

    async def create(self, **more: Any) -> None:
        """Create a room, and show its first challenge."""
        body = {"title": "Second round", "challenges": ["add-one"], **more}
        made = await self.owner.http.post(f"/api/teams/{self.team}/rooms", json=body)
        assert made.status_code == 201, made.text
        told = made.json()
        self.room = told["room_id"]
        self.links = {role: told[role].partition("#")[2] for role in ("candidate", "observer")}

    async def show(self, name: str = "add-one") -> None:
        answer = await self.owner.http.post(f"{self.path}/challenge", json={"name": name})
        assert answer.status_code == 200, answer.text

    async def enter(self, role: str, name: str) -> httpx.AsyncClient:
        """Enter the room in a new browser."""
        client = self.service.client()
        answer = await client.post("/api/room-links/enter", json={"token": self.links[role], "name": name})
        assert answer.status_code == 200, answer.text
        return client

    async def edit(self, client: httpx.AsyncClient, position: int = 1) -> Editor:
        """Open the page of the room."""
        editor = Editor(socket_url(self.service.url, self.room), cookies_of(client), position)
        self.editors.append(await editor.open())
        return editor

    async def view(self, client: httpx.AsyncClient) -> dict[str, Any]:
        answer = await client.get(self.path)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


async def shown_room(service: Service) -> RoomRig:
    """Create a team with a room in which the challenge add-one is shown."""
    owner = await service.person()
    team = (await owner.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
    rig = RoomRig(service, owner, team)
    await rig.create()
    await rig.show()
    return rig


@contextlib.asynccontextmanager
async def rooms_in(home: Path) -> AsyncIterator[RoomRig]:
    """Run the service with a room in which the challenge add-one is shown."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, sweep_s=60)) as service:
        rig = await shown_room(service)
        yield rig
        for editor in rig.editors:
            await editor.close()
