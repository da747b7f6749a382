"""Tests test drives: a member of the team takes the assessment like a candidate, and it counts nowhere. Also tests assessments
that never show verdicts, and the sections that candidates see before they start.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.assessments.models import AssessmentVersion
from api.hiring.participations.deadline_sweeper import record_judged
from api.hiring.participations.models import CandidateAccount, Participation
from api.hiring.webhooks.models import TeamEvent
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging
from tests.api.hiring.taking_rig import Rig, Taker, code_of, plan_of, rig_in, sweeper_of

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team without assessments."""
    async with rig_in(home, monkeypatch) as rig:
        yield rig


async def draft(rig: Rig, **more: Any) -> None:
    """Create a draft, which the rig uses from then on."""
    body = {"name": "First round", "plan": plan_of(**more)}
    rig.assessment = (await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json=body)).json()["id"]


async def new_drive(rig: Rig) -> str:
    """Create a test drive as the owner. Return the token of its link."""
    answer = await rig.owner.http.post(f"{rig.path}/test-drives")
    assert answer.status_code == 201, answer.text
    link: str = answer.json()["link"]
    return link.rpartition("/")[2]


async def judge_all(rig: Rig) -> None:
    """Store that all answers were judged as accepted."""
    values = {"status": "judged", "verdict": "AC", "score": 4, "max_score": 4, "ended_at": rig.clock.moment}
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).values(**values))


async def take(rig: Rig, token: str) -> Taker:
    """Start, answer the challenge correctly, and finish."""
    taker = await rig.start(token)
    await taker.open()
    assert (await taker.send(RIGHT)).status_code == 201
    await judge_all(rig)
    assert (await taker.http.post("/api/participation/finish")).status_code == 200
    return taker


async def test_a_draft_is_taken_like_a_candidate_takes_it(rig: Rig) -> None:
    await draft(rig, opens_at="2099-01-01T00:00:00Z", closes_at="2099-02-01T00:00:00Z")
    token = await new_drive(rig)
    told = (await rig.service.client().get(f"/api/take/{token}")).json()
    assert (told["is_test"], told["opens_at"], told["closes_at"]) == (True, None, None)
    taker = await take(rig, token)
    state = await taker.state()
    assert state["sections"][0]["items"][0]["score"] == 10
    assert state["test_drive"] == {"team_id": rig.team, "assessment_id": rig.assessment}
    assert code_of(
        await rig.service.client().post(f"/api/take/{token}/start", json={"name": "Eve", "honour": True})
    ) == (
        410,
        "invitation_over",
    )
    listed = (await rig.owner.http.get(f"{rig.path}/test-drives")).json()["items"]
    assert [(each["participation_id"], bool(each["finished_at"])) for each in listed] == [(state["id"], True)]
    report = (await rig.owner.http.get(f"{rig.path}/participations/{state['id']}")).json()
    assert (report["is_test"], report["score"]) == (True, 10)


async def test_it_counts_nowhere(rig: Rig) -> None:
    await rig.assess()
    await take(rig, await new_drive(rig))
    await record_judged(rig.service.state.db)
    assert await rig.watched() == []
    results = (await rig.owner.http.get(f"{rig.path}/results")).json()
    assert (results["started"], results["finished"], results["people"], results["versions"]) == (0, 0, [], [])
    assert (await rig.owner.http.get(f"{rig.path}/invitations")).json()["items"] == []
    assert (await rig.owner.http.post(f"{rig.path}/similarity")).json()["answers"] == 0
    assert await rig.count(TeamEvent) == 0
    assert await rig.count(CandidateAccount) == 0
    # The same answers of a candidate do count.
    await take(rig, (await rig.invite(name="Eve"))["token"])
    assert len(await rig.watched()) == 1
    assert (await rig.owner.http.get(f"{rig.path}/results")).json()["finished"] == 1
    assert await rig.count(TeamEvent) == 2


