"""Tests rejudges of answers in an assessment. An admin or the team can start them. The answers are judged on the version of the
challenge that the assessment pinned.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.webhooks.models import TeamEvent
from api.judging.submissions.models import Judging
from tests.api.hiring.assessments.test_versions import rewrite
from tests.api.hiring.authoring.authoring_rig import good
from tests.api.hiring.taking_rig import Rig, code_of, rig_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment."""
    async with rig_in(home, monkeypatch, poll_s=0.05) as rig:
        await rig.assess(verdicts="at_once")
        yield rig


async def answered(rig: Rig, node: ScriptedNode) -> tuple[str, str]:
    """Send an answer and store the verdict TLE for it, as after a fault of the grader. Return the URL under which the team sees
    the answer, and the digest of the challenge's version.
    """
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    sent = good(await taker.send(RIGHT), 201)
    job = await node.take()
    await node.judge(job)
    async with asyncio.timeout(20):
        while (await taker.state())["sections"][0]["items"][0]["unfinished"]:
            await asyncio.sleep(0.05)
    async with rig.service.state.db.write() as session:
        late = update(Judging).where(Judging.submission_id == sent["id"]).values(verdict="TLE", score=0)
        await session.execute(late)
    return f"{rig.path}/participations/{(await rig.watched())[0]['id']}/submissions/{sent['id']}", job.digest


async def counts(rig: Rig, address: str) -> dict[str, Any]:
    """Return the answer's current result, as the team sees it."""
    told: dict[str, Any] = good(await rig.owner.http.get(address))["submission"]
    return told


async def test_the_team_has_an_answer_judged_again_on_its_version(rig: Rig) -> None:
    node = await rig.service.node()
    await node.ready(other=2)
    address, digest = await answered(rig, node)
    rewrite(rig)
    again = good(await rig.owner.http.post(f"{address}/rejudge"), 202)
    assert (again["submission"]["status"], again["submission"]["judging"]) == ("queued", 2)
    assert code_of(await rig.owner.http.post(f"{address}/rejudge")) == (409, "not_finished")
    job = await node.take()
    assert job.digest == digest
    await node.judge(job)
    async with asyncio.timeout(20):
        while (await counts(rig, address))["status"] != "judged":
            await asyncio.sleep(0.05)
    assert (await counts(rig, address))["verdict"] == "AC"
    stranger = await rig.service.person("eve")
    assert code_of(await stranger.http.post(f"{address}/rejudge")) == (404, "team_not_found")


async def test_a_rejudge_of_the_desk_includes_answers_of_assessments_and_tells_their_teams(rig: Rig) -> None:
    node, desk = await rig.service.node(), await rig.service.admin()
    await node.ready(other=2)
    address, digest = await answered(rig, node)
    rewrite(rig)
    assert good(await desk.http.get("/api/admin/finished/add-one"))["submissions"] == 1
    rejudge = good(await desk.http.post("/api/admin/rejudges", json={"slug": "add-one"}), 201)
    job = await node.take()
    assert job.digest == digest, "what was pinned, not what is served now"
    await node.judge(job)
    async with asyncio.timeout(20):
        while good(await desk.http.get("/api/admin/rejudges"))["items"][0]["state"] != "done":
            await asyncio.sleep(0.05)
    listed = good(await desk.http.get("/api/admin/rejudges"))["items"]
    assert (listed[0]["id"], listed[0]["state"]) == (rejudge["id"], "done")
    assert (await counts(rig, address))["verdict"] == "AC"
    async with rig.service.state.db.read() as session:
        events = (await session.scalars(select(TeamEvent.kind).order_by(TeamEvent.id))).all()
    assert "score.changed" in events
