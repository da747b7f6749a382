"""Tests measurements from the accepted verdict to the place on the board, with failures in between."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.judging.submissions.models import Judging
from api.practice.measurements import answer_estimates
from api.practice.measurements.models import Measurement
from api.practice.running_interviews.models import Interview, InterviewItem
from grader.contract import transport
from grader.contract.job import Verdict
from grader.contract.measurement import Measured, Measuring
from tests.api.practice.speed_boards.measuring_rig import (
    accepted,
    answer,
    asked,
    board,
    measure,
    measure_house,
    progress,
    source,
    until,
    write_scored,
)
from tests.api.running_service import WITHIN_S, Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A running service with a scored challenge and one that is not."""
    write_scored(home / "challenges")
    write_scored(home / "challenges", "add-two", title="Add two")
    (home / "challenges" / "scored" / "add-two.toml").unlink()
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


@pytest.fixture
async def node(service: Service) -> ScriptedNode:
    return await service.node(measures=True)


async def rows(service: Service, *where: Any) -> list[Measurement]:
    async with service.state.db.read() as session:
        return list(await session.scalars(select(Measurement).where(*where).order_by(Measurement.id)))


async def soon(check: Callable[[Any], bool], person: Person) -> Any:
    """Wait until the board looks like this."""
    async with asyncio.timeout(WITHIN_S):
        while not check(page := await board(person)):
            await asyncio.sleep(0.02)
    return page


