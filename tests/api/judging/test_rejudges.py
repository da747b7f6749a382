"""Tests that all submissions of a challenge can be judged again, and that a drained node gets no new jobs."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from api.judging.dispatch.connected_nodes import DRAINED
from api.judging.rejudges.service import AT_A_TIME
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import WITHIN_S, Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


async def judge_next(node: ScriptedNode, verdict: Verdict = Verdict.AC) -> None:
    await node.ready()
    await node.judge(await node.take(), verdict)


async def judged(service: Service, person: Person, node: ScriptedNode, verdict: Verdict, number: int) -> str:
    sent = await person.send(source=f"x = {number}")
    await judge_next(node, verdict)
    await person.until(sent["id"], "judged")
    return str(sent["id"])


async def until(ask: Callable[[], Awaitable[Any]], wanted: Callable[[Any], bool]) -> Any:
    async with asyncio.timeout(WITHIN_S):
        while not wanted(told := await ask()):
            await asyncio.sleep(0.05)
    return told


async def the_rejudge(admin: Person) -> Any:
    return (await admin.http.get("/api/admin/rejudges")).json()["items"][0]


async def test_a_rejudge_tells_what_it_changed(service: Service) -> None:
    admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
    ids = [await judged(service, ada, node, Verdict.WA, number) for number in range(2)]
    scratch = {"slug": "add-one", "source": "x = 1", "snippet": "print(1)"}
    await ada.http.post("/api/scratch", json=scratch)
    await judge_next(node, None)  # type: ignore[arg-type]
    size = (await admin.http.get("/api/admin/finished/add-one")).json()
    assert (size["submissions"], size["verdicts"]) == (2, [{"verdict": "WA", "count": 2}])
    begun = await admin.http.post("/api/admin/rejudges", json={"slug": "add-one"})
    assert (begun.status_code, begun.json()["waiting"]) == (201, 2)
    again = await admin.http.post("/api/admin/rejudges", json={"slug": "add-one"})
    assert (again.status_code, again.json()["code"]) == (409, "already_rejudging")
    await judge_next(node, Verdict.AC)
    await judge_next(node, Verdict.WA)
    told = await until(lambda: the_rejudge(admin), lambda row: row["state"] == "done")
    assert (told["judged"], told["waiting"], told["judging"]) == (2, 0, 0)
    assert told["outcomes"] == [
        {"before": "WA", "after": "AC", "count": 1},
        {"before": "WA", "after": "WA", "count": 1},
    ]
    changes = (await admin.http.get(f"/api/admin/rejudges/{told['id']}/changes")).json()["items"]
    assert [(row["submission_id"], row["after"]) for row in changes] == [(ids[1], "AC")]
    log = (await admin.http.get("/api/admin/audit?action=challenge.rejudge")).json()["items"]
    assert [(row["object_id"], row["detail"]["submissions"]) for row in log] == [("add-one", 2)]


async def test_a_rejudge_goes_behind_what_people_send_a_few_at_a_time(home: Path) -> None:
    write_challenge(home / "challenges")
    many = AT_A_TIME + 3
    async with running(settings_in(home, submissions_per_minute=100)) as service:
        admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
        for number in range(many):
            await judged(service, ada, node, Verdict.WA, number)
        await admin.http.post("/api/admin/rejudges", json={"slug": "add-one"})
        told = await until(lambda: the_rejudge(admin), lambda row: row["judging"] > 0)
        assert (told["judging"], told["waiting"]) == (AT_A_TIME, many - AT_A_TIME)
        fresh = await ada.send(source="x = 'fresh'")
        report = (await admin.http.get("/api/admin/queue")).json()
        assert (report["queued"], report["again"], report["judging"]) == (AT_A_TIME + 1, AT_A_TIME, 0)
        assert report["queued_oldest_s"] >= 0
        await judge_next(node)
        assert (await ada.until(fresh["id"], "judged"))["verdict"] == "AC", "it was first"
        stopped = await admin.http.post(f"/api/admin/rejudges/{told['id']}/stop")
        assert (stopped.json()["state"], stopped.json()["waiting"]) == ("stopped", many - AT_A_TIME)
        assert (await admin.http.post(f"/api/admin/rejudges/{told['id']}/stop")).status_code == 409


async def test_a_drained_node_gets_nothing_even_when_it_comes_back(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
        drained = (await admin.http.put("/api/admin/nodes/node-1/drain")).json()
        assert (drained["drained"], drained["items"][0]["drained"]) == (["node-1"], True)
        sent = await ada.send()
        await node.ready()
        assert await node.silent()
        assert DRAINED in (await ada.get(sent["id"]))["queue"]["reason"]
        node.kill()
        await until(lambda: admin.http.get("/api/admin/nodes"), lambda answer: not answer.json()["items"])
    # A drained node gets no jobs after it has restarted, nor after the service has restarted.
    async with running(settings_in(home)) as service:
        admin_again = Person(service.client())
        await admin_again.http.post("/api/session", json={"email": "root@example.org", "password": "ten characters"})
        node = await service.node()
        await node.ready()
        assert await node.silent()
        opened = await admin_again.http.delete("/api/admin/nodes/node-1/drain")
        assert opened.json()["drained"] == []
        await node.judge(await node.take())
        told = await until(lambda: admin_again.get(sent["id"]), lambda row: row["status"] == "judged")
        assert told["verdict"] == "AC"
        shown = (await admin_again.http.get("/api/admin/nodes")).json()["items"][0]
        assert (shown["judged"], shown["per_minute"], shown["faults"], shown["jobs"]) == (1, 1, 0, [])
        log = (await admin_again.http.get("/api/admin/audit?thing=node-1")).json()["items"]
        assert [row["action"] for row in log] == ["node.undrain", "node.drain"]
        assert (await admin_again.http.delete("/api/admin/nodes/node-1/drain")).status_code == 404
