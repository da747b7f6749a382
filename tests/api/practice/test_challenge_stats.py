"""Tests figures about challenges: solvers, accepted submissions, and how an accepted answer compares with others."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with a medium challenge."""
    write_challenge(home / "challenges", difficulty="medium")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


async def judge(node: ScriptedNode, person: Person, verdict: Verdict = Verdict.AC, **more: Any) -> str:
    """Submit an answer and judge it. Return the submission's id."""
    sent = await person.send(**({"kind": more.pop("kind")} if "kind" in more else {}))
    await node.ready()
    await node.judge(await node.take(), verdict, **more)
    await person.until(sent["id"], "judged")
    return str(sent["id"])


async def compared(person: Person, submission: str) -> dict[str, Any]:
    answer = await person.http.get(f"/api/submissions/{submission}/comparison")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_solvers_are_people_and_only_judged_submissions_count(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada, Verdict.WA)
    await judge(node, ada)
    await judge(node, ada)
    await judge(node, bob, Verdict.RE)
    await judge(node, bob, kind="run")
    await bob.send()
    answer = await service.client().get("/api/challenge-stats")
    assert answer.json() == {
        "items": [{"slug": "add-one", "solvers": 1, "submissions": 4, "accepted": 2, "comments": 0}]
    }
    again = await service.client().get("/api/challenge-stats", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


async def test_an_accepted_answer_is_compared_with_those_of_five_others(service: Service) -> None:
    node, ada = await service.node(), await service.person("ada")
    wrong = await judge(node, ada, Verdict.WA)
    assert (await ada.http.get(f"/api/submissions/{wrong}/comparison")).status_code == 409
    own = await judge(node, ada, cpu_s=0.3, memory_mb=20.0)
    alone = {"compared": 0, "beats_cpu": None, "beats_memory": None, "earned": 20, "reason": None}
    assert await compared(ada, own) == alone
    for number in range(5):
        other = await service.person(f"other{number}")
        await judge(node, other, cpu_s=(0.1, 0.2, 0.3, 0.4, 0.5)[number], memory_mb=10.0)
    found = await compared(ada, own)
    assert found["compared"] == 5
    assert found["beats_cpu"] == pytest.approx(0.4), "0.4 and 0.5 s are slower; an equal time is not"
    assert found["beats_memory"] == 0.0
    second = await compared(ada, await judge(node, ada))
    assert (second["earned"], second["reason"]) == (0, "solved_before")
    assert (await other.http.get(f"/api/submissions/{own}/comparison")).status_code == 404
