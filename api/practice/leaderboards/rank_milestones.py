"""Caches sort keys of large boards, from which ranks are counted.

On a board with a million accounts, counting from the first place takes too long for a request. So every STEP-th key of a large
board is cached. A rank is counted from the nearest of these milestones.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from sqlalchemy import ColumnElement, Select, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.http.provided import provided

# Boards with at least LARGE rows have milestones, one every STEP rows. They are read again after one second per REREAD rows, and
# after KEPT_S seconds at the latest: reading those of a million accounts takes about a second.
LARGE, STEP, REREAD, KEPT_S = 2_000, 250, 1_000, 30.0
Key = TypeVar("Key")


@dataclass
class CachedKeys:
    """The milestones of a board. They expire when `time.monotonic()` reaches `until`."""

    keys: Sequence[Any] = ()
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Milestones:
    """Caches the milestones of large boards."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], CachedKeys] = {}

    async def of(
        self,
        session: AsyncSession,
        board: tuple[str, ...],
        rows: Callable[[], Select[*tuple[Any, ...]]],
        order: Sequence[ColumnElement[Any]],
        key: Callable[..., Key],
    ) -> Sequence[Key]:
        """Return the keys of the 1st, the (STEP + 1)th, ... row of a large board. Small boards have none. While one caller reads
        them again, other callers get the previous ones.

        `board` is the board's name in the cache, `rows` returns a query for the columns of its keys, `order` is what it is
        ordered by, and `key` makes a key of these columns.
        """
        kept = self._kept.get(board, CachedKeys())
        if board in self._kept and (time.monotonic() < kept.until or kept.lock.locked()):
            return kept.keys
        async with kept.lock:
            kept.keys = await _read(session, rows(), order, key)
            kept.until = time.monotonic() + min(KEPT_S, len(kept.keys) * STEP / REREAD)
        # Small boards are not cached, because counting their rows is fast.
        if kept.keys:
            self._kept[board] = kept
        else:
            self._kept.pop(board, None)
        return kept.keys


async def _read(
    session: AsyncSession,
    rows: Select[*tuple[Any, ...]],
    order: Sequence[ColumnElement[Any]],
    key: Callable[..., Key],
) -> Sequence[Key]:
    some = rows.with_only_columns(literal(1)).limit(LARGE).subquery()
    if (await session.scalar(select(func.count()).select_from(some)) or 0) < LARGE:
        return ()
    numbered = rows.add_columns(func.row_number().over(order_by=order).label("number")).subquery()
    every = select(numbered).where(numbered.c.number % STEP == 1).order_by(numbered.c.number)
    return [key(*row[:-1]) for row in await session.execute(every)]


MilestonesDep = Annotated[Milestones, Depends(provided(Milestones))]
