"""Tests that time lost to a slow queue is given back once, and equally to all candidates. A candidate who has to wait only for
their own earlier answers gets nothing back.
"""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.participations.models import Participation
from api.hiring.participations.slow_queue import watch_queue
from api.hiring.webhooks.models import TeamEvent
from api.judging.submissions.models import Judging
from tests.api.hiring.taking_rig import Rig, Taker, rig_in, sweeper_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment. No node is connected, so submissions wait until the test changes their state."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def begun(rig: Rig) -> Taker:
    """Start the assessment as a new candidate, and open the challenge."""
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    return taker


async def sent(taker: Taker, source: str) -> str:
    """Submit an answer. Return its id."""
    answer = await taker.send(source)
    assert answer.status_code == 201, answer.text
    identifier: str = answer.json()["id"]
    return identifier


async def now_is(rig: Rig, submission: str, **values: Any) -> None:
    """Set columns of a submission's judging in the database."""
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).where(Judging.submission_id == submission).values(**values))


async def passes(rig: Rig, seconds: int) -> None:
    """Let this much time pass. Check the queue and the deadlines every three seconds, as the service does."""
    for _ in range(seconds // 3):
        rig.clock.go(seconds=3)
        await watch_queue(rig.service.state.db, rig.service.state.hub)
        await sweeper_of(rig.service).finish_overdue()


async def given(*takers: Taker) -> list[int]:
    """Return, for each candidate, the seconds that were given back."""
    return [(await taker.state())["given_back_s"] for taker in takers]


async def finished_events(rig: Rig) -> Counter[str]:
    """Count the `participation.finished` events of each participation."""
    async with rig.service.state.db.read() as session:
        rows = select(TeamEvent.participation_id).where(TeamEvent.kind == "participation.finished")
        return Counter(await session.scalars(rows))


async def test_what_waits_behind_ones_own_answers_gives_nothing_back(rig: Rig) -> None:
    taker = await begun(rig)
    first, second = await sent(taker, "x = 1"), await sent(taker, "x = 2")
    await now_is(rig, first, status="judging", started_at=rig.clock())
    await passes(rig, 60)
    assert await given(taker) == [0]
    # Judging the first answer took a minute. In this minute, the second answer waited for an answer of the same candidate, so
    # its waiting time starts only now.
    await now_is(rig, first, status="judged", verdict="TLE", ended_at=rig.clock())
    await passes(rig, 9)
    await now_is(rig, second, status="judging", started_at=rig.clock())
    await passes(rig, 60)
    assert await given(taker) == [0]


async def test_a_slow_queue_gives_the_same_to_all(rig: Rig) -> None:
    one, other = await begun(rig), await begun(rig)
    submission = await sent(one, "x = 1")
    await passes(rig, 9)
    assert await given(one, other) == [0, 0], "ten seconds are usual"
    await passes(rig, 63)
    back = await given(one, other)
    assert back[0] == back[1]
    assert 57 <= back[0] <= 63
    await now_is(rig, submission, status="judging", started_at=rig.clock())
    await passes(rig, 60)
    after = await given(one, other)
    assert after[0] == after[1] <= back[0] + 3, "it is over once the answer is being judged"
    listed = (await rig.owner.http.get(f"{rig.path}/outages")).json()["items"]
    assert [(each["source"], each["affected"]) for each in listed] == [("queue", 2)]
    assert listed[0]["given_back_s"] == 2 * after[0]


async def test_an_answer_that_is_judged_anew_through_our_fault_waits_until_it_is_judged(rig: Rig) -> None:
    taker = await begun(rig)
    submission = await sent(taker, "x = 1")
    await now_is(rig, submission, status="judging", started_at=rig.clock(), infra_faults=1)
    await passes(rig, 72)
    back = await given(taker)
    assert 57 <= back[0] <= 63
    await now_is(rig, submission, status="judged", verdict="JE", ended_at=rig.clock())
    await passes(rig, 30)
    assert (await given(taker))[0] <= back[0] + 3


async def test_time_ends_once_for_everybody_though_the_queue_stays_slow(rig: Rig) -> None:
    closes = rig.clock() + timedelta(minutes=5)
    await rig.assess(closes_at=closes.isoformat())
    people = [await begun(rig) for _ in range(4)]
    rig.clock.to(closes.isoformat(), seconds=-60)
    for person in people:
        await sent(person, "x = 1")
    ends = []
    for _ in range(80):
        await passes(rig, 3)
        states = [await person.state() for person in people]
        ends.append(tuple((state["deadline"], state["finished_at"]) for state in states))
    assert all(len(set(moment)) == 1 for moment in ends), "all alike at every moment"
    over = [moment[0] for moment in ends if moment[0][1] is not None]
    assert len(set(over)) == 1
    assert over == [moment[0] for moment in ends[-len(over) :]], "nothing that ended went on"
    assert await given(*people) == [48] * 4, "the last minute, without the ten seconds that are usual"
    assert list((await finished_events(rig)).values()) == [1] * 4


async def test_what_arrived_in_time_is_taken_without_opening_anything_again(rig: Rig) -> None:
    taker = await begun(rig)
    end = (await taker.state())["deadline"]
    await taker.save("x = 1", 1)
    rig.clock.to(end, seconds=3)
    await sweeper_of(rig.service).finish_overdue()
    rig.clock.to(end)
    assert (await taker.send("x = 2")).status_code == 201
    assert (await taker.save("x = 3", 2)).status_code == 200
    async with rig.service.state.db.read() as session:
        assert (await session.scalars(select(Participation.finished_by))).all() == ["deadline"]
    assert (await taker.state())["sections"][0]["items"][0]["sent"] == 3, (
        "the draft of then, the answer, the last draft"
    )
    assert list((await finished_events(rig)).values()) == [1]


async def test_time_that_was_lost_before_a_section_began_is_not_added_to_the_section(rig: Rig) -> None:
    plan = {"sections": [
        {"key": "code", "title": "Code", "items": [
            {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "add-one"}]}]},
        {"key": "quiz", "title": "Questions", "minutes": 10, "items": [
            {"key": "two", "points": 5, "choices": [{"kind": "quiz", "name": "adding"}]}]},
    ]}  # fmt: skip
    await rig.assess(**plan)
    taker = await begun(rig)
    rig.clock.go(minutes=20)
    body = {"begins_at": (rig.clock() - timedelta(minutes=15)).isoformat(), "ends_at": rig.clock().isoformat()}
    assert (await rig.owner.http.post(f"{rig.path}/outages", json=body)).status_code == 201
    opened = rig.clock()
    await taker.open(2)
    state = await taker.state()
    assert state["given_back_s"] == 15 * 60
    assert state["sections"][1]["deadline"] == (opened + timedelta(minutes=10)).isoformat().replace("+00:00", "Z")
