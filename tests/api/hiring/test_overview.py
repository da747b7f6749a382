"""Tests what a team sees at a glance: the numbers of candidates of its assessments, what has become of each invitation, how its
candidates have done with each item, and the log of its members.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.hiring.results.results_rig import Cohort
from tests.api.hiring.taking_rig import rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """A cohort in which no candidate has taken the assessment yet."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield Cohort(rig)


async def counts(cohort: Cohort) -> dict[str, int]:
    """Return the counts of the only assessment."""
    answer = await cohort.rig.owner.http.get(f"/api/teams/{cohort.rig.team}/assessments")
    assert answer.status_code == 200, answer.text
    found: dict[str, int] = answer.json()["items"][0]["counts"]
    return found


async def decide(cohort: Cohort, participation: str, decision: str, seen: str | None = None) -> dict[str, Any]:
    """Record a decision about a candidate."""
    path = f"{cohort.rig.path}/participations/{participation}/decisions"
    answer = await cohort.rig.owner.http.post(path, json={"decision": decision, "reason": "", "seen": seen})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_counts_of_an_assessment(cohort: Cohort) -> None:
    rig = cohort.rig
    assert await counts(cohort) == {"invited": 0, "running": 0, "finished": 0, "undecided": 0}
    ann = await cohort.takes("Ann", "x = 1", 4)
    await cohort.takes("Ben", "x = 2", 2)
    await rig.start((await rig.invite())["token"])
    await rig.invite(email="dan@example.org")
    revoked = await rig.invite(email="eve@example.org")
    await rig.owner.http.post(f"{rig.path}/invitations/{revoked['id']}/revoke")
    assert await counts(cohort) == {"invited": 4, "running": 1, "finished": 2, "undecided": 2}
    await decide(cohort, ann, "advance")
    assert (await counts(cohort))["undecided"] == 1


async def test_a_test_drive_is_not_counted(cohort: Cohort) -> None:
    rig = cohort.rig
    link = (await rig.owner.http.post(f"{rig.path}/test-drives")).json()["link"]
    await rig.start(link.rpartition("/")[2])
    assert await counts(cohort) == {"invited": 0, "running": 0, "finished": 0, "undecided": 0}


async def test_an_invitation_says_what_became_of_it(cohort: Cohort) -> None:
    rig = cohort.rig
    waits = await rig.invite(name="Ann")
    ben = await cohort.takes_again((await rig.invite(name="Ben"))["token"], "Ben", "x = 2", 2)
    cem = (await rig.start((await rig.invite(name="Cem"))["token"])).http
    cem_id = (await cem.get("/api/participation")).json()["id"]
    listed = (await rig.owner.http.get(f"{rig.path}/invitations")).json()["items"]
    outcomes = {each["name"]: each["outcome"] for each in listed}
    assert waits["id"] in {each["id"] for each in listed}
    assert outcomes["Ann"] is None
    assert outcomes["Ben"] == {
        "participation_id": ben, "state": "finished", "score": 5, "points": 15, "unfinished": 0, "to_review": 0,
    }  # fmt: skip
    assert (outcomes["Cem"]["participation_id"], outcomes["Cem"]["state"]) == (cem_id, "running")


async def test_items_have_a_history_in_the_team(cohort: Cohort) -> None:
    path = f"/api/teams/{cohort.rig.team}/item-history"
    assert (await cohort.rig.owner.http.get(path)).json() == {"items": []}
    await cohort.takes("Ann", "x = 1", 4, seconds=60)
    await cohort.takes("Ben", "x = 2", 2, seconds=180)
    told = {each["name"]: each for each in (await cohort.rig.owner.http.get(path)).json()["items"]}
    # What candidates do is only for their team.
    assert (await cohort.rig.service.client().get("/api/challenge-stats")).json() == {"items": []}
    assert told["add-one"] == {
        "kind": "challenge", "name": "add-one", "people": 2, "solved": 1, "mean": 0.75, "median_s": 120,
    }  # fmt: skip
    assert (told["adding"]["kind"], told["adding"]["median_s"]) == ("quiz", None)


async def test_members_read_what_was_done(cohort: Cohort) -> None:
    rig = cohort.rig
    ann = await cohort.takes("Ann", "x = 1", 4, email="ann@example.org")
    await decide(cohort, ann, "reject")
    version = (await rig.owner.http.get(rig.path)).json()
    await rig.owner.http.put(f"{rig.path}/plan", json={"version": version["version"], "plan": version["plan"]})
    changed = {**version["plan"], "minutes": 70}
    await rig.owner.http.put(f"{rig.path}/plan", json={"version": version["version"], "plan": changed})
    assert (await rig.owner.http.delete(f"{rig.path}/participations/{ann}")).status_code == 204
    answer = await rig.owner.http.get(f"/api/teams/{rig.team}/log")
    told = [(each["action"], each["title"], each["detail"]) for each in answer.json()["items"]]
    assert told == [
        ("participation.erase", "First round", ""),
        ("assessment.save", "First round", "version 2"),
        ("participation.decide", "First round", "reject"),
        ("invitation.send", "First round", "1"),
        ("assessment.open", "First round", ""),
        ("assessment.create", "First round", ""),
    ]
    # Candidates are erased completely, so the log must not name them.
    assert "ann" not in answer.text.lower()
    assert {each["actor"] for each in answer.json()["items"]} == {(await rig.owner.http.get("/api/me")).json()["name"]}
    paged = await rig.owner.http.get(f"/api/teams/{rig.team}/log", params={"limit": 4})
    rest = await rig.owner.http.get(f"/api/teams/{rig.team}/log", params={"cursor": paged.json()["next_cursor"]})
    assert [each["action"] for each in rest.json()["items"]] == ["assessment.open", "assessment.create"]
