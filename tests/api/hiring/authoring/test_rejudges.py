"""Tests rejudges of answers to a team's own challenge on a newer version of it. At first, the new results do not count. Then
all of them are applied together, or all of them are dropped.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from api.hiring.authoring.rejudges import service as own
from api.hiring.webhooks.models import TeamEvent
from api.judging.rejudges.models import OwnRejudge
from api.judging.submissions.models import Judging, Status
from grader.contract import transport
from grader.contract.job import Verdict
from tests.api.hiring.authoring.authoring_rig import Author, files_in, good
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in
from tests.api.running_service import WITHIN_S, Person, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
ONE = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "own/add-one"}]}
OWN_PLAN = [{"key": "code", "title": "Code", "items": [ONE]}]


@dataclass
class Scene:
    """A team's own challenge, two finished participations that answered it, and a newer version that was published afterwards."""

    rig: Rig
    author: Author
    node: ScriptedNode
    takers: list[Taker]

    @property
    def path(self) -> str:
        """The URL of the challenge's rejudges."""
        return f"{self.author.one}/rejudges"

    async def begin(self, **more: Any) -> str:
        """Begin a rejudge. Return its URL."""
        body = {"assessments": [self.rig.assessment], **more}
        made = good(await self.rig.owner.http.post(self.path, json=body), 201)
        return f"{self.path}/{made['id']}"

    async def judge(self, *verdicts: Verdict) -> list[str]:
        """Judge one job per verdict, as a node does. Return the digests of the challenge versions that the jobs named."""
        digests = []
        for verdict in verdicts:
            await self.node.ready()
            job = await self.node.take()
            await self.node.judge(job, verdict)
            digests.append(job.digest)
        return digests

    async def until(self, one: str, **wanted: Any) -> dict[str, Any]:
        """Wait until the rejudge at this URL has these values. Return the rejudge."""
        return await until(self.rig.owner, one, **wanted)

    async def scores(self) -> list[float]:
        """Return the scores of all candidates, in the order in which they started."""
        return [row["score"] for row in reversed(await self.rig.watched())]


async def until(person: Person, one: str, **wanted: Any) -> dict[str, Any]:
    """Wait until the rejudge at this URL has these values. Return the rejudge."""
    async with asyncio.timeout(WITHIN_S):
        while not wanted.items() <= (told := good(await person.http.get(one))).items():
            await asyncio.sleep(0.05)
    return told


async def answered(rig: Rig, node: ScriptedNode, verdict: Verdict, number: int) -> Taker:
    """Start the assessment as a new candidate, send an answer, and judge it with this verdict."""
    taker = await rig.start((await rig.invite(name=f"Eve {number}"))["token"])
    await taker.open()
    good(await taker.send(f"def add_one(x):\n    return x + {number}\n"), 201)
    await node.ready()
    await node.judge(await node.take(), verdict)
    return taker


async def set_up(rig: Rig, home: Path) -> Scene:
    """Finish two participations, one with an accepted answer and one with a wrong answer. Then publish version 2."""
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    # The node can run the gate, but gets no submissions to judge until a test makes it report free slots.
    await node.ready(other=0)
    await author.make()
    await author.publish(node, files_in(home))
    await rig.assess(sections=OWN_PLAN)
    takers = [await answered(rig, node, verdict, number) for number, verdict in enumerate((Verdict.AC, Verdict.WA))]
    async with asyncio.timeout(WITHIN_S):
        while any(row["unfinished"] for row in await rig.watched()):
            await asyncio.sleep(0.05)
    for taker in takers:
        good(await taker.http.post("/api/participation/finish"))
    await author.publish(node, files_in(home, "Add one, anew"))
    return Scene(rig, author, node, takers)


