"""Tests how the milestones of large boards are cached."""

import asyncio
from typing import Any

import pytest

from api.practice.leaderboards.boards import board
from api.practice.leaderboards.ranks import BEGINNING, LARGE, CachedKeys, Key, Milestones

EARLIER, LATER = Key(10, BEGINNING, "a"), Key(20, BEGINNING, "b")


class SlowSession:
    """A session whose first answer comes when `may_answer` is set."""

    def __init__(self) -> None:
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def scalar(self, _: object) -> int:
        self.asked.set()
        await self.may_answer.wait()
        return LARGE

    async def execute(self, _: object) -> list[Key]:
        return [LATER]


@pytest.mark.anyio
async def test_while_one_request_reads_milestones_others_get_the_earlier_ones() -> None:
    overall, milestones, session = board("", "", "all"), Milestones(), SlowSession()
    milestones._kept[overall.name] = CachedKeys(keys=[EARLIER], until=0.0)
    reading = asyncio.create_task(milestones.of(session, overall))  # type: ignore[arg-type]
    await session.asked.wait()
    nobody: Any = None
    assert await milestones.of(nobody, overall) == [EARLIER]
    session.may_answer.set()
    assert await reading == [LATER]
    assert await milestones.of(nobody, overall) == [LATER]
