"""Tests the comparison with the results of all teams that share theirs."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from api.hiring.team_comparison import percentiles
from tests.api.hiring.results.results_rig import Cohort
from tests.api.hiring.taking_rig import Rig, code_of, rig_in

pytestmark = pytest.mark.anyio


@dataclass
class Teams:
    """Three teams that share their results, each with an open assessment of the same challenge."""

    cohorts: list[Cohort]

    async def share(self, at: int, *, shares: bool = True) -> None:
        rig = self.cohorts[at].rig
        body = {"shares_results": shares}
        answer = await rig.owner.http.put(f"/api/teams/{rig.team}/result-sharing", json=body)
        assert (answer.status_code, answer.json()["shares_results"]) == (200, shares), answer.text

    async def compared(self, participation_id: str) -> list[dict[str, Any]]:
        """Return the comparisons of a candidate of the first team."""
        found: list[dict[str, Any]] = (await self.cohorts[0].told(f"/participations/{participation_id}/comparison"))[
            "items"
        ]
        return found


@pytest.fixture
async def teams(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Teams]:
    """Three sharing teams, and smaller limits, so that a test needs few candidates."""
    monkeypatch.setattr(percentiles, "LEAST_PEOPLE", 4)
    async with rig_in(home, monkeypatch) as rig:
        rigs = [rig]
        for name in ("Second", "Third"):
            made = await rig.owner.http.post("/api/teams", json={"name": name})
            rigs.append(Rig(rig.service, rig.owner, rig.clock, made.json()["id"]))
        for each in rigs:
            await each.assess()
        teams = Teams([Cohort(each) for each in rigs])
        for at in range(3):
            await teams.share(at)
        yield teams


async def test_a_result_is_compared_with_all_teams(teams: Teams) -> None:
    one, two, three = teams.cohorts
    own = await one.takes("Ann", "x = 1", 2, seconds=100)
    await one.takes("Ben", "x = 2", 4, seconds=200)
    await two.takes("Cem", "x = 3", 0, seconds=300)
    assert await teams.compared(own) == [], "three candidates of two teams are too few"
    await three.takes("Dan", "x = 4", 1, seconds=400)
    assert await teams.compared(own) == [
        {"position": 1, "better_than": 0.5, "people": 4, "teams": 3, "median_s": 250.0}
    ]
    told = await one.told()
    assert told["items"][0]["compared"] == {"people": 4, "teams": 3, "median_s": 250.0}
    assert {person["name"]: person["items"][0]["better_than"] for person in told["people"]} == {"Ann": 0.5, "Ben": 0.75}
    assert told["items"][1]["compared"] is None, "quizzes are not compared"


async def test_two_teams_are_too_few_whatever_their_number_of_candidates(teams: Teams) -> None:
    one, two, three = teams.cohorts
    own = await one.takes("Ann", "x = 1", 2)
    for name in ("Ben", "Cem", "Dan"):
        await two.takes(name, "x = 2", 4)
    assert await teams.compared(own) == [], "each team could subtract its own results and see those of the other"
    await three.takes("Eve", "x = 3", 1)
    assert len(await teams.compared(own)) == 1


async def test_leaving_takes_the_results_out_at_once(teams: Teams) -> None:
    one, two, three = teams.cohorts
    own = await one.takes("Ann", "x = 1", 2)
    for cohort in (one, two, three):
        await cohort.takes("Ben", "x = 2", 0)
    assert len(await teams.compared(own)) == 1
    await teams.share(2, shares=False)
    assert await teams.compared(own) == []
    await teams.share(2)
    await teams.share(0, shares=False)
    assert await teams.compared(own) == [], "who does not share sees no comparison"
    assert (await one.told())["items"][0]["compared"] is None


async def test_who_does_not_count(teams: Teams) -> None:
    one, two, three = teams.cohorts
    own = await one.takes("Ann", "x = 1", 2, email="ann@example.org")
    for cohort in (one, two, three):
        await cohort.takes("Ben", "x = 2", 0)
    (before,) = await teams.compared(own)
    # The same person again, with a better result in another team.
    await two.takes("Ann", "x = 3", 4, email="ann@example.org")
    # A test drive, a revoked invitation, and somebody who is still working.
    drive = await two.rig.owner.http.post(f"{two.rig.path}/test-drives")
    await two.takes_again(drive.json()["link"].rpartition("/")[2], "Member", "x = 4", 4)
    invited = await three.rig.invite()
    await three.takes_again(invited["token"], "Cem", "x = 5", 4)
    revoked = await three.rig.owner.http.post(f"{three.rig.path}/invitations/{invited['id']}/revoke")
    assert revoked.status_code in (200, 204), revoked.text
    await three.rig.start((await three.rig.invite())["token"])
    (after,) = await teams.compared(own)
    assert (before["people"], after["people"], after["better_than"]) == (4, 4, 0.75)
    # A deleted candidate.
    rows = await three.rig.watched()
    gone = next(row for row in rows if row["name"] == "Ben")
    await three.rig.owner.http.delete(f"{three.rig.path}/participations/{gone['id']}")
    assert await teams.compared(own) == []


async def test_only_owners_decide(teams: Teams) -> None:
    rig = teams.cohorts[0].rig
    stranger = await rig.service.person("bob")
    path = f"/api/teams/{rig.team}/result-sharing"
    assert code_of(await stranger.http.put(path, json={"shares_results": True}))[0] == 404
    assert (await rig.owner.http.put(path, json={"shares_results": "yes"})).status_code == 422
