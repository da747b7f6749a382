"""Tests every way in which the endpoint of the assistant can fail: the question is kept, the candidate reads why, and the
next one works.
"""

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import update

from api.hiring.assistant.models import AssistantMessage
from tests.api.hiring.assistant.assistant_rig import CODE, ITEM, ask, plan_with, talk
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in
from tests.model_server import MODEL, ModelServer, Reply

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("reply", "state", "said", "kept"),
    [
        (Reply(status=429), "failed", "too many requests", ""),
        (Reply(status=401), "failed", "set up wrongly", ""),
        (Reply(status=502), "failed", "cannot be reached", ""),
        (Reply(breaks=True), "failed", "stopped in the middle", "Use `x.sum(-1)`."),
        (Reply(pause_s=3), "failed", "took too long", "Use "),
        (Reply(parts=("long ",) * 9000), "cut", None, ("long " * 9000)[:32_000]),
        (Reply(finish="length"), "cut", None, "Use `x.sum(-1)`."),
        (Reply(raw=b"data: {nonsense\n\n"), "failed", "stopped in the middle", ""),
        (Reply(raw=b"data: " + b"x" * 300_000), "failed", "stopped in the middle", ""),
        (Reply(raw=b'data: {"error": {"message": "overloaded"}}\n\n'), "failed", "stopped in the middle", ""),
        (Reply(parts=("zero \x00 and \ud800",)), "answered", None, "zero � and �"),
    ],
    ids=["429", "401", "502", "breaks", "slow", "huge", "cut", "nonsense", "long-line", "error", "odd-text"],
)
async def test_a_failing_endpoint_loses_nothing(
    taker: Taker, model: ModelServer, reply: Reply, state: str, said: str | None, kept: str
) -> None:
    model.replies = [reply]
    _, end = (await ask(taker, "Why?"))[-1]
    message = end["message"]
    assert (message["question"], message["state"], message["reply"]) == ("Why?", state, kept)
    assert (said in message["failure"]) if said else message["failure"] is None
    assert (message["tokens"] == 0) == (not kept), "what brought nothing costs nothing"
    assert (await ask(taker, "Again?"))[-1][1]["message"]["state"] == "answered"
    assert [each["question"] for each in (await talk(taker))["messages"]] == ["Why?", "Again?"]


async def test_an_endpoint_that_is_down(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing listens at this port.
    async with rig_in(home, monkeypatch, assistant={"url": "http://127.0.0.1:9/v1", "model": MODEL}) as rig:
        await rig.assess(**plan_with("provided"))
        taker = await rig.start((await rig.invite(name="Eve"))["token"])
        await taker.open()
        _, end = (await ask(taker))[-1]
        assert "cannot be reached" in end["message"]["failure"]


async def test_the_reply_is_written_to_its_end_without_the_page(taker: Taker, model: ModelServer) -> None:
    gate = threading.Event()
    model.replies = [Reply(waits=gate)]
    body = {"question": "Why?", "source": CODE}
    async with taker.http.stream("POST", ITEM, json=body) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data"):
                break
    assert [each["state"] for each in (await talk(taker))["messages"]] == ["running"]
    refused = await taker.http.post(ITEM, json=body)
    assert code_of(refused) == (409, "assistant_busy")
    gate.set()
    async with asyncio.timeout(10):
        while (await talk(taker))["messages"][0]["state"] == "running":
            await asyncio.sleep(0.02)
    assert (await talk(taker))["messages"][0]["reply"] == "Use `x.sum(-1)`."


async def test_a_reply_that_nobody_writes_any_more_has_failed(rig: Rig, taker: Taker) -> None:
    await ask(taker)
    async with rig.service.state.db.write() as session:
        await session.execute(update(AssistantMessage).values(state="running", reply="Us", ended_at=None))
    rig.clock.go(seconds=30)
    assert (await talk(taker))["messages"][0]["state"] == "running"
    rig.clock.go(seconds=60)
    told = (await talk(taker))["messages"][0]
    assert (told["state"], told["reply"]) == ("failed", "Us")
    assert "restarted" in told["failure"]
    await ask(taker)
