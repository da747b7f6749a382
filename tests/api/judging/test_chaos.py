"""Tests that every submission that the service has accepted (201) gets exactly one verdict, and the right one, however nodes
fail.
"""

import asyncio
import random
from pathlib import Path

import pytest

from grader.contract import transport
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import ScriptedNode, dial, judgement_of, result_of

pytestmark = pytest.mark.anyio
SUBMISSIONS = 16


async def misbehave(node: ScriptedNode, chance: random.Random) -> None:
    """Judge one job, or fail in one of the ways in which nodes fail."""
    await node.ready()
    job = await node.offer()
    what = chance.choice(["judge", "judge", "twice", "die early", "die late", "refuse", "fault", "hang"])
    if what == "refuse":
        await node.say(transport.Refused(job.id, job.token, "busy"))
        return
    if what == "die early":
        raise ConnectionError
    await node.say(transport.Accepted(job.id, job.token))
    await node.say(transport.Progress(job.id, job.token, 1, 3, result_of("test_zero")))
    if what == "hang":
        await asyncio.sleep(0.4)
    if what == "fault":
        await node.say(transport.Fault(job.id, job.token, "a cell was lost"))
    elif what != "die late":
        await node.say(transport.Judged(judgement_of(job)))
    if what == "twice":
        await node.say(transport.Judged(judgement_of(job, Verdict.WA)))
    if what == "die late":
        raise ConnectionError


async def bad_node(service: Service, name: str) -> None:
    """Run a node that reconnects whenever it has crashed."""
    chance = random.Random(name)
    while True:
        node = await dial(service.settings.socket, name)
        try:
            while True:
                await misbehave(node, chance)
        except (ConnectionError, AssertionError, asyncio.IncompleteReadError):
            # An AssertionError means that the service sent a Cancel instead of an offer, because it has given up on this node.
            # The node then reconnects.
            pass
        finally:
            node.kill()


async def test_every_submission_ends_with_its_verdict(home: Path) -> None:
    write_challenge(home / "challenges")
    settings = settings_in(
        home, lease_s=0.3, max_faults=50, max_attempts=50, unfinished_per_account=100, fault_pause_s=0
    )
    async with running(settings) as service:
        ada = await service.person()
        nodes = [asyncio.create_task(bad_node(service, f"node-{number}")) for number in range(3)]
        sent = [(await ada.send(source=f"x = {number}"))["id"] for number in range(SUBMISSIONS)]
        async with asyncio.timeout(45):
            for submission_id in sent:
                while (await ada.get(submission_id))["status"] != "judged":
                    await asyncio.sleep(0.1)
        told = [await ada.get(submission_id) for submission_id in sent]
        for node in nodes:
            node.cancel()
        await asyncio.gather(*nodes, return_exceptions=True)
    assert [item["verdict"] for item in told] == ["AC"] * SUBMISSIONS
    assert any(item["attempt"] > 1 for item in told), "nothing went wrong: the test tests nothing"
