"""Tests live interviews: who may enter a room and do what in it, and that all see the same code."""

import json

import pytest
from sqlalchemy import func, select, update
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from api.hiring.participations.deadline_sweeper import sweep_versions
from api.hiring.room_records.models import Room, RoomSnapshot, RoomUpdate
from api.hiring.room_records.retention import erase_old_rooms
from api.identity.accounts.models import Account
from api.kit.db.database import now
from tests.api.hiring.rooms.room_rig import RoomRig, cookies_of, socket_url, until
from tests.api.hiring.taking_rig import code_of

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


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


async def test_a_link_that_nobody_used_for_long_opens_nothing(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    long_ago = now().replace(year=now().year - 1)
    async with rig.service.state.db.write() as session:
        await session.execute(update(Room).values(created_at=long_ago))
    assert code_of(await bob.get(rig.path)) == (410, "room_ended")
