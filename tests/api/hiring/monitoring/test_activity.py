"""Tests what the team sees of a candidate's work: the current item, the time per item, signals, and links to other attempts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from api.hiring.participations.time_spent import Visit, spent
from tests.api.hiring.taking_rig import STARTER, Rig, code_of, rig_in

pytestmark = pytest.mark.anyio
START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """Return the moment this many seconds after START."""
    return START + timedelta(seconds=seconds)


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an assessment that records edits, pastes, changes of focus and devices."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(recorded=["edits", "pastes", "focus", "devices"], attempts=2)
        yield rig


@pytest.mark.parametrize(
    ("visits", "ended", "expected"),
    [
        ([], 60, {}),
        ([(10, 1, True)], 60, {1: 50}),
        ([(10, 1, True), (30, 2, True)], 60, {1: 20, 2: 30}),
        ([(10, 1, True), (30, 2, True), (50, 1, False)], 60, {1: 50}),
        ([(30, 1, False), (10, 1, True), (90, 1, False)], 60, {1: 50}),
    ],
)
def test_time_belongs_to_the_item_in_hand(
    visits: list[tuple[float, int, bool]], ended: float, expected: dict[int, float]
) -> None:
    told = [Visit(at(seconds), position, opens) for seconds, position, opens in visits]
    assert spent(START, told, at(ended)) == expected


async def test_the_table_tells_where_somebody_is_and_what_was_noticed(rig: Rig) -> None:
    taker = await rig.start((await rig.invite(email="eve@example.org"))["token"])
    (row,) = await rig.watched()
    assert (row["at_work"], row["decision"], row["adjusted"]) == (None, "none", 0)
    await taker.open()
    rig.clock.go(minutes=5)
    await taker.open(2)
    assert (await rig.watched())[0]["at_work"]["position"] == 2
    rig.clock.go(minutes=2)
    noticed = [{"kind": "paste", "size": 300}, {"kind": "paste", "size": 40}, {"kind": "blur"}, {"kind": "focus"}]
    await taker.save("x = 1", 1, signals=noticed)
    (row,) = await rig.watched()
    assert (row["at_work"]["position"], row["at_work"]["title"]) == (1, "Add one")
    assert row["signals"] == {"pastes": 2, "pasted": 340, "largest_paste": 300, "left": 1, "devices": 0}
    assert row["last_seen"] == rig.clock().isoformat().replace("+00:00", "Z")
    person = (await rig.owner.http.get(f"{rig.path}/participations/{row['id']}")).json()
    assert [item["spent_s"] for item in person["items"]] == [420, 0]
    assert person["items"][0]["starter"] == STARTER
    assert [section["title"] for section in person["sections"]] == ["Code", "Questions"]


async def test_the_table_shows_who_runs_or_has_finished(rig: Rig) -> None:
    takers = [await rig.start((await rig.invite())["token"]) for _ in range(3)]
    await takers[0].http.post("/api/participation/finish")
    counts = {}
    for only in ("running", "finished"):
        told = await rig.owner.http.get(f"{rig.path}/participations", params={"only": only, "limit": 1})
        counts[only] = 1 + bool(told.json()["next_cursor"])
        assert {bool(row["finished_at"]) for row in told.json()["items"]} == {only == "finished"}
    assert counts == {"running": 2, "finished": 1}
    assert (await rig.owner.http.get(f"{rig.path}/participations", params={"only": "some"})).status_code == 422


async def test_a_report_leads_to_other_attempts_and_to_the_next_candidate(rig: Rig) -> None:
    invited = await rig.invite(email="eve@example.org")
    await (await rig.start(invited["token"])).http.post("/api/participation/finish")
    await rig.start((await rig.invite(email="mallory@example.org"))["token"])
    await rig.start(invited["token"])
    newest, middle, first = [row["id"] for row in await rig.watched()]
    told = (await rig.owner.http.get(f"{rig.path}/participations/{middle}")).json()
    assert (told["newer"], told["older"], told["attempts"]) == (newest, first, [])
    told = (await rig.owner.http.get(f"{rig.path}/participations/{newest}")).json()
    assert (told["newer"], told["older"]) == (None, middle)
    assert [(link["id"], link["number"]) for link in told["attempts"]] == [(first, 1)]


async def test_answers_to_a_quiz_are_told_with_their_marks(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    path = f"{rig.path}/participations/{(await rig.watched())[0]['id']}/items"
    unopened = (await rig.owner.http.get(f"{path}/2/quiz")).json()
    assert {question["mark"] for question in unopened["questions"]} == {None}
    await taker.open(2)
    await taker.http.post("/api/participation/items/2/answers", json={"question": "how-much", "answer": 2})
    marks = {one["id"]: one["mark"] for one in (await rig.owner.http.get(f"{path}/2/quiz")).json()["questions"]}
    assert (marks["how-much"]["right"], marks["how-much"]["answer"]) == (True, 2)
    assert code_of(await rig.owner.http.get(f"{path}/1/quiz")) == (409, "other_kind")


async def test_an_outage_tells_who_got_time_back(rig: Rig) -> None:
    await rig.start((await rig.invite())["token"])
    rig.clock.go(minutes=10)
    begins, ends = rig.clock() - timedelta(minutes=5), rig.clock() - timedelta(minutes=1)
    body = {"begins_at": begins.isoformat(), "ends_at": ends.isoformat()}
    told = (await rig.owner.http.post(f"{rig.path}/outages", json=body)).json()
    assert told["affected"] == 1
    assert [(each["name"], each["given_back_s"]) for each in told["people"]] == [("Eve", 240)]
