"""Tests the rules of an item: how much of a result candidates see, how often they can submit, and how soon again."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from grader.contract.job import Verdict
from tests.api.hiring.taking_rig import Rig, Taker, code_of, plan_of, rig_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
RIGHT, WRONG = "def add_one(x):\n    return x + 1\n", "def add_one(x):\n    return x\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team without assessments. After one fault of a node, an answer ends with a judge error."""
    async with rig_in(home, monkeypatch, max_faults=1) as rig:
        yield rig


async def begun(rig: Rig, verdicts: str = "at_once", **rules: Any) -> Taker:
    """Start an assessment whose challenge has these rules, and open the challenge."""
    sections = plan_of()["sections"]
    sections[0]["items"][0] |= rules
    await rig.assess(sections=sections, verdicts=verdicts)
    taker = await rig.start((await rig.invite(name="Eve"))["token"])
    await taker.open()
    return taker


async def judged(taker: Taker, node: ScriptedNode, source: str, verdict: Verdict | None, kind: str = "submit") -> Any:
    """Submit code and judge it. Return the submission as the candidate sees it."""
    sent = await taker.send(source, kind)
    assert sent.status_code == 201, sent.text
    await node.ready()
    await node.judge(await node.take(), verdict)
    path = f"/api/participation/submissions/{sent.json()['id']}"
    async with asyncio.timeout(10):
        while (told := (await taker.http.get(path)).json())["status"] != "judged":
            await asyncio.sleep(0.02)
    return told


async def card(taker: Taker) -> dict[str, Any]:
    """Return the item in the list of all items."""
    found: dict[str, Any] = (await taker.state())["sections"][0]["items"][0]
    return found


async def test_without_rules_everything_is_shown(rig: Rig) -> None:
    taker, node = await begun(rig), await rig.service.node()
    told = await judged(taker, node, WRONG, Verdict.WA)
    assert [test["message"] for test in told["tests"]] == ["", "", "Look at it again."]
    assert (await taker.open())["rules"] == {
        "feedback": "everything", "submissions": None, "left": None, "pause_s": None, "next_at": None,
    }  # fmt: skip
    assert (await card(taker))["submissions_left"] is None


async def test_only_the_names_of_tests(rig: Rig) -> None:
    taker, node = await begun(rig, feedback="names"), await rig.service.node()
    told = await judged(taker, node, WRONG, Verdict.WA)
    hidden = [test for test in told["tests"] if not test["sample"]]
    assert [(test["title"], test["verdict"]) for test in hidden] == [
        ("secret number", "AC"), ("marked but not locked", "WA"),
    ]  # fmt: skip
    assert {(test["message"], test["stdout"]) for test in hidden} == {("", "")}
    sample = next(test for test in told["tests"] if test["sample"])
    assert (sample["stdout"], told["score"], (await card(taker))["score"]) == ("printed", 3, 7.5)


async def test_only_the_verdict(rig: Rig) -> None:
    taker, node = await begun(rig, feedback="verdict"), await rig.service.node()
    told = await judged(taker, node, WRONG, Verdict.WA)
    assert (told["verdict"], told["tests"], told["score"], told["max_score"], told["message"]) == ("WA", [], 0, 0, "")
    shown = await card(taker)
    assert (shown["verdict"], shown["score"]) == ("WA", None)
    assert [(each["verdict"], each["score"]) for each in (await taker.open())["sent"]] == [("WA", 0)]
    samples = await judged(taker, node, WRONG, Verdict.AC, kind="run")
    assert [test["stdout"] for test in samples["tests"]] == ["printed"], "samples are public"
    # The team sees everything.
    one = (await rig.watched())[0]
    assert one["score"] == 7.5
    sent = (await rig.owner.http.get(f"{rig.path}/participations/{one['id']}/submissions/{told['id']}")).json()
    assert len(sent["submission"]["tests"]) == 3


async def test_verdicts_after_the_end_follow_the_rules_too(rig: Rig) -> None:
    taker, node = await begun(rig, verdicts="after", feedback="verdict"), await rig.service.node()
    sent = await judged_later(taker, node)
    await taker.http.post("/api/participation/finish")
    told = (await taker.http.get(f"/api/participation/submissions/{sent}")).json()
    assert (told["verdict"], told["tests"]) == ("WA", [])


async def judged_later(taker: Taker, node: ScriptedNode) -> str:
    """Submit a wrong answer and judge it, while verdicts are hidden. Return the id of the submission."""
    sent: str = (await taker.send(WRONG)).json()["id"]
    await node.ready()
    await node.judge(await node.take(), Verdict.WA)
    return sent


async def test_submissions_are_counted_and_end(rig: Rig) -> None:
    taker, node = await begun(rig, submissions=2), await rig.service.node()
    assert (await card(taker))["submissions_left"] == 2
    await judged(taker, node, WRONG, Verdict.WA)
    await judged(taker, node, WRONG, Verdict.AC, kind="run")
    assert (await taker.open())["rules"]["left"] == 1, "a run of the samples does not count"
    await judged(taker, node, RIGHT + "# 2\n", None)
    assert (await taker.open())["rules"]["left"] == 1, "a judge error is no fault of the candidate"
    await judged(taker, node, RIGHT, Verdict.WA)
    assert (await card(taker))["submissions_left"] == 0
    assert code_of(await taker.send(RIGHT + "# 3\n")) == (409, "no_submissions_left")
    assert (await taker.send(RIGHT, "run")).status_code == 201
    # The last draft would be one more submission.
    assert (await taker.save("y = 1\n", 1)).status_code == 200
    await taker.http.post("/api/participation/finish")
    assert (await card(taker))["sent"] == 3


async def test_the_last_draft_is_submitted_while_one_is_left(rig: Rig) -> None:
    taker = await begun(rig, submissions=1, pause_s=600)
    assert (await taker.save(RIGHT, 1)).status_code == 200
    await taker.http.post("/api/participation/finish")
    assert (await card(taker))["sent"] == 1


async def test_a_pause_between_two_submissions(rig: Rig) -> None:
    taker = await begun(rig, pause_s=120)
    sent = await taker.send(WRONG)
    assert sent.status_code == 201
    rules = (await taker.open())["rules"]
    assert (rules["pause_s"], rules["left"], rules["next_at"] > sent.json()["created_at"]) == (120, None, True)
    rig.clock.to(rules["next_at"], seconds=-30)
    refused = await taker.send(RIGHT)
    assert code_of(refused) == (429, "too_many_requests")
    assert refused.headers["Retry-After"] == "30"
    assert (await taker.send(RIGHT, "run")).status_code == 201
    rig.clock.to(rules["next_at"])
    assert (await taker.send(RIGHT)).status_code == 201


@pytest.mark.parametrize(
    ("field", "value"), [("submissions", 0), ("submissions", 101), ("pause_s", 0), ("feedback", "all")]
)
async def test_rules_out_of_range_are_refused(rig: Rig, field: str, value: Any) -> None:
    plan = plan_of()
    plan["sections"][0]["items"][0][field] = value
    answer = await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "x", "plan": plan})
    assert answer.status_code == 422
    assert answer.json()["fields"][0]["field"].endswith(field)
