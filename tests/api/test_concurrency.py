"""Tests pairs of actions that run at the same time. On SQLite, the second action waits until the first one has committed. On
PostgreSQL, both transactions are open at once. The second action must then not rely on what it read before the first one
committed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments import versions
from api.hiring.assessments.models import Assessment
from api.hiring.plans.plan import Plan
from api.identity.accounts.models import Account, AccountSession
from api.identity.sessions import credentials
from api.judging.intake import service as submissions
from api.judging.nodes import tokens
from api.judging.rejudges import service as rejudges
from api.judging.rejudges.models import RejudgeItem
from api.judging.submissions.models import Judging, Status
from api.practice.leaderboards import service as standings
from api.practice.leaderboards.schemas import ListingView
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.taking_rig import Rig, plan_of, rig_in
from tests.api.running_service import Person, Service, running, settings_in

pytestmark = pytest.mark.anyio
T = TypeVar("T")
# This is long enough for the second action to reach the point where it waits for the locks of the first one.
A_MOMENT_S = 0.3


async def overtaken(service: Service, first: Callable[[AsyncSession], Awaitable[Any]], second: Awaitable[T]) -> T:
    """Run the first action, but begin the second one before the first one commits. Return the result of the second one."""
    async with service.state.db.write() as session:
        await first(session)
        await session.flush()
        asked = asyncio.ensure_future(second)
        await asyncio.sleep(A_MOMENT_S)
    return await asked


async def judged(service: Service, person: Person) -> str:
    node = await service.node()
    sent = await person.send()
    await node.ready()
    await node.judge(await node.take(), Verdict.WA)
    await person.until(sent["id"], "judged")
    return str(sent["id"])


async def test_nobody_signs_in_with_a_password_that_is_being_changed(service: Service) -> None:
    ada = await service.person()
    mine = Account.email == ada.email

    async def change(session: AsyncSession) -> None:
        account = (await session.scalars(select(Account).where(mine))).one()
        await session.execute(update(Account).where(mine).values(password_hash="another"))
        await credentials.revoke_all(session, AccountSession, account.id)

    signing_in = service.client().post("/api/session", json={"email": ada.email, "password": "ten characters"})
    answer = await overtaken(service, change, signing_in)
    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_credentials")


async def test_what_came_to_a_node_meanwhile_is_cancelled_all_the_same(service: Service) -> None:
    ada = await service.person()
    sent = await ada.send()
    claimed = update(Judging).values(status=Status.JUDGING, token="t", node="gone", attempt=1)
    answer = await overtaken(
        service, lambda session: session.execute(claimed), ada.http.post(f"/api/submissions/{sent['id']}/cancel")
    )
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")


async def test_of_two_rejudges_of_a_submission_one_comes_too_late(service: Service) -> None:
    admin = await service.admin()
    sent = await judged(service, await service.person())
    package = service.state.store.catalogue.get("add-one").package

    async def rejudge(session: AsyncSession) -> None:
        row = (await session.scalars(select(Judging).where(Judging.submission_id == sent))).one()
        await submissions.rejudge(session, row, package, None)

    answer = await overtaken(service, rejudge, admin.http.post(f"/api/submissions/{sent}/rejudge"))
    assert (answer.status_code, answer.json()["code"]) == (409, "not_finished")


async def test_a_trial_and_a_rejudge_of_a_submission_have_numbers_of_their_own(service: Service) -> None:
    admin = await service.admin()
    sent = await judged(service, await service.person())
    package = service.state.store.catalogue.get("add-one").package

    async def attempt(session: AsyncSession) -> None:
        row = (await session.scalars(select(Judging).where(Judging.submission_id == sent))).one()
        await submissions.queue_trial(session, row, package)

    answer = await overtaken(service, attempt, admin.http.post(f"/api/submissions/{sent}/rejudge"))
    assert (answer.status_code, answer.json()["judging"]) == (202, 3)


async def test_of_two_processes_one_queues_the_next_of_a_rejudge(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, poll_s=60)) as service:
        admin = await service.admin()
        await judged(service, await service.person())
        begun = (await admin.http.post("/api/admin/rejudges", json={"slug": "add-one"})).json()
        package = service.state.store.catalogue.get("add-one").package

        async def step(session: AsyncSession) -> int | None:
            row = await rejudges.find_open(session, begun["id"])
            return await rejudges.step(session, row, package, service.state.store) if row else None

        async def other() -> int | None:
            async with service.state.db.write() as session:
                return await step(session)

        assert await overtaken(service, step, other()) == 0, "what the first one has queued is under way"
        async with service.state.db.read() as session:
            assert list(await session.scalars(select(RejudgeItem.number))) == [2]


async def test_who_starts_while_the_plan_is_saved_gets_the_new_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        token = (await rig.invite())["token"]

        async def save(session: AsyncSession) -> None:
            query = select(Assessment).where(Assessment.id == rig.assessment).with_for_update()
            shorter = Plan.model_validate({**plan_of(), "minutes": 30})
            await versions.keep(session, (await session.scalars(query)).one(), shorter)

        assert await overtaken(rig.service, save, left_s(rig, token)) == 30 * 60


async def left_s(rig: Rig, token: str) -> int:
    taker = await rig.start(token)
    return int((await taker.state())["left_s"])


async def test_two_who_write_down_the_same_for_the_first_time_are_both_heard(service: Service) -> None:
    ada = await service.person()
    told = (await ada.http.get("/api/me")).json()

    async def list_as(session: AsyncSession) -> None:
        await standings.change_listing(session, told["id"], ListingView(listed=True, name="Ada L."))

    saving: Awaitable[httpx.Response] = ada.http.put("/api/me/listing", json={"listed": False, "name": "A."})
    answer = await overtaken(service, list_as, saving)
    assert (answer.status_code, answer.json()["name"]) == (200, "A.")

    async def token() -> str:
        async with service.state.db.write() as session:
            return await tokens.make(session, "gpu-1")

    assert await overtaken(service, lambda session: tokens.make(session, "gpu-1"), token())
