"""Provides a candidate who can ask the assistant, in front of a real server that speaks OpenAI's protocol."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.api.hiring.taking_rig import Rig, Taker, plan_of, rig_in
from tests.model_server import ModelServer

CODE = "def add_one(x):\n    return x  # not yet\n"
ITEM = "/api/participation/items/1/assistant"


def plan_with(policy: str, **more: Any) -> dict[str, Any]:
    """Return the sections of the usual plan, with a policy for the first one."""
    sections = plan_of()["sections"]
    sections[0]["assistant"] = policy
    return {"sections": sections, **more}


@asynccontextmanager
async def assisted(home: Path, monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> AsyncIterator[Rig]:
    """Run a service with an assistant, and a team whose open assessment provides it in its first section."""
    setting = {**json.loads(model.setting), "reply_s": 5}
    async with rig_in(home, monkeypatch, assistant=setting, keep_alive_s=0.2) as rig:
        await rig.assess(**plan_with("provided"))
        yield rig


async def opened(rig: Rig, name: str = "Eve") -> Taker:
    """Start the assessment as a new candidate, and open the challenge."""
    taker = await rig.start((await rig.invite(name=name))["token"])
    await taker.open()
    return taker


async def ask(taker: Taker, question: str = "Which axis?", source: str = CODE) -> list[tuple[str, dict[str, Any]]]:
    """Ask the assistant. Return the events of the reply."""
    async with taker.http.stream("POST", ITEM, json={"question": question, "source": source}) as answer:
        assert answer.status_code == 200, await answer.aread()
        name, found = "", []
        async for line in answer.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                found.append((name, json.loads(value)))
        return found


async def talk(taker: Taker) -> dict[str, Any]:
    """Return the conversation about the challenge."""
    answer = await taker.http.get(ITEM)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told
