"""Tests the accounts of candidates. With such an account, a candidate can only take the assessment, and nobody else sees the
account. A candidate's answers are judged before practice answers.
"""

from pathlib import Path

import pytest
from sqlalchemy import select

from api.identity.accounts.models import Account
from api.judging.intake import intake
from api.judging.intake.intake import SubmissionData
from grader.contract.job import Kind
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.taking_rig import candidate_of
from tests.api.request_bodies import body_of
from tests.api.running_service import SOURCE, Service, running, settings_in
from tests.api.test_authorisation import ROUTES

pytestmark = pytest.mark.anyio
# Routes that anybody may use, but whose response depends on the account.
ASKING_WHO = {"GET /api/profiles/{profile_id}", "POST /api/guest", "DELETE /api/session"}


async def send_as(service: Service, account: Account, source: str) -> str:
    """Send a submission from this account. Return its id."""
    package = service.state.store.catalogue.get("add-one").package
    sent = SubmissionData(account.id, Kind.SUBMIT, "cpu", source, "", None, account.role)
    async with service.state.db.write() as session:
        stored = await intake.submit(session, sent, package, service.settings)
    service.state.dispatcher.wake()
    return stored.submission.id


async def test_a_candidate_may_do_nothing_else(service: Service) -> None:
    _, cookie = await candidate_of(service)
    # These two groups of routes do not accept an account's session: the routes of a candidate, and the routes for a team's
    # programs.
    others = ("/api/participation", "/api/tracking/")
    asked = {
        route for route, cells in ROUTES.items() if cells[0] == 401 and not any(other in route for other in others)
    }
    for route in asked | ASKING_WHO:
        client = service.client(cookies={"gradus_session": cookie})
        method, _, path = route.partition(" ")
        names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
        answer = await client.request(method, path.format(**dict.fromkeys(names, "0" * 32)), json=body_of(route))
        assert (answer.status_code, answer.json()["code"]) == (403, "candidate_only_takes"), route


async def test_the_cookie_of_a_candidate_signs_nobody_in(service: Service) -> None:
    _, cookie = await candidate_of(service)
    client = service.client(cookies={"gradus_take": cookie})
    assert (await client.get("/api/me")).json() is None
    assert (await client.post("/api/guest")).status_code == 201


async def test_a_candidate_is_shown_to_nobody(service: Service) -> None:
    account, _ = await candidate_of(service)
    submission = await send_as(service, account, SOURCE)
    root = await service.admin()
    listed = (await root.http.get("/api/admin/accounts")).json()["items"]
    assert account.id not in [row["id"] for row in listed]
    assert (await root.http.get("/api/admin/submissions")).json()["items"] == []
    hidden = (
        f"admin/accounts/{account.id}", f"profiles/{account.id}", f"submissions/{submission}", f"submissions/{submission}/source",
    )  # fmt: skip
    for path in hidden:
        assert (await root.http.get(f"/api/{path}")).status_code == 404, path
    assert (await root.http.get("/api/admin/overview")).json()["accounts"] == 1


async def test_a_candidate_is_judged_before_practice(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    await ada.send()
    account, _ = await candidate_of(service)
    await send_as(service, account, "x = 1")
    await send_as(service, account, "x = 2")
    owners = []
    for _ in range(3):
        await node.ready()
        owners.append((job := await node.take()).owner)
        await node.judge(job)
    assert owners[:2] == [account.id, account.id]
    assert owners[2] != account.id


async def test_what_was_written_at_the_end_is_kept_whatever_the_quota(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, unfinished_per_account=1, queue_limit=1)) as service:
        account, _ = await candidate_of(service)
        await send_as(service, account, "x = 1")
        package = service.state.store.catalogue.get("add-one").package
        sent = SubmissionData(account.id, Kind.SUBMIT, "cpu", "x = 2", "", None, account.role, last=True)
        async with service.state.db.write() as session:
            await intake.submit(session, sent, package, service.settings)
            held = await session.scalars(select(Account.id).where(Account.id == account.id))
            assert list(held) == [account.id]
