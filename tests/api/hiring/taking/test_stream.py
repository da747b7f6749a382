"""Tests the events that a candidate's page receives: more time, the end of the assessment, judged answers, and the change to
another device. Also tests what happens when two pages save the same draft.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in, sweeper_of

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"
EVENTS = "/api/participation/events"
WITHIN_S = 10


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment. The keep-alive interval is so long that an event stream reads from the database only
    after a notification.
    """
    async with rig_in(home, monkeypatch, keep_alive_s=60) as rig:
        await rig.assess(recorded=["edits"])
        yield rig


async def follow(taker: Taker) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Yield each event as it arrives, as (name, data)."""
    async with asyncio.timeout(WITHIN_S), taker.http.stream("GET", EVENTS) as answer:
        assert answer.status_code == 200
        name = ""
        async for line in answer.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)


async def test_more_time_and_the_end_are_told_at_once(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    events = follow(taker)
    state = await taker.state()
    name, first = await anext(events)
    assert (name, first["finished_by"], first["judged"]) == ("state", None, 0)
    one = f"{rig.path}/participations/{(await rig.watched())[0]['id']}"
    await rig.owner.http.put(f"{one}/extra-time", json={"minutes": 10})
    _, told = await anext(events)
    assert told["deadline"] > first["deadline"]
    began = state["started_at"]
    rig.clock.go(minutes=5)
    body = {"begins_at": began, "ends_at": rig.clock().isoformat()}
    assert (await rig.owner.http.post(f"{rig.path}/outages", json=body)).json()["affected"] == 1
    _, later = await anext(events)
    assert later["deadline"] > told["deadline"]
    rig.clock.go(hours=3)
    await sweeper_of(rig.service).finish_overdue()
    assert (await anext(events))[1]["finished_by"] == "deadline"


async def test_an_answer_that_is_judged_is_told(rig: Rig) -> None:
    """With a plan that shows verdicts immediately, the page must receive an event when an answer has been judged. In other
    plans, the time of the event would reveal something (see test_result_delay).
    """
    await rig.assess(recorded=["edits"], verdicts="at_once")
    node = await rig.service.node()
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    events = follow(taker)
    await anext(events)
    await taker.send(RIGHT)
    await node.ready()
    await node.judge(await node.take())
    assert (await anext(events))[1]["judged"] == 1


async def test_another_device_ends_the_stream_and_no_other_opens_there(rig: Rig) -> None:
    token = (await rig.invite())["token"]
    old = await rig.start(token)
    events = follow(old)
    await anext(events)
    await rig.start(token)
    assert [event async for event in events] == [("taken_over", {})]
    assert code_of(await old.http.get(EVENTS)) == (409, "taken_over")
    assert rig.service.state.hub.streams() == 0


async def test_what_is_told_before_the_start_names_the_participation_that_runs(rig: Rig) -> None:
    token = (await rig.invite())["token"]
    before = (await rig.service.client().get(f"/api/take/{token}")).json()
    assert (before["participation_id"], before["server_time"]) == (None, rig.clock().isoformat().replace("+00:00", "Z"))
    taker = await rig.start(token)
    after = (await rig.service.client().get(f"/api/take/{token}")).json()
    assert after["participation_id"] == (await taker.state())["id"]


@pytest.mark.parametrize("recorded", [[], ["edits"]])
async def test_two_pages_that_save_the_same_draft_are_told(rig: Rig, recorded: list[str]) -> None:
    await rig.assess(recorded=recorded)
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    assert (await taker.save("x = 1", 1)).status_code == 200
    assert (await taker.save("x = 1", 1)).status_code == 200, "the same batch may be sent again"
    assert code_of(await taker.save("y = 2", 1)) == (409, "draft_moved_on")
    assert (await taker.open())["draft"]["source"] == "x = 1"
    assert (await taker.save("y = 2", 2)).json()["revision"] == 2
    assert (await taker.save("x = 1", 1)).json()["revision"] == 2, "one that comes late changes nothing"