async def test_the_plan_stays_editable_and_the_test_drive_keeps_its_own(rig: Rig) -> None:
    await rig.assess()
    taker = await rig.start(await new_drive(rig))
    shown = (await rig.owner.http.get(rig.path)).json()
    assert (shown["frozen"], shown["number"]) == (False, 1)
    changed = plan_of(minutes=10)
    changed["sections"] = changed["sections"][:1]
    saved = await rig.owner.http.put(f"{rig.path}/plan", json={"version": shown["version"], "plan": changed})
    assert (saved.json()["number"], saved.json()["frozen"]) == (2, False)
    state = await taker.state()
    assert [section["key"] for section in state["sections"]] == ["code", "quiz"]
    assert (await taker.send(RIGHT)).status_code == 409, "not opened yet"
    await taker.open()
    assert (await taker.send(RIGHT)).status_code == 201
    async with rig.service.state.db.read() as session:
        assert list(await session.scalars(select(AssessmentVersion.frozen_at))) == [None, None]
    # Nobody but members of the team has started, so the assessment can be deleted.
    assert (await rig.owner.http.delete(rig.path)).status_code == 204


async def test_a_new_one_erases_the_members_earlier_one(rig: Rig) -> None:
    await rig.assess()
    first = await take(rig, await new_drive(rig))
    await take(rig, await new_drive(rig))
    assert await rig.count(Participation) == 1
    async with rig.service.state.db.read() as session:
        assert len(list(await session.scalars(select(Account.id).where(Account.role == candidates.ROLE)))) == 1
    assert (await first.http.get("/api/participation")).status_code in (401, 404)


async def test_its_time_ends_like_a_candidates(rig: Rig) -> None:
    await rig.assess()
    taker = await rig.start(await new_drive(rig))
    rig.clock.go(minutes=61)
    await sweeper_of(rig.service).finish_overdue()
    assert (await taker.state())["finished_by"] == "deadline"


async def test_the_member_can_still_practise_the_items(rig: Rig) -> None:
    await rig.assess()
    await rig.start(await new_drive(rig))
    assert (await rig.owner.http.get("/api/challenges/add-one/hints")).status_code == 200


async def test_it_needs_a_sound_plan_and_an_assessment_in_use(rig: Rig) -> None:
    await draft(rig)
    broken = plan_of()
    broken["sections"][0]["items"][0]["choices"][0]["name"] = "gone"
    version = (await rig.owner.http.get(rig.path)).json()["version"]
    await rig.owner.http.put(f"{rig.path}/plan", json={"version": version, "plan": broken})
    assert code_of(await rig.owner.http.post(f"{rig.path}/test-drives")) == (422, "plan_unusable")
    await rig.owner.http.post(f"{rig.path}/archive")
    assert code_of(await rig.owner.http.post(f"{rig.path}/test-drives")) == (409, "assessment_archived")
    empty = (await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "Empty"})).json()["id"]
    path = f"/api/teams/{rig.team}/assessments/{empty}/test-drives"
    assert code_of(await rig.owner.http.post(path)) == (409, "no_plan")


async def test_verdicts_that_are_never_shown(rig: Rig) -> None:
    await rig.assess(verdicts="never")
    taker = await take(rig, (await rig.invite(name="Eve"))["token"])
    rig.clock.go(minutes=2)
    state = await taker.state()
    item = state["sections"][0]["items"][0]
    assert (state["verdicts"], item["verdict"], item["score"], item["sent"]) == ("never", None, None, 1)
    sent = (await taker.open())["sent"][0]
    assert (sent["status"], sent["verdict"], sent["score"]) == ("judged", None, 0)
    answer = (await taker.http.get(f"/api/participation/submissions/{sent['id']}")).json()
    assert (answer["verdict"], answer["score"], answer["tests"]) == (None, 0, [])
    assert (await rig.watched())[0]["score"] == 10


async def test_sections_are_told_before_the_start(rig: Rig) -> None:
    code, quiz = plan_of()["sections"]
    await rig.assess(sections=[{**code, "minutes": 20}, quiz])
    told = (await rig.service.client().get(f"/api/take/{(await rig.invite(name='Eve'))['token']}")).json()
    assert told["sections"] == [
        {"title": "Code", "minutes": 20, "assistant": "none", "items": 1, "follow_ups": 0},
        {"title": "Questions", "minutes": None, "assistant": "none", "items": 1, "follow_ups": 0},
    ]
    assert told["is_test"] is False
