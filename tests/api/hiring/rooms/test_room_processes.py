"""Tests a room whose people are connected to two processes of the service, which share a PostgreSQL database."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.hiring.room_documents import protocol
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.rooms.room_rig import Editor, cookies_of, socket_url, until
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
WORDS = 60


@pytest.fixture
def database(home: Path) -> Iterator[str]:
    """The URL of a PostgreSQL database for both processes."""
    yield postgres.database_of(home)
    postgres.drop(home)


async def at(service: Service, cookies: dict[str, str], room: str) -> Editor:
    """Open the page of the room at one of the processes."""
    client = service.client()
    client.cookies.update(cookies)
    return await Editor(socket_url(service.url, room), cookies_of(client)).open()


async def test_two_processes_share_a_room(home: Path, database: str) -> None:
    write_challenge(home / "challenges")
    shared = {"database_url": database, "versions_dir": home / "versions", "sweep_s": 60}
    second = settings_in(home, data_dir=home / "other", **shared)
    async with running(settings_in(home, **shared)) as one, running(second) as two:
        ada = await one.person()
        team = (await ada.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
        body = {"title": "Second round", "challenges": ["add-one"]}
        made = (await ada.http.post(f"/api/teams/{team}/rooms", json=body)).json()
        room = made["room_id"]
        bob = two.client()
        entering = {"token": made["candidate"].partition("#")[2], "name": "Bob"}
        assert (await bob.post("/api/room-links/enter", json=entering)).status_code == 200
        here, there = await at(one, dict(ada.http.cookies), room), await at(two, dict(bob.cookies), room)
        await ada.http.post(f"/api/rooms/{room}/challenge", json={"name": "add-one"})
        await until(lambda: "def add_one" in str(here.text) and "def add_one" in str(there.text))

        async def write(page: Editor, name: str) -> None:
            for number in range(WORDS):
                page.type(f"# {name} {number}\n")
                await asyncio.sleep(0.005)

        await asyncio.gather(write(here, "Ada"), write(there, "Bob"))
        await until(lambda: here.is_saved and there.is_saved)
        await until(lambda: str(here.text) == str(there.text))
        lines = str(here.text).splitlines()
        for name in ("Ada", "Bob"):
            assert [line for line in lines if line.startswith(f"# {name}")] == [
                f"# {name} {number}" for number in range(WORDS)
            ]
        await there.send(protocol.awareness(b"\x01\x05\x01\x02{}"))
        await until(lambda: any(b"Bob" in each for each in here.cursors))
        sent = await ada.http.post(f"/api/rooms/{room}/submissions", json={"kind": "run"})
        assert sent.status_code == 201, sent.text
        assert (await ada.http.post(f"/api/rooms/{room}/end")).status_code == 200
        await until(lambda: here.closed and there.closed)
        await here.close()
        await there.close()
