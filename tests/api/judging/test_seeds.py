"""Tests the seeds from which hidden tests draw their inputs. Nobody can predict the seed of a judging, and a rejudge uses the
seed of the judging that it repeats. Also tests the limit on answers to one challenge per day.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from api.judging.intake import intake
from api.judging.queue.seeds import Seeds
from api.judging.submissions.models import Judging, SiteSecret
from api.kit.db.database import now
from grader.contract import transport
from grader.contract.job import Job
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


async def job_of_one(ada: Person, node: ScriptedNode, source: str) -> Job:
    """Send an answer and have the node judge it. Return the job that the node got."""
    sent = await ada.send(source=source)
    await node.ready()
    job = await node.take()
    await node.judge(job)
    await ada.until(sent["id"], "judged")
    return job


async def test_no_two_judgings_see_the_same_inputs(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    jobs = [await job_of_one(ada, node, f"x = {n}") for n in range(12)]
    seeds = [job.seed for job in jobs]
    assert len(set(seeds)) == 12
    assert all(0 <= seed < 2**63 for seed in seeds)
    async with service.state.db.read() as session:
        stored = {row.id: row.seed for row in await session.scalars(select(Judging))}
    assert stored == {job.id: job.seed for job in jobs}


async def test_a_seed_follows_from_the_secret_and_the_judging(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        job = await job_of_one(await service.person(), await service.node(), "x = 1")
    async with running(settings_in(home)) as service, service.state.db.write() as session:
        again, other = Seeds(), Seeds()
        await again.read(session)
        assert again.of(job.id) == job.seed, "the secret outlives the process"
        await session.execute(update(SiteSecret).values(value="5a" * 32))
        await other.read(session)
        assert other.of(job.id) != job.seed, "another site draws other inputs"


async def test_each_attempt_has_the_same_seed(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    await ada.send()
    await node.ready()
    first = await node.take()
    await node.say(transport.Fault(first.id, first.token, "no"))
    await node.ready()
    second = await node.take()
    assert (second.id, second.seed) == (first.id, first.seed)
    assert second.token != first.token


async def test_rejudge_has_the_same_seed(service: Service) -> None:
    ada, admin, node = await service.person(), await service.admin(), await service.node()
    sent = await ada.send()
    await node.ready()
    first = await node.take()
    await node.judge(first)
    await ada.until(sent["id"], "judged")
    await admin.http.post(f"/api/submissions/{sent['id']}/rejudge")
    await node.ready()
    again = await node.take()
    assert again.id != first.id
    assert again.seed == first.seed


async def test_a_judgement_on_another_seed_is_not_believed(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await node.judge(job, seed=job.seed ^ 1)
    await node.ready()
    again = await node.take()
    assert (again.id, again.seed) == (job.id, job.seed), "judged again, as a fault of ours"
    await node.judge(again)
    assert (await ada.until(sent["id"], "judged"))["verdict"] == "AC"


async def test_cap_a_day_on_one_challenge(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two")
    async with running(settings_in(home, submissions_per_challenge_a_day=2)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        for number in range(2):
            await ada.send(source=f"x = {number}")
        body = {"slug": "add-one", "kind": "submit", "source": "x = 2"}
        answer = await ada.http.post("/api/submissions", json=body)
        assert answer.status_code == 429
        assert 86_000 <= int(answer.headers["retry-after"]) <= 86_400
        message = answer.json()["message"]
        assert "2 answers to this challenge" in message
        assert re.search(r"from \d{4}-\d\d-\d\d \d\d:\d\d UTC", message)
        assert (await ada.send(kind="run", source="x = 2"))["status"] == "queued", "samples may be run"
        assert (await ada.send(slug="add-two", source="x = 2"))["status"] == "queued", "so may other challenges"
        assert (await bob.send(source="x = 2"))["status"] == "queued"
        monkeypatch.setattr(intake, "now", lambda: now() + timedelta(days=1))
        assert (await ada.send(source="x = 2"))["status"] == "queued", "a day later"