async def test_an_accepted_answer_is_measured_confirmed_and_ranked(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    assert (await board(ada))["board"] is None
    sent = await accepted(service, ada, node)
    message = await asked(node)
    assert (message.slug, message.source, message.plan.sizes[-1].size) == ("add-one", source(0), 256)
    assert message.plan.baseline.startswith("def add_one")
    await node.say(Measuring(message.id, message.token, 5, 0.08))
    async with asyncio.timeout(WITHIN_S):
        while (told := await progress(ada, sent))["pairs"] != 5:
            await asyncio.sleep(0.02)
    assert (told["state"], told["half_width"]) == ("running", 0.08)
    await answer(node, message, 3.2)
    told = await until(ada, sent, "confirming")
    assert told["rank"] is None
    page = await board(ada)
    assert (page["items"], [each["name"] for each in page["confirming"]]) == ([], ["ada"])
    # The challenge's own answers are queued when the board begins, before the confirmation.
    again = []
    for _ in range(7):
        message = await asked(node)
        again += [message] if message.source == source(0) else []
        await answer(node, message, 3.1 if message.source == source(0) else 4.0 if "lambda" in message.source else 1.0)
    assert len(again) == 1
    told = await until(ada, sent, "ranked")
    assert (told["rank"], told["total"]) == (1, 1)
    assert 3.1 < told["interval"]["ratio"] < 3.2
    page = await soon(lambda page: len(page["house"]) == 2, ada)
    assert [(each["role"], round(each["interval"]["ratio"], 2)) for each in page["house"]] == [
        ("baseline", 1.0),
        ("library", 4.0),
    ]
    assert [(each["rank"], each["name"]) for each in page["items"]] == [(1, "ada")]
    assert (page["board"]["cpu"], page["board"]["current"], page["board"]["noise"]) == ("Test CPU 9000", True, 0.01)
    seeds = {each.id for each in await rows(service)}
    assert len(seeds) == 8, "each session has an ID and thus a seed of its own"


async def test_each_session_has_another_seed(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    await accepted(service, ada, node)
    seeds = [(await measure(node, 2.0)).seed for _ in range(8)]
    assert len(set(seeds)) == 8


async def test_only_accepted_answers_to_scored_challenges_are_measured(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    wrong = await ada.send(source=source(7))
    await node.ready()
    await node.judge(await node.take(), Verdict.WA)
    await ada.until(wrong["id"], "judged")
    plain = await accepted(service, ada, node, slug="add-two")
    run = await ada.send(kind="run", source=source(8))
    await node.ready()
    await node.judge(await node.take())
    await ada.until(run["id"], "judged")
    assert [await progress(ada, each) for each in (wrong["id"], plain, run["id"])] == [None] * 3
    assert (await ada.http.get("/api/boards/speed/add-two")).json()["code"] == "not_scored"
    assert await rows(service) == []


async def test_guests_and_interviews_are_left_out(service: Service, node: ScriptedNode) -> None:
    guest = Person(service.client())
    assert (await guest.http.post("/api/guest")).status_code == 201
    assert await progress(guest, await accepted(service, guest, node)) is None
    ada = await service.person("ada")
    sent = await ada.send(source=source(1))
    async with service.state.db.write() as session:
        row = (await session.scalars(select(Judging).where(Judging.submission_id == sent["id"]))).one()
        began, deadline = row.queued_at.replace(year=2000), row.queued_at.replace(year=2100)
        common: dict[str, Any] = {
            "level": "junior",
            "minutes": 30,
            "sections": "[]",
            "track": "",
            "seed": 1,
            "ended_at": None,
        }
        interview = Interview(
            id="1" * 32,
            account_id=row.account_id,
            started_at=began,
            deadline=deadline,
            **common,
        )
        session.add(interview)
        await session.flush()
        item: dict[str, Any] = {"kind": "challenge", "name": "add-one", "topic": "", "attempt_id": None, "minutes": 5}
        session.add(InterviewItem(interview_id=interview.id, position=1, **item))
    await node.ready()
    await node.judge(await node.take())
    await ada.until(sent["id"], "judged")
    assert await progress(ada, sent["id"]) is None


async def test_the_same_code_is_measured_once(service: Service, node: ScriptedNode) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    first = await accepted(service, ada, node)
    await measure(node, 2.0)
    await measure_house(node)
    await measure(node, 2.0)
    await until(ada, first, "ranked")
    sent = await ada.send(source='"""Explained."""\n' + source(0) + "# and commented\n")
    await node.ready()
    await node.judge(await node.take())
    await node.ready(other=0)
    await ada.until(sent["id"], "judged")
    told = await until(ada, sent["id"], "ranked")
    assert (told["rank"], told["submission_id"]) == (1, sent["id"])
    assert await node.silent(), "nothing more is measured"
    # Of another account, the same code is measured.
    other = await accepted(service, bob, node)
    message = await asked(node)
    assert (await progress(bob, other))["state"] == "running"
    assert message.source == source(0)


async def test_an_answer_that_fails_in_the_chain_says_why(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    message = await asked(node)
    await node.say(Measured(message.id, message.token, message="Call 3 returned another value."))
    told = await until(ada, sent, "failed")
    assert told["reason"] == "Call 3 returned another value."
    assert (await board(ada))["board"] is None


async def test_a_lost_node_or_process_loses_no_measurement(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    first = await asked(node)
    node.kill()
    other = await service.node("node-2", measures=True)
    second = await asked(other)
    assert (second.id, second.token != first.token, second.seed) == (first.id, True, first.seed)
    # A process that died leaves a row with its token.
    async with service.state.db.write() as session:
        await session.execute(update(Measurement).values(token="f" * 24 + "00000000"))
    assert isinstance(await other.hear(), transport.Cancel)
    third = await asked(other)
    await answer(other, second, 9.0)
    await answer(other, third, 2.0)
    told = await until(ada, sent, "confirming")
    assert told["interval"]["ratio"] == pytest.approx(2.0)


async def test_a_busy_machine_is_tried_again_and_then_the_answer_is_not_ranked(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0, shared="another program used the processor")
    for _ in range(8):
        message = await asked(node)
        busy = {"shared": "another program used the processor"} if message.source == source(0) else {}
        await answer(node, message, 2.0, **busy)
    told = await until(ada, sent, "not_ranked")
    assert "too busy" in told["reason"]
    assert len(await rows(service, Measurement.role == "")) == 3
    # Submitting it again measures it again.
    sent = await accepted(service, ada, node)
    await asked(node)
    assert (await progress(ada, sent))["state"] == "running"


async def test_an_answer_that_varies_too_much_has_no_place(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 2.0, std_error=answer_estimates.WIDEST * 1.1)
    told = await until(ada, sent, "not_ranked")
    assert "vary" in told["reason"]
    assert (await board(ada))["items"] == []


async def test_a_change_of_the_chain_cancels_what_waits_and_begins_a_new_board(service: Service, home: Path) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    judge = await service.node("judge")
    sent = await accepted(service, ada, judge)
    chain = home / "challenges" / "scored" / "add-one.py"
    chain.write_text(chain.read_text() + "# changed\n")
    assert (await admin.http.post("/api/admin/catalogue/reload")).status_code == 200
    node = await service.node("measurer", measures=True)
    told = await until(ada, sent, "cancelled")
    assert "changed" in told["reason"]
    sent = await accepted(service, ada, judge, 1)
    message = await asked(node)
    assert message.plan.chain.endswith("# changed\n")


async def test_one_account_cannot_keep_the_node_busy(service: Service) -> None:
    judge = await service.node("judge")
    ada, bob = await service.person("ada"), await service.person("bob")
    for number in range(3):
        await accepted(service, ada, judge, number)
    await accepted(service, bob, judge, 9)
    node = await service.node("measurer", measures=True)
    order = []
    for _ in range(2):
        message = await asked(node)
        order.append(message.source)
        await node.say(Measured(message.id, message.token, message="It fails."))
    assert order == [source(0), source(9)]
