"""Tests how candidates try out code during an assessment: with snippets, and with runs of the sample tests. Both can be
cancelled. Also tests the signals that are recorded during a quiz.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.hiring.participations.models import ParticipationSignal
from grader.contract.job import Kind
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"
SNIPPET = {"source": RIGHT, "snippet": "print(add_one(41))"}
LEFT = {"signals": [{"kind": "blur"}, {"kind": "focus"}]}


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an assessment that shows verdicts after the candidate has finished."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(recorded=["focus"])
        yield rig


@pytest.fixture
async def taker(rig: Rig) -> Taker:
    """A candidate who has started the assessment."""
    return await rig.start((await rig.invite())["token"])


async def look(taker: Taker, submission: str) -> dict[str, Any]:
    """Return a submission as its author sees it."""
    shown: dict[str, Any] = (await taker.http.get(f"/api/participation/submissions/{submission}")).json()
    return shown


async def test_a_snippet_shows_what_it_prints_before_the_end_and_counts_for_nothing(rig: Rig, taker: Taker) -> None:
    assert code_of(await taker.http.post("/api/participation/items/1/scratch", json=SNIPPET)) == (
        409,
        "item_not_opened",
    )
    await taker.open()
    node = await rig.service.node()
    sent = await taker.http.post("/api/participation/items/1/scratch", json=SNIPPET)
    assert (sent.status_code, sent.json()["kind"]) == (201, "scratch")
    await node.ready()
    job = await node.take()
    assert (job.kind, job.owner == "") == (Kind.SCRATCH, False)
    await node.judge(job, None, tests=(), output="42\n")
    async with asyncio.timeout(20):
        while (shown := await look(taker, sent.json()["id"]))["status"] != "judged":
            await asyncio.sleep(0.02)
    assert shown["output"] == "42\n"
    await taker.http.post("/api/participation/finish")
    (row,) = await rig.watched()
    assert (row["sent"], row["unfinished"], row["score"]) == (0, 0, 0)
    assert code_of(await taker.http.post("/api/participation/items/1/scratch", json=SNIPPET)) == (409, "time_is_over")


async def test_a_run_is_taken_back_and_what_was_submitted_is_judged(rig: Rig, taker: Taker) -> None:
    await taker.open()
    run, submit = [(await taker.send(RIGHT, kind)).json()["id"] for kind in ("run", "submit")]
    other = await rig.start((await rig.invite())["token"])
    path = "/api/participation/submissions"
    assert code_of(await other.http.post(f"{path}/{run}/cancel")) == (404, "submission_not_found")
    for _ in range(2):
        answer = await taker.http.post(f"{path}/{run}/cancel")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert code_of(await taker.http.post(f"{path}/{submit}/cancel")) == (409, "submitted")
    assert (await look(taker, submit))["status"] == "queued"


async def test_leaving_the_page_of_a_quiz_is_noticed_if_it_was_told(rig: Rig, taker: Taker) -> None:
    path = "/api/participation/items/{}/signals"
    assert code_of(await taker.http.post(path.format(2), json=LEFT)) == (409, "item_not_opened")
    await taker.open(1)
    await taker.open(2)
    assert code_of(await taker.http.post(path.format(1), json=LEFT)) == (409, "other_kind")
    paste = {"signals": [*LEFT["signals"], {"kind": "paste", "size": 10}]}
    assert (await taker.http.post(path.format(2), json=paste)).status_code == 204
    signals = await rig.owner.http.get(f"{rig.path}/participations/{(await rig.watched())[0]['id']}/signals")
    assert [(each["position"], each["kind"]) for each in signals.json()["items"]] == [(2, "blur"), (2, "focus")]
    rig.clock.go(hours=2)
    assert code_of(await taker.http.post(path.format(2), json=LEFT)) == (409, "time_is_over")
    assert await rig.count(ParticipationSignal) == 2


async def test_a_signal_that_is_sent_again_counts_once(rig: Rig, taker: Taker) -> None:
    path = "/api/participation/items/2/signals"
    await taker.open(2)
    blur, focus = ({"kind": kind, "key": f"{number:032x}"} for number, kind in enumerate(("blur", "focus")))
    sent = ([blur], [blur, focus, focus], [blur, focus])
    # The requests are sent at the same time, but are handled one after another. Those that are handled later find signals that
    # are already stored.
    answers = await asyncio.gather(*(taker.http.post(path, json={"signals": signals}) for signals in sent))
    assert [answer.status_code for answer in answers] == [204] * 3
    assert await rig.count(ParticipationSignal) == 2
    other = await rig.start((await rig.invite())["token"])
    await other.open(2)
    assert (await other.http.post(path, json={"signals": [blur]})).status_code == 204
    for _ in range(2):
        assert (await taker.http.post(path, json={"signals": [{"kind": "blur"}]})).status_code == 204
    assert await rig.count(ParticipationSignal) == 5, "the keys of others are theirs, and without one each counts"
    assert (await taker.http.post(path, json={"signals": [{**blur, "key": "1"}]})).status_code == 422