@pytest.fixture
async def scene(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """A team with two finished participations and a newer version of its challenge."""
    async with rig_in(home, monkeypatch) as rig:
        yield await set_up(rig, home)


async def kinds(rig: Rig) -> list[str]:
    """Return the kinds of the team's recorded events, oldest first."""
    async with rig.service.state.db.read() as session:
        return list(await session.scalars(select(TeamEvent.kind).order_by(TeamEvent.id)))


async def test_nothing_counts_until_it_is_applied_and_then_all_does(scene: Scene) -> None:
    http = scene.rig.owner.http
    there = good(await http.get(f"{scene.author.one}/outdated"))
    assert (there["version"], there["assessments"][0]["people"], there["assessments"][0]["submissions"]) == (2, 2, 2)
    assert await scene.scores() == [10.0, 7.5]
    one = await scene.begin()
    again = await http.post(scene.path, json={"assessments": [scene.rig.assessment]})
    assert code_of(again) == (409, "already_rejudging")
    assert code_of(await http.post(f"{one}/apply")) == (409, "rejudge_not_ready")
    # The newest answer is judged first.
    digests = await scene.judge(Verdict.AC, Verdict.WA)
    told = await scene.until(one, state="ready")
    published = (await scene.author.look())["published"]["digest"]
    assert digests == [published, published]
    assert (told["people"], told["changed"], told["judged"], told["version"]) == (2, 2, 2, 2)
    assert await scene.scores() == [10.0, 7.5], "nothing counts yet"
    shown = good(await http.get(f"{one}/outcomes"))["items"]
    assert [(row["name"], row["verdict_before"], row["verdict_after"], row["score_after"]) for row in shown] == [
        ("Eve", "WA", "AC", 10.0), ("Eve", "AC", "WA", 7.5),
    ]  # fmt: skip
    assert good(await http.get(f"{one}/outcomes?changed=false"))["items"] == []
    first = good(await http.post(f"{one}/apply"))
    assert (first["state"], first["ended_by"], good(await http.post(f"{one}/apply"))) == ("applied", "ada", first)
    assert await scene.scores() == [7.5, 10.0]
    assert (await kinds(scene.rig)).count("score.changed") == 2
    assert code_of(await http.post(f"{one}/drop")) == (409, "rejudge_ended")
    assert good(await http.get(f"{scene.author.one}/outdated"))["assessments"] == []
    applied = good(await http.get(f"{scene.rig.path}/rejudges"))["items"]
    assert [(row["title"], row["version"], row["changed"]) for row in applied] == [("Add one, anew", 2, 2)]
    person = (await scene.rig.watched())[0]["id"]
    kept = good(await http.get(f"{scene.rig.path}/participations/{person}/rejudges"))["items"]
    assert [(row["verdict_before"], row["score_before"], row["total_before"]) for row in kept] == [("WA", 7.5, 7.5)]


async def test_a_rejudge_can_be_told_never_to_lower_a_score(scene: Scene) -> None:
    http = scene.rig.owner.http
    one = await scene.begin(never_lower=True)
    await scene.judge(Verdict.AC, Verdict.WA)
    told = await scene.until(one, state="ready")
    assert (told["never_lower"], told["people"], told["changed"]) == (True, 2, 1)
    good(await http.post(f"{one}/apply"))
    assert await scene.scores() == [10.0, 10.0], "the wrong answer became right, and the right one stayed"
    assert (await kinds(scene.rig)).count("score.changed") == 1
    left = good(await http.get(f"{scene.author.one}/outdated"))["assessments"]
    assert [row["submissions"] for row in left] == [1], "its answer still counts by the earlier version"


async def test_reports_on_paper_tell_what_was_judged_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[dict[str, Any]]] = []
    draw = scene.rig.service.state.subprocess_pool.run

    async def look(program: Path, given: bytes, limit_s: float) -> bytes:
        drawn.append(json.loads(given)["blocks"])
        return await draw(program, given, limit_s)

    monkeypatch.setattr(scene.rig.service.state.subprocess_pool, "run", look)
    person = (await scene.rig.watched())[0]["id"]
    paths = ["/results.pdf", f"/participations/{person}/report.pdf"]
    one = await scene.begin()
    await scene.judge(Verdict.AC, Verdict.WA)
    await scene.until(one, state="ready")
    for act in ("", "/apply"):
        if act:
            good(await scene.rig.owner.http.post(one + act))
        for path in paths:
            assert (await scene.rig.owner.http.get(scene.rig.path + path)).content.startswith(b"%PDF-")
    assert not [block for blocks in drawn[:2] for block in blocks if block.get("text") == "Judged again"]
    whole, own = ([block for block in blocks if "Judged with" in block.get("head", ())] for blocks in drawn[2:])
    (((title, version, applied, changed),),) = (table["rows"] for table in whole)
    assert (title, version, changed) == ("Add one, anew", "Version 2", "2 of 2")
    assert applied.endswith(" UTC, by ada")
    assert [table["rows"] for table in own] == [
        [["Add one, ours", "Version 2", "Wrong answer", "Accepted", applied, "7.5 → 10"]]
    ]


