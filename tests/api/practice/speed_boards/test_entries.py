"""Tests which answer is an account's entry, when it is measured again, and what moderators decide."""

import asyncio

import pytest
from sqlalchemy import delete, select

from api.identity.accounts.models import Account
from api.practice.leaderboards.models import Solve
from api.practice.measurements import answer_estimates, entries
from api.practice.measurements.models import SpeedBoard, SpeedEntry
from grader.contract.job import Verdict
from tests.api.practice.speed_boards.measuring_rig import (
    accepted,
    board,
    filled,
    measure,
    measure_house,
    progress,
    ranked,
    until,
)
from tests.api.running_service import WITHIN_S, Service
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


async def test_two_sessions_that_disagree_are_reviewed(service: Service, node: ScriptedNode) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    sent = await accepted(service, ada, node)
    await measure(node, 3.0)
    await measure_house(node)
    await measure(node, 2.0)
    told = await until(ada, sent, "flagged")
    assert told["rank"] is None
    assert (await board(ada))["items"] == []
    found = (await admin.http.get("/api/admin/measurements")).json()["open"]
    assert [(each["flag"], each["name"]) for each in found] == [("disagrees", "ada")]
    path = f"/api/admin/measurements/{found[0]['id']}/review"
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": " "})).status_code == 422
    assert (await ada.http.put(path, json={"decision": "accept"})).status_code == 403
    assert (await admin.http.put(path, json={"decision": "accept"})).status_code == 200
    told = await until(ada, sent, "ranked")
    assert 2.4 < told["interval"]["ratio"] < 2.5, "both sessions count"
    audit = (await admin.http.get("/api/admin/audit")).json()["items"]
    assert audit[0]["action"] == "measurement.accept"


async def test_an_answer_below_the_floor_is_reviewed_and_can_be_withdrawn(service: Service, node: ScriptedNode) -> None:
    ada, bob, admin = await service.person("ada"), await service.person("bob"), await service.admin()
    sent = await accepted(service, ada, node)
    await measure(node, 50.0, floor=1.0)
    await measure_house(node)
    await until(ada, sent, "flagged")
    entry = (await admin.http.get("/api/admin/measurements")).json()["open"][0]
    assert entry["flag"] == "floor"
    assert (await bob.http.get(f"/api/speed-entries/{entry['id']}")).status_code == 404
    assert (await ada.http.get(f"/api/speed-entries/{entry['id']}")).json()["state"] == "flagged"
    path = f"/api/admin/measurements/{entry['id']}/review"
    reason = "It keeps results between calls."
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": reason})).status_code == 200
    told = await until(ada, sent, "withdrawn")
    assert told["reason"] == reason
    pages = [await board(each) for each in (admin, ada, bob)]
    assert [[each["reason"] for each in page["withdrawn"]] for page in pages] == [[reason], [reason], []]
    decided = (await admin.http.get("/api/admin/measurements")).json()
    assert (decided["open"], decided["decided"][0]["review"]) == ([], "withdrawn")


async def test_a_ranked_entry_can_be_withdrawn_and_the_next_best_takes_its_place(
    service: Service, node: ScriptedNode
) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    first = await ranked(service, ada, node, 2.0)
    await ranked(service, ada, node, 3.0, number=1)
    assert (await progress(ada, first))["state"] == "beaten"
    [item] = (await board(ada))["items"]
    path = f"/api/admin/measurements/{item['id']}/review"
    assert (await admin.http.put(path, json={"decision": "accept"})).json()["code"] == "nothing_to_accept"
    assert (await admin.http.put(path, json={"decision": "withdraw", "reason": "No."})).status_code == 200
    assert (await progress(ada, first))["state"] == "ranked"
    assert (await admin.http.put(path, json={"decision": "accept"})).status_code == 200
    assert (await progress(ada, first))["state"] == "beaten"


async def test_an_account_keeps_its_place_while_a_better_answer_is_confirmed(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 2.0)
    sent = await accepted(service, ada, node, 1)
    await measure(node, 3.0)
    await until(ada, sent, "confirming")
    [item] = (await board(ada))["items"]
    assert (item["rank"], round(item["interval"]["ratio"], 1)) == (1, 2.0)
    await measure(node, 3.0)
    await until(ada, sent, "ranked")
    [item] = (await board(ada))["items"]
    assert round(item["interval"]["ratio"], 1) == 3.0


async def test_entries_beyond_the_first_places_need_no_confirmation(service: Service, node: ScriptedNode) -> None:
    await filled(service, [5.0 * 1.2**number for number in range(12)])
    async with service.state.db.write() as session:
        [found] = await session.scalars(select(SpeedBoard))
        found.cpu, found.torch, found.runner, found.node = "Test CPU 9000", "2.13.0", "runner-1", "node-1"
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0)
    told = await until(ada, sent, "ranked")
    assert (told["rank"], told["total"]) == (13, 13)
    # Three people above leave, so the entry is among the first ten, and is measured again.
    async with service.state.db.write() as session:
        for number in range(9, 12):
            await session.execute(delete(Account).where(Account.id == f"{number:032x}"))
        [found] = await session.scalars(select(SpeedBoard))
        await entries.confirm_top(session, found)
    await until(ada, sent, "confirming")
    await measure(node, 2.0)
    assert (await until(ada, sent, "ranked"))["rank"] == 10


async def test_the_noise_of_the_baseline_widens_all_intervals(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0)
    await until(ada, sent, "confirming")
    before = (await progress(ada, sent))["interval"]
    await measure_house(node, noise=0.05)
    async with asyncio.timeout(WITHIN_S):
        while (page := await board(ada))["board"]["noise"] < 0.04:
            await asyncio.sleep(0.02)
    after = (await progress(ada, sent))["interval"]
    assert after["low"] < before["low"]
    [item] = page["confirming"]
    assert item["interval"]["low"] == pytest.approx(after["low"])


async def test_a_solve_that_is_gone_hides_the_entry(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    await ranked(service, ada, node, 2.0)
    async with service.state.db.write() as session:
        [found] = await session.scalars(select(SpeedBoard))
        mine = (await session.scalars(select(SpeedEntry.account_id))).one()
        await session.execute(delete(Solve))
        await entries.refresh(session, found, mine)
    assert (await board(ada))["items"] == []


async def test_a_rejudge_that_rejects_the_answer_removes_the_entry(service: Service, node: ScriptedNode) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    sent = await accepted(service, ada, node)
    await measure(node, 2.0)
    await measure_house(node)
    await measure(node, 2.0)
    await until(ada, sent, "ranked")
    assert (await admin.http.post(f"/api/submissions/{sent}/rejudge")).status_code == 202
    await node.ready()
    await node.judge(await node.take(), Verdict.WA)
    told = await until(ada, sent, "cancelled")
    assert "no longer accepted" in told["reason"]
    assert (await board(ada))["items"] == []


def test_the_digest_of_code_ignores_what_does_not_run() -> None:
    plain = answer_estimates.code_digest("def f(x):\n    return x\n")
    assert answer_estimates.code_digest('"""M."""\n\ndef f(x):  # c\n    """D."""\n    return (x)\n') == plain
    assert answer_estimates.code_digest("def f(y):\n    return y\n") != plain
    assert answer_estimates.code_digest("x = " + "(" * 5000 + ")" * 5000) != plain
    assert answer_estimates.code_digest("def broken(") != plain
