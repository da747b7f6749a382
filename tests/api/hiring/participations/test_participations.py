"""Tests how an assessment is taken: requests before, at and after the deadline, extra time, time that is given back after an
outage, and two devices. Also tests what the candidate and the team are shown.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from api.hiring.participations.models import Participation
from tests.api.hiring.taking_rig import STARTER, Rig, code_of, rig_in, sweeper_of

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def test_before_the_start_nothing_of_the_items_is_told(rig: Rig) -> None:
    invited = await rig.invite(email="eve@example.org", name="Eve", extra_minutes=10)
    answer = await rig.service.client().get(f"/api/take/{invited['token']}")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["team"], told["assessment"], told["minutes"], told["extra_minutes"]) == (
        "Tensor people",
        "First round",
        60,
        10,
    )
    assert (told["attempts_left"], told["running"], told["name"]) == (1, False, "Eve")
    for word in ("add-one", "add_one", "Add one", "adding"):
        assert word not in answer.text
    assert code_of(await rig.service.client().get("/api/take/take_wrong")) == (404, "invitation_not_found")
    assert (await rig.service.client().get("/api/participation")).status_code == 401


@pytest.mark.parametrize(("percent", "extra"), [(125, 15), (150, 30), (200, 60)])
async def test_a_factor_lengthens_the_whole_in_proportion(rig: Rig, percent: int, extra: int) -> None:
    invited = await rig.invite(email="eve@example.org", name="Eve", time_percent=percent)
    told = (await rig.service.client().get(f"/api/take/{invited['token']}")).json()
    assert (told["minutes"], told["extra_minutes"]) == (60, extra)
    taker = await rig.start(invited["token"])
    found = (await taker.http.get("/api/participation")).json()
    length = datetime.fromisoformat(found["deadline"]) - datetime.fromisoformat(found["started_at"])
    assert length == timedelta(minutes=60 + extra)


async def test_a_factor_and_minutes_add_up_and_others_are_refused(rig: Rig) -> None:
    invited = await rig.invite(email="eve@example.org", name="Eve", time_percent=125, extra_minutes=5)
    told = (await rig.service.client().get(f"/api/take/{invited['token']}")).json()
    assert told["extra_minutes"] == 20
    for wrong in (130, 0, -1, 2, "200", None):
        body = {"people": [{"email": "bob@example.org", "time_percent": wrong}]}
        assert code_of(await rig.owner.http.post(f"{rig.path}/invitations", json=body)) == (422, "invalid_input")


async def test_items_are_read_after_the_start(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    state = await taker.state()
    assert [section["key"] for section in state["sections"]] == ["code", "quiz"]
    assert state["left_s"] == 3600
    early = await taker.send(RIGHT)
    assert code_of(early) == (409, "item_not_opened")
    item = await taker.open()
    assert "add_one" in item["challenge"]["statement"]
    assert item["challenge"]["hints_count"] == 0
    assert item["draft"] == {"source": "", "revision": 0, "saved_at": None}
    quiz = (await taker.open(2))["quiz"]
    assert quiz["questions"]
    assert all(question["mark"] is None for question in quiz["questions"])
    assert code_of(await taker.http.post("/api/participation/items/3/open")) == (404, "item_not_found")
    assert code_of(await taker.http.put("/api/participation/items/2/draft", json={"source": "", "sequence": 1})) == (
        409, "other_kind",
    )  # fmt: skip


async def test_a_submission_at_the_second_of_the_deadline_counts_and_one_after_it_does_not(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    end = (await taker.state())["deadline"]
    rig.clock.to(end, seconds=-1)
    assert (await taker.send("x = 1")).status_code == 201
    rig.clock.to(end)
    assert (await taker.send("x = 2")).status_code == 201
    rig.clock.to(end, microseconds=1)
    assert code_of(await taker.send("x = 3")) == (409, "time_is_over")
    assert code_of(await taker.save("x = 4", 1)) == (409, "time_is_over")
    state = await taker.state()
    assert (state["finished_by"], state["finished_at"], state["left_s"]) == ("deadline", end, 0)
    assert state["sections"][0]["items"][0]["sent"] == 2


async def test_what_arrived_in_time_counts_though_it_was_overtaken_by_the_end(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    end = (await taker.state())["deadline"]
    rig.clock.to(end, seconds=3)
    await sweeper_of(rig.service).finish_overdue()
    assert (await rig.watched())[0]["finished_by"] == "deadline"
    # These requests are received at the deadline, but processed after the sweeper has finished the participation.
    rig.clock.to(end)
    assert (await taker.send("x = 1")).status_code == 201
    assert (await taker.save("x = 2", 1)).status_code == 200
    rig.clock.to(end, seconds=3)
    await sweeper_of(rig.service).finish_overdue()
    row = (await rig.watched())[0]
    assert (row["finished_at"], row["left_s"]) == (end, None)
    assert (await taker.state())["sections"][0]["items"][0]["sent"] == 2, "the draft was sent too"


async def test_the_last_draft_before_the_deadline_is_sent_once(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    await taker.save("x = 1", 1)
    await taker.save(RIGHT, 2)
    rig.clock.go(hours=2)
    for _ in range(3):
        await sweeper_of(rig.service).finish_overdue()
    sent = await rig.owner.http.get(f"{rig.path}/participations/{(await rig.watched())[0]['id']}/submissions")
    assert len(sent.json()["items"]) == 1
    submission = sent.json()["items"][0]["id"]
    address = f"{rig.path}/participations/{(await rig.watched())[0]['id']}/submissions/{submission}"
    assert (await rig.owner.http.get(address)).json()["source"] == RIGHT


@pytest.mark.parametrize("draft", [STARTER, "  \n", RIGHT])
async def test_a_draft_that_says_nothing_new_is_not_sent(rig: Rig, draft: str) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    assert (await taker.send(RIGHT)).status_code == 201
    await taker.save(draft, 1)
    finished = await taker.http.post("/api/participation/finish")
    assert (finished.json()["finished_by"], finished.json()["sections"][0]["items"][0]["sent"]) == ("candidate", 1)
    assert code_of(await taker.send("x = 1")) == (409, "time_is_over")


async def test_two_starts_with_one_token_at_once_are_one_participation(rig: Rig) -> None:
    token = (await rig.invite())["token"]
    browsers = [rig.service.client() for _ in range(6)]
    body = {"name": "Eve", "honour": True}
    answers = await asyncio.gather(*(browser.post(f"/api/take/{token}/start", json=body) for browser in browsers))
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert await rig.count(Participation) == 1
    codes = [(await browser.get("/api/participation")).status_code for browser in browsers]
    assert sorted(codes) == [200] + [409] * 5, "the newest goes on, the others are told"


async def test_the_newer_device_takes_over_and_the_older_is_told(rig: Rig) -> None:
    await rig.assess(recorded=["devices"])
    token = (await rig.invite())["token"]
    old = await rig.start(token)
    await old.open()
    await old.save("x = 1", 1)
    new = await rig.start(token)
    assert (await new.open())["draft"]["source"] == "x = 1"
    for answer in (await old.save("x = 2", 2), await old.send(RIGHT), await old.http.get("/api/participation")):
        assert code_of(answer) == (409, "taken_over")
    back = await rig.start(token)
    assert (await back.state())["left_s"] == 3600
    signals = await rig.owner.http.get(f"{rig.path}/participations/{(await rig.watched())[0]['id']}/signals")
    assert [signal["kind"] for signal in signals.json()["items"]] == ["device", "device"]


async def test_a_second_click_on_start_is_no_change_of_device(rig: Rig) -> None:
    async def recorded() -> list[str]:
        one = f"{rig.path}/participations/{(await rig.watched())[0]['id']}"
        return [signal["detail"] for signal in (await rig.owner.http.get(f"{one}/signals")).json()["items"]]

    await rig.assess(recorded=["devices"])
    token = (await rig.invite())["token"]
    body = {"name": "Eve", "honour": True}
    await asyncio.gather(*(rig.service.client().post(f"/api/take/{token}/start", json=body) for _ in range(3)))
    assert await recorded() == []
    other = rig.service.client(headers={"User-Agent": "Another browser"})
    await other.post(f"/api/take/{token}/start", json=body)
    assert await recorded() == ["Another browser"]
    await rig.service.client().post(f"/api/take/{token}/start", json=body)
    rig.clock.go(seconds=11)
    await rig.service.client().post(f"/api/take/{token}/start", json=body)
    assert len(await recorded()) == 3


async def test_extra_time_moves_the_deadline_live_and_reopens_what_the_deadline_ended(rig: Rig) -> None:
    taker = await rig.start((await rig.invite(extra_minutes=5))["token"])
    await taker.open()
    assert (await taker.state())["left_s"] == 65 * 60
    rig.clock.go(minutes=66)
    assert (await taker.state())["finished_by"] == "deadline"
    one = f"{rig.path}/participations/{(await rig.watched())[0]['id']}"
    given = await rig.owner.http.put(f"{one}/extra-time", json={"minutes": 10})
    assert (given.json()["finished_at"], given.json()["left_s"]) == (None, 4 * 60)
    assert (await taker.send(RIGHT)).status_code == 201
    await taker.http.post("/api/participation/finish")
    assert code_of(await rig.owner.http.put(f"{one}/extra-time", json={"minutes": 20})) == (409, "already_finished")


async def test_an_outage_gives_everybody_back_what_it_took_and_twice_is_once(rig: Rig) -> None:
    hit, early = await rig.start((await rig.invite())["token"]), await rig.start((await rig.invite())["token"])
    await early.http.post("/api/participation/finish")
    began = rig.clock() + timedelta(minutes=50)
    rig.clock.go(minutes=80)
    assert (await hit.state())["finished_by"] == "deadline"
    body = {"begins_at": began.isoformat(), "ends_at": rig.clock().isoformat()}
    told = await rig.owner.http.post(f"{rig.path}/outages", json=body)
    assert (told.status_code, told.json()["affected"]) == (201, 1)
    state = await hit.state()
    assert (state["finished_at"], state["left_s"], state["given_back_s"]) == (None, 10 * 60, 30 * 60)
    assert (await rig.owner.http.post(f"{rig.path}/outages", json=body)).json()["affected"] == 0
    assert (await hit.state())["given_back_s"] == 30 * 60
    assert (await early.state())["finished_by"] == "candidate"
    rig.clock.go(minutes=-1)
    assert code_of(await rig.owner.http.post(f"{rig.path}/outages", json=body)) == (409, "not_over_yet")


async def test_nobody_who_has_time_is_read_while_the_sweeper_looks_for_who_has_none(rig: Rig) -> None:
    """The sweeper runs every three seconds, so it must not load the participations that still have time."""
    early = await rig.start((await rig.invite())["token"])
    first, end = (await rig.watched())[0]["id"], (await early.state())["deadline"]
    rig.clock.go(minutes=30)
    await rig.start((await rig.invite(email="later@example.org", extra_minutes=10))["token"])
    read: list[str] = []

    def note(row: Participation, _: object) -> None:
        read.append(row.id)

    event.listen(Participation, "load", note)
    try:
        await sweeper_of(rig.service).finish_overdue()
        nobody = list(read)
        rig.clock.to(end, seconds=1)
        await sweeper_of(rig.service).finish_overdue()
    finally:
        event.remove(Participation, "load", note)
    assert nobody == []
    assert set(read) == {first}, "whose time is over"