async def test_what_is_dropped_changes_nothing_and_can_be_begun_again(scene: Scene) -> None:
    http = scene.rig.owner.http
    one = await scene.begin()
    await scene.judge(Verdict.AC)
    assert good(await http.post(f"{one}/drop"))["state"] == "dropped"
    assert good(await http.post(f"{one}/drop"))["state"] == "dropped"
    assert await scene.scores() == [10.0, 7.5]
    async with scene.rig.service.state.db.read() as session:
        assert not (await session.scalars(select(Judging).where(Judging.status == Status.QUEUED))).all()
    two = await scene.begin()
    await scene.judge(Verdict.AC, Verdict.AC)
    await scene.until(two, state="ready")
    good(await http.post(f"{two}/apply"))
    assert await scene.scores() == [10.0, 10.0]
    assert code_of(await http.post(scene.path, json={"assessments": [scene.rig.assessment]})) == (
        409, "nothing_to_rejudge",
    )  # fmt: skip
    listed = good(await http.get(scene.path))["items"]
    assert [row["state"] for row in listed] == ["applied", "dropped"]


async def test_our_own_fault_costs_nobody_anything(scene: Scene) -> None:
    one = await scene.begin()
    for _ in range(3 * 2):
        await scene.node.ready()
        job = await scene.node.take()
        await scene.node.say(transport.Fault(job.id, job.token, "no memory", ""))
    told = await scene.until(one, state="ready")
    assert {row["after"] for row in told["outcomes"]} == {"JE"}
    assert told["changed"] == 0
    good(await scene.rig.owner.http.post(f"{one}/apply"))
    assert await scene.scores() == [10.0, 7.5]
    assert good(await scene.rig.owner.http.get(f"{scene.author.one}/outdated"))["assessments"] != []


async def test_a_restart_in_the_middle_loses_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig_in(home, monkeypatch) as rig:
        scene = await set_up(rig, home)
        one = await scene.begin()
        await scene.judge(Verdict.AC)
        await scene.until(one, judged=1)
    async with running(settings_in(home, sweep_s=60)) as service:
        ada = Person(service.client())
        await ada.http.post("/api/session", json={"email": "ada@example.org", "password": "ten characters"})
        scene.node = await service.node("node-2")
        await scene.judge(Verdict.WA)
        told = await until(ada, one, state="ready")
        assert (told["judged"], told["changed"]) == (2, 2)


async def test_reviewers_look_and_strangers_see_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    one, body = await scene.begin(), {"assessments": [scene.rig.assessment]}
    bea = await scene.rig.service.person("bea")
    assert code_of(await bea.http.get(one)) == (404, "team_not_found")
    there = good(await bea.http.post("/api/teams", json={"name": "Others"}), 201)["id"]
    stolen = one.replace(scene.rig.team, there)
    assert code_of(await bea.http.get(stolen)) == (404, "own_challenge_not_found")
    admin = await scene.rig.service.admin()
    assert good(await admin.http.get("/api/admin/rejudges"))["items"] == []
    rejudge_id = one.rpartition("/")[2]
    assert (await admin.http.get(f"/api/admin/rejudges/{rejudge_id}/changes")).status_code == 404
    assert (await admin.http.post(f"/api/admin/rejudges/{rejudge_id}/stop")).status_code == 404
    log = good(await admin.http.get("/api/admin/audit?action=own.rejudge"))["items"]
    assert [row["detail"]["rejudge"] for row in log] == [rejudge_id]
    good(await scene.rig.owner.http.post(f"{one}/drop"))
    monkeypatch.setattr(own, "A_DAY", 1)
    assert (await scene.rig.owner.http.post(scene.path, json=body)).status_code == 429


async def test_a_deleted_challenge_ends_its_rejudge(scene: Scene) -> None:
    await scene.begin()
    assert (await scene.rig.owner.http.delete(f"{scene.author.one}?anyway=true")).status_code == 204
    async with asyncio.timeout(WITHIN_S), scene.rig.service.state.db.read() as session:
        while (row := (await session.execute(select(OwnRejudge.state, OwnRejudge.reason))).one())[0] == "trying":
            await asyncio.sleep(0.05)
    assert tuple(row) == ("dropped", own.GONE)
