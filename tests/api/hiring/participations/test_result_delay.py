"""Tests what is shown about a submission while its verdict is hidden. Nothing that is shown may depend on the result of the
submission, or on how long it took to judge.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.participations import service as participations
from api.hiring.participations.models import Participation
from api.hiring.taking import stream
from api.judging.intake import intake
from api.judging.submissions.models import Judging, Submission
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in

pytestmark = pytest.mark.anyio
TIMES = ("status", "verdict", "score", "cpu_s", "memory_mb", "wall_s", "started_at", "ended_at", "attempt", "tests")


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment that hides verdicts until the candidate has finished."""
    async with rig_in(home, monkeypatch) as rig:
        # The times at which submissions are sent also come from the clock that the test controls.
        monkeypatch.setattr(intake, "now", rig.clock)
        await rig.assess()
        yield rig


async def becomes(rig: Rig, submission: str, **values: Any) -> None:
    """Set columns of a submission's judging in the database, as the queue does."""
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).where(Judging.submission_id == submission).values(**values))


async def judged(rig: Rig, submission: str, verdict: str, after_s: float) -> None:
    """Store a verdict, as if judging had started now and had taken `after_s` seconds."""
    told = {"started_at": rig.clock(), "ended_at": rig.clock() + timedelta(seconds=after_s), "attempt": 1}
    await becomes(rig, submission, status="judged", verdict=verdict, cpu_s=after_s, score=1, **told)


async def shown(rig: Rig, taker: Taker, submission: str) -> list[Any]:
    """Return everything that shows the candidate the state of a submission: the submission itself, its row in the list, its
    item, and the events that the page receives.
    """
    one = (await taker.http.get(f"/api/participation/submissions/{submission}")).json()
    lines = (await taker.open())["sent"]
    line = next(each for each in lines if each["id"] == submission)
    item = (await taker.state())["sections"][0]["items"][0]
    async with rig.service.state.db.read() as session:
        sent = await session.get_one(Submission, submission)
        row = await session.scalar(select(Participation).where(Participation.account_id == sent.account_id))
        assert row is not None
        news = await stream.judged_of(session, await participations.load(session, row))
    return [[one[key] for key in TIMES], [line.get(key) for key in TIMES], item["unfinished"], item["verdict"], news]


async def test_a_quick_and_a_slow_answer_look_the_same_at_every_moment(rig: Rig) -> None:
    quick, slow = [await rig.start((await rig.invite())["token"]) for _ in range(2)]
    ids = []
    for taker, verdict, seconds in ((quick, "WA", 1.0), (slow, "AC", 5.5)):
        await taker.open()
        identifier = (await taker.send("x = 1")).json()["id"]
        await becomes(rig, identifier, status="judging", started_at=rig.clock(), attempt=1)
        await judged(rig, identifier, verdict, seconds)
        ids.append(identifier)
    for step in (2, 3, 30, 28, 5, 60):
        rig.clock.go(seconds=step)
        first, second = [await shown(rig, taker, one) for taker, one in zip((quick, slow), ids, strict=True)]
        plain = [[value for value in each if value is None or "T" not in str(value)] for each in (first[0], second[0])]
        assert plain[0] == plain[1]
        assert first[1:] == second[1:]
    assert first[0][0] == "judged"
    lengths = [(each[0][6], each[0][7]) for each in (first, second)]
    assert all(begun is not None and ended is not None for begun, ended in lengths)
    await slow.http.post("/api/participation/finish")
    own = (await slow.http.get(f"/api/participation/submissions/{ids[1]}")).json()
    assert (own["verdict"], own["cpu_s"]) == ("AC", 5.5), "after the end everything is told"


async def test_how_much_may_be_sent_does_not_depend_on_how_it_went(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    most = rig.service.settings.unfinished_per_account
    for number in range(most):
        answer = await taker.send(f"x = {number}")
        assert answer.status_code == 201
        await judged(rig, answer.json()["id"], "WA", 0.5)
    for kind in ("submit", "run"):
        assert code_of(await taker.send("y = 1", kind)) == (429, "too_many_requests")
    rig.clock.go(seconds=61)
    assert (await taker.send("y = 1")).status_code == 201
