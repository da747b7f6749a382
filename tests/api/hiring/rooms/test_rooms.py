"""Tests live interviews: who may enter a room and do what in it, and that all see the same code."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from pycrdt import Decoder, Encoder, Map
from sqlalchemy import func, select, update
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from api.hiring.participations.deadline_sweeper import sweep_versions
from api.hiring.room_documents import protocol, store
from api.hiring.room_records.models import Room, RoomSnapshot, RoomUpdate
from api.hiring.room_records.retention import erase_old_rooms
from api.identity.accounts.models import Account
from api.kit.db.database import now
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.rooms.room_rig import Editor, cookies_of, socket_url, until
from tests.api.hiring.taking_rig import code_of
from tests.api.running_service import Person, Service, running, settings_in

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


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


@pytest.fixture
async def rig(home: Path) -> AsyncIterator[RoomRig]:
    """A room in which the challenge add-one is shown."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, sweep_s=60)) as service:
        owner = await service.person()
        team = (await owner.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
        rig = RoomRig(service, owner, team)
        await rig.create()
        await rig.show()
        yield rig
        for editor in rig.editors:
            await editor.close()


async def test_all_edit_one_document(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    await until(lambda: "def add_one" in str(ada_page.text) and "def add_one" in str(bob_page.text))
    bob_page.type("# π and 😀 by Bob\n", at=0)
    ada_page.type("# by Ada\n")
    both = ("# π and 😀 by Bob", "# by Ada")
    await until(lambda: all(each in str(ada_page.text) and each in str(bob_page.text) for each in both))
    assert str(ada_page.text) == str(bob_page.text)
    await until(lambda: ada_page.is_saved and bob_page.is_saved)
    late = await rig.edit(bob)
    await until(lambda: str(late.text) == str(bob_page.text))


async def test_an_observer_reads_and_cannot_write(rig: RoomRig) -> None:
    eve = await rig.enter("observer", "Eve")
    ada_page, eve_page = await rig.edit(rig.owner.http), await rig.edit(eve)
    ada_page.type("# for Eve\n")
    await until(lambda: "# for Eve" in str(eve_page.text))
    eve_page.type("# by Eve\n")
    ada_page.type("# after it\n")
    await until(lambda: "# after it" in str(eve_page.text))
    assert "by Eve" not in str(ada_page.text)
    assert "by Eve" not in str((await rig.edit(rig.owner.http)).text)
    assert code_of(await eve.post(f"{rig.path}/submissions", json={"kind": "run"})) == (403, "role_forbids")


async def test_only_interviewers_decide_what_is_shown_and_read_what_is_private(rig: RoomRig) -> None:
    await rig.owner.http.post(f"{rig.path}/notes", json={"text": "Asks good questions."})
    for role in ("candidate", "observer"):
        guest = await rig.enter(role, "Bob")
        for method, path, body in (
            ("POST", "challenge", {"name": "add-one"}),
            ("PUT", "extension", {"text": "More."}),
            ("PUT", "timer", {"seconds": 60}),
            ("POST", "end", None),
            ("GET", "review", None),
            ("POST", "notes", {"text": "Mine."}),
            ("PUT", "scores/0", {"level": 4}),
            ("GET", "transcript", None),
            ("GET", "replay/1", None),
        ):
            answer = await guest.request(method, f"{rig.path}/{path}", json=body)
            assert code_of(answer) == (403, "role_forbids"), path
        told = await rig.view(guest)
        assert (told["role"], told["team_id"]) == (role, None)
        assert "good questions" not in json.dumps(told)


async def test_what_is_private_is_told_to_interviewers_only(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    await until(lambda: "private" in ada_page.told and "room" in bob_page.told)
    ada_page.told.clear()
    bob_page.told.clear()
    noted = await rig.owner.http.post(f"{rig.path}/notes", json={"text": "Asks good questions."})
    assert noted.status_code == 201, noted.text
    await rig.owner.http.put(f"{rig.path}/extension", json={"text": "Now for a **batch**."})
    await until(lambda: ada_page.told.count("private") >= 1 and "room" in bob_page.told)
    assert "private" not in bob_page.told
    assert (await rig.view(bob))["extension"] == "Now for a **batch**."


async def test_nobody_else_gets_in(rig: RoomRig) -> None:
    stranger, nobody = await rig.service.person("mallory"), rig.service.client()
    assert code_of(await stranger.http.get(rig.path)) == (404, "room_not_found")
    assert code_of(await nobody.get(rig.path)) == (401, "not_signed_in")
    wrong = await nobody.post("/api/room-links/enter", json={"token": "room_wrong", "name": "Mallory"})
    assert code_of(wrong) == (404, "bad_room_link")
    for client in (stranger.http, nobody):
        page = await rig.edit(client)
        await until(lambda page=page: page.closed is not None)  # type: ignore[misc]
        assert page.closed is not None
        assert page.closed[0] == 4403
    # The cookie of one room opens no other.
    bob, first = await rig.enter("candidate", "Bob"), rig.path
    await rig.create()
    assert (await bob.get(first)).status_code == 200
    assert code_of(await bob.get(rig.path)) == (401, "not_signed_in")


async def test_a_page_of_another_site_cannot_connect(rig: RoomRig) -> None:
    headers = {**cookies_of(rig.owner.http), "Origin": "https://evil.example"}
    with pytest.raises(InvalidStatus) as refused:
        await connect(socket_url(rig.service.url, rig.room), additional_headers=headers)
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus):
        await connect(rig.service.url.replace("http", "ws") + "/nowhere")


async def test_new_links_replace_the_old_ones(rig: RoomRig) -> None:
    old = dict(rig.links)
    made = await rig.owner.http.post(f"/api/teams/{rig.team}/rooms/{rig.room}/links")
    assert made.status_code == 200, made.text
    entered = await rig.service.client().post("/api/room-links/enter", json={"token": old["candidate"], "name": "Bob"})
    assert code_of(entered) == (404, "bad_room_link")
    rig.links = {"observer": made.json()["observer"].partition("#")[2]}
    offer = await rig.service.client().post("/api/room-links/read", json={"token": rig.links["observer"]})
    assert (offer.json()["role"], offer.json()["team"]) == ("observer", "Tensor people")
    await rig.enter("observer", "Eve")


async def test_the_end_closes_the_room(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    bob_page.type(RIGHT)
    await until(lambda: bob_page.is_saved)
    ended = await rig.owner.http.post(f"{rig.path}/end")
    assert ended.json()["ended_at"]
    await until(lambda: ada_page.closed and bob_page.closed)
    assert bob_page.closed == (4410, "The interview has ended.")
    assert code_of(await bob.get(rig.path)) == (410, "room_ended")
    again = await rig.service.client().post(
        "/api/room-links/enter", json={"token": rig.links["candidate"], "name": "Bob"}
    )
    assert code_of(again) == (410, "room_ended")
    assert code_of(await rig.owner.http.put(f"{rig.path}/timer", json={"seconds": 60})) == (410, "room_ended")
    # The interviewers keep the code, and may still write notes.
    assert (await rig.owner.http.post(f"{rig.path}/notes", json={"text": "Hire."})).status_code == 201
    steps = (await rig.owner.http.get(f"{rig.path}/replay/1")).json()["steps"]
    assert RIGHT in "".join(step["text"] for step in steps)


async def test_the_shared_code_is_judged_and_all_see_the_result(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    page = await rig.edit(bob)
    await until(lambda: "def add_one" in str(page.text))
    del page.text[0 : len(page.text)]
    page.type(RIGHT)
    await until(lambda: page.is_saved)
    sent = await bob.post(f"{rig.path}/submissions", json={"kind": "submit"})
    assert sent.status_code == 201, sent.text
    submission = sent.json()["id"]
    node = await rig.service.node()
    await node.ready()
    job = await node.take()
    assert job.source == RIGHT
    follower = asyncio.create_task(_followed(bob, f"{rig.path}/submissions/{submission}/events"))
    await node.judge(job, Verdict.AC)
    assert (await follower)[-1] == "judged"
    async with asyncio.timeout(10):
        while (found := (await rig.owner.http.get(f"{rig.path}/submissions/{submission}")).json())["verdict"] is None:
            await asyncio.sleep(0.02)
    assert found["verdict"] == "AC"
    told = await rig.view(rig.owner.http)
    assert [(each["submission"]["verdict"], each["position"]) for each in told["sent"]] == [("AC", 1)]
    assert told["sent"][0]["by"] == (await rig.view(bob))["you"]
    events = (await rig.owner.http.get(f"{rig.path}/transcript")).json()["events"]
    assert [each["submission"]["verdict"] for each in events if each["kind"] == "submit"] == ["AC"]
    # It belongs to the room, and to nobody's account.
    assert (await rig.owner.http.get("/api/submissions")).json()["items"] == []
    assert code_of(await rig.owner.http.get(f"/api/submissions/{submission}")) == (404, "submission_not_found")


async def _followed(client: httpx.AsyncClient, path: str) -> list[str]:
    async with asyncio.timeout(10), client.stream("GET", path) as answer:
        return [line.removeprefix("event: ") async for line in answer.aiter_lines() if line.startswith("event: ")]


async def test_each_challenge_keeps_its_code(rig: RoomRig) -> None:
    write_challenge(rig.service.settings.challenges_dir, slug="add-two")
    await asyncio.to_thread(rig.service.state.store.reload)
    bob = await rig.enter("candidate", "Bob")
    first = await rig.edit(bob)
    first.type("# mine\n")
    await until(lambda: first.is_saved)
    await rig.owner.http.put(f"{rig.path}/extension", json={"text": "Now for a batch."})
    await rig.show("add-two")
    told = await rig.view(bob)
    assert (told["position"], told["challenge"]["slug"], told["extension"]) == (2, "add-two", "")
    second = await rig.edit(bob, position=2)
    await until(lambda: len(second.text) > 0)
    await rig.show("add-one")
    assert (await rig.view(bob))["position"] == 1
    again = await rig.edit(bob)
    await until(lambda: "# mine" in str(again.text))
    assert str(again.text).count("def add_one") == 1, "the starter code is written once"
    unknown = await rig.owner.http.post(f"{rig.path}/challenge", json={"name": "nothing"})
    assert code_of(unknown) == (404, "challenge_not_found")


async def test_the_replay_has_authors_and_every_edit(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    await until(lambda: len(ada_page.text) > 0 and len(bob_page.text) > 0)
    for place, letter in enumerate("# 😀é\n"):
        bob_page.type(letter, at=len("# 😀é\n"[:place].encode()))
        await until(lambda: bob_page.is_saved)
    del ada_page.text[0:2]
    await until(lambda: ada_page.is_saved)
    ada_page.type("ok: ", at=0)
    await until(lambda: ada_page.is_saved)
    answer = await rig.owner.http.get(f"{rig.path}/replay/1")
    steps = answer.json()["steps"]
    units = b""
    for step in steps:
        put = step["text"].encode("utf-16-le")
        units = units[: 2 * step["from"]] + put + units[2 * step["to"] :]
    assert units.decode("utf-16-le") == str(ada_page.text) == str(bob_page.text)
    people = {each["id"]: each["name"] for each in (await rig.view(rig.owner.http))["people"]}
    assert [people.get(step["by"]) for step in steps] == [None, *["Bob"] * 5, "ada", "ada"]


async def test_notes_and_scores_belong_to_their_writers(rig: RoomRig) -> None:
    carl = await rig.service.person("carl")
    invited = await rig.owner.http.post(
        f"/api/teams/{rig.team}/invitations", json={"email": carl.email, "role": "reviewer"}
    )
    token = invited.json()["link"].partition("#")[2]
    assert (await carl.http.post("/api/team-invitations/accept", json={"token": token})).status_code < 300
    review = (await rig.owner.http.post(f"{rig.path}/notes", json={"text": "Good."})).json()
    note = review["notes"][0]["id"]
    assert code_of(await carl.http.delete(f"{rig.path}/notes/{note}")) == (404, "not_your_note")
    await rig.owner.http.put(f"{rig.path}/scores/0", json={"level": 3})
    await rig.owner.http.put(f"{rig.path}/scores/0", json={"level": 4})
    scored = (await carl.http.put(f"{rig.path}/scores/0", json={"level": 1})).json()
    assert [(each["level"], each["yours"]) for each in scored["criteria"][0]["scores"]] == [(4, False), (1, True)]
    assert code_of(await carl.http.put(f"{rig.path}/scores/9", json={"level": 1})) == (404, "criterion_not_found")
    removed = (await carl.http.put(f"{rig.path}/scores/0", json={"level": None})).json()
    assert len(removed["criteria"][0]["scores"]) == 1
    assert (await rig.owner.http.delete(f"{rig.path}/notes/{note}")).json()["notes"] == []
    # A reviewer takes part in the interview, but creates and deletes no rooms.
    assert code_of(await carl.http.delete(f"/api/teams/{rig.team}/rooms/{rig.room}")) == (403, "role_too_low")


async def test_the_timer_and_the_transcript(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    page = await rig.edit(bob)
    await until(lambda: len(page.text) > 0)
    await rig.owner.http.put(f"{rig.path}/timer", json={"seconds": 1800})
    assert (await rig.view(bob))["timer_ends_at"]
    await rig.owner.http.put(f"{rig.path}/timer", json={"seconds": 0})
    assert (await rig.view(bob))["timer_ends_at"] is None
    await page.close()
    async with asyncio.timeout(10):
        while True:
            told = (await rig.owner.http.get(f"{rig.path}/transcript")).json()
            kinds = [each["kind"] for each in told["events"]]
            if kinds[-1] == "left":
                break
            await asyncio.sleep(0.02)
    assert kinds == ["created", "challenge", "joined", "timer", "timer", "left"]
    assert [each["minutes"] for each in told["events"] if each["kind"] == "timer"] == [30, 0]


async def test_a_deleted_room_leaves_nothing(rig: RoomRig) -> None:
    page = await rig.edit(await rig.enter("candidate", "Bob"))
    page.type(RIGHT)
    await until(lambda: page.is_saved)
    assert (await rig.owner.http.delete(f"/api/teams/{rig.team}/rooms/{rig.room}")).status_code == 204
    await until(lambda: page.closed)
    await _require_nothing_left(rig)


async def _require_nothing_left(rig: RoomRig) -> None:
    async with rig.service.state.db.read() as session:
        for table in (Room, RoomUpdate, RoomSnapshot):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
        assert await session.scalar(select(func.count()).where(Account.role == "candidate")) == 0


async def test_old_rooms_are_erased_and_others_kept(rig: RoomRig) -> None:
    db = rig.service.state.db
    assert await erase_old_rooms(db, 180) == 0
    digest = (await rig.view(rig.owner.http))["challenge"]["digest"]
    await sweep_versions(db, rig.service.state.store, older_than_s=0)
    assert rig.service.state.store.kept.get(digest) is not None
    assert await erase_old_rooms(db, -1) == 1
    await _require_nothing_left(rig)


async def test_the_document_survives_a_restart_and_has_a_snapshot(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SNAPSHOT_EVERY", 20)
    write_challenge(home / "challenges")
    async with running(settings_in(home, sweep_s=60)) as service:
        owner = await service.person()
        team = (await owner.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
        rig = RoomRig(service, owner, team)
        await rig.create()
        await rig.show()
        page = await rig.edit(owner.http)
        for number in range(50):
            page.type(f"# {number}\n")
            await until(lambda: page.is_saved)
        page.type("# the last words\n")
        text, cookie = str(page.text), dict(owner.http.cookies)
        # Nobody waits until these words are stored: the service stops.
    async with running(settings_in(home, sweep_s=60)) as service:
        client = service.client()
        client.cookies.update(cookie)
        again = Editor(socket_url(service.url, rig.room), cookies_of(client))
        await again.open()
        await until(lambda: "# 49\n" in str(again.text))
        async with service.state.db.read() as session:
            snapshot = await session.get(RoomSnapshot, rig.room)
            assert snapshot is not None
            assert 20 <= snapshot.sequence <= 51
        await page.close()
        page.url = socket_url(service.url, rig.room)
        await page.open()
        await until(lambda: str(again.text) == text)
        await again.close()
        await page.close()


def varint(number: int) -> bytes:
    encoder = Encoder()
    encoder.write_var_uint(number)
    return encoder.to_bytes()


HOSTILE = {
    "nothing": b"",
    "an unknown type": b"\x07\x01\x02",
    "cut off": protocol.sync(protocol.UPDATE, b"\x01\x01\x01")[:-2],
    "more than it says": protocol.sync(protocol.UPDATE, b"\x00\x00") + b"more",
    "not an update": protocol.sync(protocol.UPDATE, b"\x05hello, this is no update"),
    "a number of entries that would fill the memory": protocol.sync(protocol.UPDATE, varint(2**28) + bytes(30)),
    "a state that would fill the memory": protocol.sync(protocol.STATE, varint(2**60) + bytes(30)),
    "a cursor that is no JSON": protocol.awareness(b"\x01\x05\x01\x03{{{"),
    "a cursor of another form": protocol.awareness(b"\x01\x05\x01\x0d" + b'{"cursor": 5}'),
    "a large cursor": protocol.awareness(b"\x01\x05\x01" + varint(3000) + b" " * 3000),
    "a huge number of cursors": protocol.awareness(varint(2**50)),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_messages_end_the_connection_and_harm_nobody(rig: RoomRig, name: str) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    ada_page.type("# before\n")
    await until(lambda: ada_page.is_saved)
    await bob_page.send(HOSTILE[name])
    await until(lambda: bob_page.closed)
    assert bob_page.closed is not None
    assert bob_page.closed[0] == 4400
    await _still_works(rig, ada_page)


async def _still_works(rig: RoomRig, page: Editor) -> None:
    """After a hostile message the document may have been loaded again, so the page connects again if it has to."""
    await asyncio.sleep(0.1)
    if page.closed:
        await page.open()
    page.type("# and after\n")
    await until(lambda: page.is_saved)
    other = await rig.edit(rig.owner.http)
    await until(lambda: str(other.text) == str(page.text))


async def test_nothing_but_text_gets_into_the_document(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page = await rig.edit(rig.owner.http)
    await until(lambda: len(ada_page.text) > 0)
    before = str(ada_page.text)
    for spoil in ("embed", "other"):
        bob_page = await rig.edit(bob)
        await until(lambda page=bob_page: len(page.text) > 0)  # type: ignore[misc]
        if spoil == "embed":
            bob_page.text.insert_embed(0, {"image": "x"})
        else:
            bob_page.doc["secret"] = Map({"a": 1})  # type: ignore[assignment]
        await until(lambda page=bob_page: page.closed)  # type: ignore[misc]
        assert bob_page.closed is not None
        assert bob_page.closed[0] == 4400
        fresh = await rig.edit(rig.owner.http)
        await until(lambda page=fresh: len(page.text) > 0)  # type: ignore[misc]
        assert str(fresh.text) == before
        assert fresh.text.diff() == [(before, None)]


async def test_nobody_appears_under_another_name(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    state = json.dumps({"user": {"name": "ada", "role": "interviewer"}, "cursor": None, "more": "x"}).encode()
    await bob_page.send(protocol.awareness(b"\x01\x05\x01" + varint(len(state)) + state))
    await until(lambda: ada_page.cursors)
    decoder = Decoder(ada_page.cursors[-1])
    assert [decoder.read_var_uint() for _ in range(3)] == [1, 5, 1]
    told = json.loads(decoder.read_var_string())
    assert (told["user"]["name"], told["user"]["role"], told["cursor"]) == ("Bob", "candidate", None)
    assert "more" not in told
    # The cursor goes with the connection.
    await bob_page.close()
    await until(lambda: len(ada_page.cursors) == 2)
    assert ada_page.cursors[-1].endswith(b"\x04null")


async def test_a_document_has_a_limit(rig: RoomRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "DOCUMENT_BYTES", 5000)
    page = await rig.edit(await rig.enter("candidate", "Bob"))
    await until(lambda: len(page.text) > 0)
    page.type("x" * 4000)
    await until(lambda: page.is_saved)
    page.type("y" * 2000)
    await until(lambda: page.closed)
    assert page.closed == (4413, "The document of this room is full.")


async def test_a_message_that_is_too_large_is_not_read(rig: RoomRig) -> None:
    page = await rig.edit(await rig.enter("candidate", "Bob"))
    await page.send(b"\x00" * (600 * 1024))
    await until(lambda: page.closed)
    assert page.closed is not None
    assert page.closed[0] == 1009


async def test_a_link_that_nobody_used_for_long_opens_nothing(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    long_ago = now().replace(year=now().year - 1)
    async with rig.service.state.db.write() as session:
        await session.execute(update(Room).values(created_at=long_ago))
    assert code_of(await bob.get(rig.path)) == (410, "room_ended")
