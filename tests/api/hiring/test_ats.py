"""Tests the API for applicant tracking systems. A team's token gives access to the routes of this API only, inviting twice with
the same reference creates one invitation, and changes are listed.
"""

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from api.hiring.ats import routes, tokens
from api.hiring.ats.models import InvitationReference, TeamToken
from api.hiring.invitations.models import Invitation
from api.hiring.participations.deadline_sweeper import record_judged
from api.judging.submissions.models import Judging
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.taking_rig import Rig, code_of, rig_in
from tests.api.requests_by_role import GENEROUS, Stage, ask
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import with_picture, write_topic, write_track

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"
ROUTES = tomllib.loads((Path(__file__).parents[1] / "authorisation.toml").read_text())["routes"]
REVOKED = 5


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment. A change appears in the list of changes immediately. In production, it appears only after
    two seconds, because a transaction that commits later may add a change with a smaller ID.
    """
    monkeypatch.setattr(routes, "SETTLED_S", -60)
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        yield rig


async def program(rig: Rig, *scopes: str, team: str = "") -> httpx.AsyncClient:
    """Return a client with a new token of the team."""
    body = {"name": "ATS", "scopes": scopes or ["invite", "read_results"]}
    made = await rig.owner.http.post(f"/api/teams/{team or rig.team}/tokens", json=body)
    assert made.status_code == 201, made.text
    return rig.service.client(headers={"Authorization": f"Bearer {made.json()['token']}"})


async def invite(one: httpx.AsyncClient, rig: Rig, reference: str = "4711", **more: Any) -> httpx.Response:
    body = {"reference": reference, "email": "eve@example.org", "name": "Eve", **more}
    return await one.post(f"/api/tracking/assessments/{rig.assessment}/invitations", json=body)


async def test_from_the_invitation_to_the_score(rig: Rig) -> None:
    ats = await program(rig)
    listed = (await ats.get("/api/tracking/assessments")).json()["items"]
    assert [(item["id"], item["name"]) for item in listed] == [(rig.assessment, "First round")]
    made = (await invite(ats, rig)).json()
    assert (made["state"], made["reference"], made["attempts"]) == ("invited", "4711", [])
    here = f"/api/tracking/invitations/{made['id']}"
    taker = await rig.start(made["link"].rpartition("/")[2])
    assert (await ats.get(here)).json()["state"] == "started"
    await taker.open()
    sent = (await taker.send(RIGHT)).json()["id"]
    await taker.http.post("/api/participation/finish")
    assert (await ats.get(here)).json()["state"] == "finished"
    async with rig.service.state.db.write() as session:
        judged = update(Judging).where(Judging.submission_id == sent)
        await session.execute(judged.values(status="judged", verdict="AC", score=4, max_score=4))
    await record_judged(rig.service.state.db)
    told = (await ats.get(here)).json()
    (attempt,) = told["attempts"]
    assert (told["state"], attempt["judged"], attempt["score"], attempt["points"]) == ("judged", True, 10, 15)
    assert (attempt["adjusted"], attempt["decision"]) == (10, "none")
    person = f"{rig.path}/participations/{attempt['id']}"
    decided = await rig.owner.http.post(f"{person}/decisions", json={"decision": "advance", "seen": None})
    assert decided.status_code == 201, decided.text
    assert (await ats.get(here)).json()["attempts"][0]["decision"] == "advance"
    assert attempt["report"] == f"{rig.service.settings.url}{rig.path.removeprefix('/api')}/people/{attempt['id']}"
    first = (await ats.get("/api/tracking/changes", params={"limit": 2})).json()
    rest = (await ats.get("/api/tracking/changes", params={"cursor": first["next_cursor"]})).json()
    assert ([item["type"].partition(".")[2] for item in first["items"] + rest["items"]], first["more"], rest["more"]) == (
        ["started", "finished", "judged", "made"], True, False,
    )  # fmt: skip
    assert {item["invitation_id"] for item in first["items"] + rest["items"]} == {made["id"]}
    nothing = (await ats.get("/api/tracking/changes", params={"cursor": rest["next_cursor"]})).json()
    assert nothing == {"items": [], "next_cursor": rest["next_cursor"], "more": False}


async def test_what_may_still_be_overtaken_is_not_told_yet(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ats = await program(rig)
    await rig.start((await rig.invite())["token"])
    assert len((await ats.get("/api/tracking/changes")).json()["items"]) == 1
    monkeypatch.setattr(routes, "SETTLED_S", 60)
    assert (await ats.get("/api/tracking/changes")).json()["items"] == []


async def test_inviting_twice_with_one_reference_invites_once(rig: Rig) -> None:
    ats = await program(rig)
    first, again = await invite(ats, rig), await invite(ats, rig, name="Another name")
    assert (first.status_code, again.status_code) == (201, 200)
    assert (again.json()["id"], again.json()["link"]) == (first.json()["id"], None)
    assert (await rig.count(Invitation), await rig.count(InvitationReference)) == (1, 1)
    assert code_of(await invite(ats, rig, email="bob@example.org")) == (409, "reference_used")
    assert code_of(await invite(ats, rig, reference="4712")) == (409, "invited_already")
    other = (await rig.owner.http.post("/api/teams", json={"name": "Others"})).json()["id"]
    theirs = await program(rig, team=other)
    assert code_of(await invite(theirs, rig)) == (404, "assessment_not_found")
    assert (await theirs.get(f"/api/tracking/invitations/{first.json()['id']}")).status_code == 404
    assert (await theirs.get("/api/tracking/assessments")).json()["items"] == []
    assert (await theirs.get("/api/tracking/changes")).json()["items"] == []


async def test_a_link_is_renewed_and_an_invitation_revoked(rig: Rig) -> None:
    ats = await program(rig, "invite")
    made = (await invite(ats, rig, email="")).json()
    here = f"/api/tracking/invitations/{made['id']}"
    newer = (await ats.post(f"{here}/link")).json()["link"]
    browser = rig.service.client()
    codes = [(await browser.get(f"/api/take/{link.rpartition('/')[2]}")).status_code for link in (made["link"], newer)]
    assert codes == [404, 200]
    assert [(await ats.post(f"{here}/revoke")).json()["state"] for _ in range(2)] == ["revoked"] * 2
    assert code_of(await ats.post(f"{here}/link")) == (409, "invitation_closed")


async def test_a_token_does_what_it_was_made_for(rig: Rig) -> None:
    inviting, reading = await program(rig, "invite"), await program(rig, "read_results")
    made = (await invite(inviting, rig)).json()["id"]
    refused = (
        await invite(reading, rig, reference="x"),
        await reading.post(f"/api/tracking/invitations/{made}/link"),
        await reading.post(f"/api/tracking/invitations/{made}/revoke"),
        await inviting.get(f"/api/tracking/invitations/{made}"),
        await inviting.get("/api/tracking/changes"),
    )
    assert [code_of(answer) for answer in refused] == [(403, "scope_missing")] * 5
    assert [(await one.get("/api/tracking/assessments")).status_code for one in (inviting, reading)] == [200, 200]


async def test_tokens_are_few_shown_once_and_can_be_revoked(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "TOKENS", 2)
    ats, _ = await program(rig), await program(rig, "invite")
    path = f"/api/teams/{rig.team}/tokens"
    full = await rig.owner.http.post(path, json={"name": "x", "scopes": ["invite"]})
    assert code_of(full) == (409, "too_many_tokens")
    assert (await ats.get("/api/tracking/changes")).status_code == 200
    listed = (await rig.owner.http.get(path)).json()["items"]
    assert [(item["scopes"], item["last_used_at"] is None) for item in listed] == [
        (["invite"], True),
        (["invite", "read_results"], False),
    ]
    secret = ats.headers["Authorization"].partition(" ")[2]
    async with rig.service.state.db.read() as session:
        row = await session.get_one(TeamToken, listed[1]["id"])
        assert secret not in {str(value) for value in vars(row).values()}
    assert (await rig.owner.http.delete(f"{path}/{listed[1]['id']}")).status_code == 204
    assert (await ats.get("/api/tracking/changes")).status_code == 401
    gone = await rig.owner.http.delete(f"{path}/{listed[1]['id']}")
    assert code_of(gone) == (404, "credential_not_found")


async def test_whoever_makes_tokens_may_leave(rig: Rig) -> None:
    ats = await program(rig)
    async with rig.service.state.db.write() as session:
        await session.execute(update(TeamToken).values(created_by=None))
    assert (await invite(ats, rig)).status_code == 201


async def test_a_token_of_a_team_opens_nothing_else(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "TOKENS", 1000)
    with_picture(write_challenge(home / "challenges"))
    write_topic(home / "challenges")
    write_track(home / "challenges")
    wrong = {}
    async with running(settings_in(home, **GENEROUS)) as service:
        stage = await Stage.set(service)
        owner = await stage.client("owner")
        for route, cells in ROUTES.items():
            if "/api/tracking/" in route:
                continue
            parameters = await stage.parameters(route)
            team = (await owner.get("/api/teams")).json()["items"] or [
                (await owner.post("/api/teams", json={"name": "Hiring"})).json()
            ]
            body = {"name": "t", "scopes": ["invite", "read_results"]}
            token = (await owner.post(f"/api/teams/{team[-1]['id']}/tokens", json=body)).json()["token"]
            client = service.client(headers={"Authorization": f"Bearer {token}"})
            answer = await ask(client, route, parameters)
            await client.aclose()
            if answer.status_code != cells[REVOKED]:
                wrong[route] = answer.status_code
    assert wrong == {}
