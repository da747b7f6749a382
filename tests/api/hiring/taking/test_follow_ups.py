"""Tests follow-ups: an item that opens when the candidate hands in the item before it, and starts from their own answer."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.taking_rig import STARTER, Rig, Taker, code_of, plan_of, rig_in, sweeper_of

pytestmark = pytest.mark.anyio
RIGHT, CHANGED = "def add_one(x):\n    return x + 1\n", "def add_one(x):\n    y = x + 1\n    return y\n"
ITEM = "/api/participation/items/{}"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """An open assessment: add-one (10 points) with the follow-ups add-two (6) and add-three (4), and a quiz."""
    for slug in ("add-two", "add-three"):
        write_challenge(home / "challenges", slug, title=f"Now {slug}")
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(sections=sections_with(6, 4))
        yield rig


def sections_with(*points: int) -> list[Any]:
    sections: list[Any] = plan_of()["sections"]
    item = sections[0]["items"][0]
    item["follow_up_points"] = list(points)
    item["choices"][0]["follow_ups"] = ["add-two", "add-three"][: len(points)]
    return sections


async def begun(rig: Rig) -> Taker:
    taker = await rig.start((await rig.invite(name="Eve"))["token"])
    await taker.open()
    return taker


async def hand_in(taker: Taker, position: int = 1) -> httpx.Response:
    return await taker.http.post(f"{ITEM.format(position)}/hand-in")


async def submit(taker: Taker, source: str, position: int) -> httpx.Response:
    body = {"source": source, "kind": "submit"}
    return await taker.http.post(f"{ITEM.format(position)}/submissions", json=body)


async def titles(taker: Taker) -> list[str]:
    return [item["title"] for section in (await taker.state())["sections"] for item in section["items"]]


async def report_of(rig: Rig) -> list[dict[str, Any]]:
    """Return the items of the report about the only candidate."""
    (row,) = await rig.watched()
    items: list[dict[str, Any]] = (await rig.owner.http.get(f"{rig.path}/participations/{row['id']}")).json()["items"]
    return items


async def test_the_start_page_counts_them(rig: Rig) -> None:
    told = (await rig.service.client().get(f"/api/take/{(await rig.invite())['token']}")).json()
    assert [(section["items"], section["follow_ups"]) for section in told["sections"]] == [(1, 2), (1, 0)]


async def test_before_the_hand_in_nothing_is_told_about_them(rig: Rig) -> None:
    taker = await begun(rig)
    state = await taker.http.get("/api/participation")
    assert "add-two" not in state.text
    assert "Now" not in state.text
    assert (await taker.state())["sections"][0]["items"][0]["has_follow_up"]
    opened = await taker.open()
    assert (opened["own_answer"], opened["challenge"]["follow_ups"]) == (None, [])
    for position in (2, 3):
        for path, body in (
            ("open", {}),
            ("submissions", {"source": RIGHT, "kind": "submit"}),
            ("hand-in", {}),
            ("scratch", {"source": RIGHT, "snippet": "1"}),
        ):
            refused = await taker.http.post(f"{ITEM.format(position)}/{path}", json=body)
            assert code_of(refused) == (404, "item_not_found"), path
        saved = await taker.http.put(f"{ITEM.format(position)}/draft", json={"source": RIGHT, "sequence": 1})
        assert code_of(saved) == (404, "item_not_found")
        assert code_of(await taker.http.get(f"{ITEM.format(position)}/assistant")) == (404, "item_not_found")


async def test_a_follow_up_starts_from_the_last_submission(rig: Rig) -> None:
    taker = await begun(rig)
    await submit(taker, RIGHT, 1)
    assert (await hand_in(taker)).status_code == 200
    assert await titles(taker) == ["Add one", "Now add-two", "Adding"]
    opened = await taker.open(2)
    assert (opened["own_answer"], opened["draft"]["revision"]) == (RIGHT, 0)
    assert opened["challenge"]["starter"] == STARTER
    assert opened["challenge"]["follow_up_to"] is None


async def test_the_draft_is_submitted_and_is_the_start(rig: Rig) -> None:
    taker = await begun(rig)
    await submit(taker, RIGHT, 1)
    await taker.save(CHANGED, 1)
    await hand_in(taker)
    assert (await taker.open(2))["own_answer"] == CHANGED
    assert len((await taker.open(1))["sent"]) == 2


async def test_without_an_answer_the_starter_is_the_start(rig: Rig) -> None:
    taker = await begun(rig)
    await hand_in(taker)
    assert (await taker.open(2))["own_answer"] is None


async def test_an_item_that_was_handed_in_is_closed(rig: Rig) -> None:
    taker = await begun(rig)
    await submit(taker, RIGHT, 1)
    await hand_in(taker)
    assert code_of(await submit(taker, CHANGED, 1)) == (409, "handed_in")
    assert code_of(await taker.save(CHANGED, 1)) == (409, "handed_in")
    assert len((await taker.open(1))["sent"]) == 1, "it can still be read"


async def test_handing_in_again_changes_nothing(rig: Rig) -> None:
    taker = await begun(rig)
    await taker.save(RIGHT, 1)
    first, second = await asyncio.gather(hand_in(taker), hand_in(taker))
    assert (first.status_code, second.status_code) == (200, 200)
    rig.clock.go(minutes=5)
    third = (await hand_in(taker)).json()
    assert third["sections"][0]["items"][0]["handed_in_at"] == first.json()["sections"][0]["items"][0]["handed_in_at"]
    assert len((await taker.open(1))["sent"]) == 1


async def test_the_chain_opens_one_by_one(rig: Rig) -> None:
    taker = await begun(rig)
    await hand_in(taker)
    assert code_of(await hand_in(taker, 2)) == (409, "item_not_opened")
    await taker.open(2)
    await submit(taker, CHANGED, 2)
    assert (await hand_in(taker, 2)).status_code == 200
    assert (await taker.open(3))["own_answer"] == CHANGED
    assert code_of(await hand_in(taker, 3)) == (409, "no_follow_up")


async def test_the_deadline_passes_before_the_hand_in(rig: Rig) -> None:
    taker = await begun(rig)
    await taker.save(RIGHT, 1)
    rig.clock.go(minutes=61)
    assert code_of(await hand_in(taker)) == (409, "time_is_over")
    await sweeper_of(rig.service).finish_overdue()
    assert await titles(taker) == ["Add one", "Adding"]
    items = await report_of(rig)
    assert [(item["is_follow_up"], item["opened_at"] is None, item["points"]) for item in items] == [
        (False, False, 10), (True, True, 6), (True, True, 4), (False, True, 5),
    ]  # fmt: skip


async def test_an_unchanged_start_is_not_submitted_at_the_end(rig: Rig) -> None:
    taker = await begun(rig)
    await submit(taker, RIGHT, 1)
    await hand_in(taker)
    await taker.open(2)
    await taker.http.put(f"{ITEM.format(2)}/draft", json={"source": RIGHT, "sequence": 1})
    await taker.http.post("/api/participation/finish")
    assert [item["sent"] for item in await report_of(rig)] == [1, 0, 0, 0]


async def test_the_report_shows_how_much_was_changed(rig: Rig) -> None:
    taker, node = await begun(rig), await rig.service.node()
    await submit(taker, RIGHT, 1)
    rig.clock.go(seconds=60)
    await hand_in(taker)
    await taker.open(2)
    rig.clock.go(seconds=90)
    await submit(taker, CHANGED, 2)
    for _ in range(2):
        await node.ready()
        await node.judge(await node.take(), Verdict.AC)
    await taker.http.post("/api/participation/finish")
    items = await report_of(rig)
    async with asyncio.timeout(10):
        while any(item["unfinished"] for item in items):
            await asyncio.sleep(0.02)
            items = await report_of(rig)
    base, first, second, _ = items
    assert (base["lines_changed"], first["lines_changed"], second["lines_changed"]) == (None, 2, None)
    assert (first["starter"], first["score"], second["starter"]) == (RIGHT, 6, CHANGED)
    assert first["handed_in_at"] is None
    assert base["handed_in_at"] is not None
    pdf = await rig.owner.http.get(f"{rig.path}/participations/{(await rig.watched())[0]['id']}/report.pdf")
    assert pdf.status_code == 200


async def test_a_test_drive_has_follow_ups(rig: Rig) -> None:
    made = await rig.owner.http.post(f"{rig.path}/test-drives")
    assert made.status_code == 201, made.text
    taker = await rig.start(made.json()["link"].rpartition("/")[2])
    await taker.open()
    await hand_in(taker)
    assert "Now add-two" in await titles(taker)


async def test_another_device_continues_after_the_hand_in(rig: Rig) -> None:
    token = (await rig.invite(name="Eve"))["token"]
    taker = await rig.start(token)
    await taker.open()
    await submit(taker, RIGHT, 1)
    await hand_in(taker)
    other = await rig.start(token)
    assert code_of(await hand_in(taker)) == (409, "taken_over")
    assert (await other.open(2))["own_answer"] == RIGHT
