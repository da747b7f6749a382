"""Tests judging from the 201 response to the verdict, with failures in between."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.dispatch import verdicts
from api.judging.queue import claims
from api.judging.queue.claims import Capacity, ClaimPolicy, Claims
from api.judging.submissions.models import Judging
from api.kit.db.database import now
from grader.contract import transport
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import judgement_of, result_of

pytestmark = pytest.mark.anyio


async def test_submission_is_judged_and_every_test_is_told(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    assert (sent["status"], sent["verdict"], sent["queue"]["position"]) == ("queued", None, 1)
    await node.ready()
    job = await node.take()
    assert (job.kind, job.slug, job.source) == ("submit", "add-one", "def add_one(x):\n    return x + 1\n")
    await node.judge(job)
    told = await ada.until(sent["id"], "judged")
    assert (told["verdict"], told["score"], told["max_score"], told["attempt"]) == ("AC", 4, 4, 1)
    assert [test["stdout"] for test in told["tests"]] == ["printed", "", ""], "hidden tests show no output"
    assert str(job.seed) not in str(told), "seeds are never shown"


async def test_wrong_answer_shows_where(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    await node.judge(await node.take(), Verdict.WA)
    told = await ada.until(sent["id"], "judged")
    assert (told["verdict"], told["score"], told["tests"][-1]["message"]) == ("WA", 3, "Look at it again.")


async def test_run_is_judged_by_samples_and_scratch_without_verdict(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    run = await ada.send(kind="run")
    await node.ready()
    await node.judge(await node.take())
    assert (await ada.until(run["id"], "judged"))["max_score"] == 1
    body = {"slug": "add-one", "source": "x = 1", "snippet": "print(x)"}
    scratch = (await ada.http.post("/api/scratch", json=body)).json()
    await node.ready()
    job = await node.take()
    assert (job.kind, job.snippet) == ("scratch", "print(x)")
    await node.say(transport.Judged(judgement_of(job, None, tests=(), score=0, max_score=0, output="1\n")))
    told = await ada.until(scratch["id"], "judged")
    assert (told["verdict"], told["output"]) == (None, "1\n")


async def test_killed_node_loses_nothing_and_it_is_judged_once(service: Service) -> None:
    ada, first = await service.person(), await service.node("first")
    sent = await ada.send()
    await first.ready()
    old = await first.take()
    await first.say(transport.Progress(old.id, old.token, 1, 3, result_of("test_zero")))
    first.kill()
    second = await service.node("second")
    await second.ready()
    job = await second.take()
    assert (job.id, job.token != old.token) == (old.id, True)
    await second.judge(job)
    told = await ada.until(sent["id"], "judged")
    assert (told["verdict"], told["attempt"]) == ("AC", 2)


async def test_late_judgement_of_an_expired_lease_is_discarded(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, lease_s=0.3)) as service:
        ada, slow = await service.person(), await service.node("slow")
        sent = await ada.send()
        await slow.ready()
        old = await slow.take()
        cancel = await slow.hear()
        assert isinstance(cancel, transport.Cancel), "the node is told to stop what is no longer its own"
        assert cancel.token == old.token
        quick = await service.node("quick")
        await quick.ready()
        job = await quick.take()
        await slow.judge(old, Verdict.WA)
        await quick.judge(job)
        assert (await ada.until(sent["id"], "judged"))["verdict"] == "AC"
        await slow.judge(old, Verdict.WA)
        await asyncio.sleep(0.1)
        assert (await ada.get(sent["id"]))["verdict"] == "AC"


async def test_judgement_that_arrives_twice_counts_once(service: Service) -> None:
    """NATS can deliver the report of a finished attempt twice, for example to two processes of the service. Only the first
    report may count. The token of the attempt does not distinguish them, because it is still stored when the second report
    arrives.
    """
    ada, node = await service.person(), await service.node()
    counted: list[Judging] = []

    async def follow(_: AsyncSession, rows: Sequence[Judging]) -> None:
        counted.extend(rows)

    service.state.dispatcher.on_judged.append(follow)
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await node.judge(job)
    told = await ada.until(sent["id"], "judged")
    await verdicts.write(service.state.dispatcher, [("node-1", judgement_of(job, Verdict.WA))])
    assert await ada.get(sent["id"]) == told
    assert [row.id for row in counted] == [job.id]


async def test_heartbeats_keep_a_lease(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, lease_s=0.5)) as service:
        ada, node = await service.person(), await service.node()
        sent = await ada.send()
        await node.ready()
        job = await node.take()
        for _ in range(8):
            await node.say(transport.Heartbeat((job.token,)))
            await asyncio.sleep(0.1)
        await node.judge(job)
        assert (await ada.until(sent["id"], "judged"))["attempt"] == 1


async def test_clock_that_was_set_back_holds_nobody_up(home: Path) -> None:
    """Judging must continue after the clock is set back by an hour. Two stored times are then an hour in the future: the time
    before which a judging must not start, and the time at which a node's lease on it ends. The test moves these times instead
    of the clock.
    """
    write_challenge(home / "challenges")
    async with running(settings_in(home, lease_s=0.5)) as service:
        ada, first = await service.person(), await service.node("first")
        sent = await ada.send()
        await set_ahead(service, "not_before")
        await first.ready()
        lost = await first.take()
        await set_ahead(service, "lease_until")
        assert isinstance(await first.hear(), transport.Cancel)
        second = await service.node("second")
        await second.ready()
        job = await second.take()
        assert (job.id, job.token != lost.token) == (lost.id, True)
        await second.judge(job)
        assert (await ada.until(sent["id"], "judged"))["verdict"] == "AC"


async def set_ahead(service: Service, column: str) -> None:
    async with service.state.db.write() as session:
        await session.execute(update(Judging).values({column: now() + timedelta(hours=1)}))


async def test_judgement_sent_twice_counts_once(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await node.judge(job)
    await node.say(transport.Judged(judgement_of(job, Verdict.WA)))
    told = await ada.until(sent["id"], "judged")
    await asyncio.sleep(0.1)
    assert await ada.get(sent["id"]) == told
    assert told["verdict"] == "AC"


async def test_three_faults_end_in_judge_error_and_a_rejudge_is_possible(service: Service) -> None:
    ada, admin, node = await service.person(), await service.admin(), await service.node()
    sent = await ada.send()
    for _ in range(3):
        await node.ready()
        job = await node.take()
        await node.say(transport.Fault(job.id, job.token, "the cell was lost", "Traceback …"))
    told = await ada.until(sent["id"], "judged")
    assert (told["verdict"], told["score"]) == ("JE", 0)
    assert "does not count" in told["message"]
    assert "the cell was lost" not in told["message"]
    assert "Traceback" not in told["message"]
    again = await admin.http.post(f"/api/submissions/{sent['id']}/rejudge")
    assert (again.status_code, again.json()["judging"], again.json()["status"]) == (202, 2, "queued")
    await node.ready()
    await node.judge(await node.take())
    assert (await ada.until(sent["id"], "judged"))["verdict"] == "AC"


async def test_node_that_faults_is_avoided_when_there_is_another(service: Service) -> None:
    ada, bad, good = await service.person(), await service.node("bad"), await service.node("good")
    await ada.send()
    await bad.ready()
    job = await bad.take()
    await bad.say(transport.Fault(job.id, job.token, "no"))
    await bad.ready()
    assert await bad.silent()
    await good.ready()
    assert (await good.take()).id == job.id


async def test_refused_offer_costs_no_attempt(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    for _ in range(4):
        await node.ready()
        job = await node.offer()
        await node.say(transport.Refused(job.id, job.token, "busy"))
    await node.ready()
    await node.judge(await node.take())
    assert (await ada.until(sent["id"], "judged"))["attempt"] == 1


async def test_nothing_is_offered_beyond_the_free_slots(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    for number in range(3):
        await ada.send(source=f"x = {number}")
    await node.ready(other=2)
    jobs = [await node.take(), await node.take()]
    assert await node.silent()
    await node.judge(jobs[0])
    await node.ready(other=1)
    assert (await node.take()).source == "x = 2"


async def test_a_free_slot_begins_no_transaction_while_nothing_waits(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, node = await service.person(), await service.node()
    begun = asyncio.Queue[None]()
    claim = claims.claim

    async def counted(session: AsyncSession, capacity: Capacity, policy: ClaimPolicy) -> Claims:
        begun.put_nowait(None)
        return await claim(session, capacity, policy)

    monkeypatch.setattr(claims, "claim", counted)
    await node.ready()
    assert await node.silent()
    assert begun.empty()
    await ada.send()
    await node.take()
    assert begun.qsize() == 1


async def test_acceptance_without_evidence_is_a_fault(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await node.say(transport.Judged(judgement_of(job, tests=(result_of("test_zero"),))))
    await node.ready()
    again = await node.take()
    assert again.token != job.token
    assert (await ada.get(sent["id"]))["verdict"] is None


async def test_restarted_service_judges_a_full_queue(home: Path) -> None:
    write_challenge(home / "challenges")
    settings = settings_in(home)
    async with running(settings) as service:
        ada = await service.person()
        cookies = ada.http.cookies
        sent = [await ada.send(source=f"x = {number}") for number in range(4)]
        node = await service.node()
        await node.ready()
        old = await node.take()
    async with running(settings) as service:
        ada.http = service.client(cookies=cookies)
        node = await service.node()
        for _ in sent:
            await node.ready()
            job = await node.take()
            assert job.token != old.token
            await node.judge(job)
        told = [await ada.until(item["id"], "judged") for item in sent]
        assert [item["verdict"] for item in told] == ["AC"] * 4


async def test_garbage_from_a_node_ends_its_connection_only(service: Service) -> None:
    ada, bad = await service.person(), await service.node("bad")
    sent = await ada.send()
    await bad.ready()
    job = await bad.take()
    bad.writer.write(b"\x00\x00\x00\x05hello")
    assert await bad.reader.read() == b""
    good = await service.node("good")
    await good.ready()
    assert (await good.take()).id == job.id
    assert (await ada.get(sent["id"]))["attempt"] == 2
