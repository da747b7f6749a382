"""Tests what people do in a live interview: judging the shared code, changing the challenge, notes, transcript and replay."""

import asyncio
from pathlib import Path

import httpx
import pytest

from api.hiring.room_documents import store
from api.hiring.room_records.models import RoomSnapshot
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.rooms.room_rig import Editor, RoomRig, cookies_of, shown_room, socket_url, until
from tests.api.hiring.taking_rig import code_of
from tests.api.running_service import running, settings_in

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


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


async def test_the_document_survives_a_restart_and_has_a_snapshot(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SNAPSHOT_EVERY", 20)
    write_challenge(home / "challenges")
    async with running(settings_in(home, sweep_s=60)) as service:
        rig = await shown_room(service)
        owner = rig.owner
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
