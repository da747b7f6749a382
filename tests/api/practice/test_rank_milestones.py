"""Tests how the milestones of large boards are cached."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import column, select

from api.practice.leaderboards.rank_milestones import LARGE, CachedKeys, Milestones

BOARD: Any = ("overall",), lambda: select(column("points")), [column("points")], int


class SlowSession:
    """A session whose first answer comes when `may_answer` is set."""

    def __init__(self) -> None:
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()

    async def scalar(self, _: object) -> int:
        self.asked.set()
        await self.may_answer.wait()
        return LARGE

    async def execute(self, _: object) -> list[tuple[int, int]]:
        return [(20, 1)]


@pytest.mark.anyio
async def test_while_one_request_reads_milestones_others_get_the_earlier_ones() -> None:
    milestones, session = Milestones(), SlowSession()
    milestones._kept[BOARD[0]] = CachedKeys(keys=[10], until=0.0)
    reading = asyncio.create_task(milestones.of(session, *BOARD))  # type: ignore[arg-type]
    await session.asked.wait()
    nobody: Any = None
    assert await milestones.of(nobody, *BOARD) == [10]
    session.may_answer.set()
    assert await reading == [20]
    assert await milestones.of(nobody, *BOARD) == [20]
