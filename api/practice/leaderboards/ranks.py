"""Counts how many accounts are ordered before others on a board.

On a board with a million accounts, counting from the first place takes too long for a request. So the sort key of every
STEP-th account of a large board is cached, with the number of accounts before it. A rank is counted from the nearest of these
milestones.
"""

import asyncio
import bisect
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import Depends
from sqlalchemy import Select, String, bindparam, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.db.database import Moment
from api.kit.http.provided import provided

# Boards with at least LARGE accounts have milestones, one every STEP accounts. They are read again after one second per
# REREAD accounts, and after KEPT_S seconds at the latest: reading those of a million accounts takes about a second.
LARGE, STEP, REREAD, KEPT_S = 2_000, 250, 1_000, 30.0
# No account has as few or as many points, and none reached its points before this moment.
NO_POINTS, MOST_POINTS, BEGINNING = -1, 2**31 - 1, datetime(1, 1, 2, tzinfo=UTC)


class Key(NamedTuple):
    """The sort key of an account on a board."""

    points: int
    reached_at: datetime
    account_id: str


@dataclass(frozen=True)
class Board:
    """The table, conditions and columns with which a board is queried. `row` is Solve or Standing, or an alias for some of their
    rows. Only the board of a challenge has `began_at`.
    """

    name: tuple[str, ...]
    period: str
    row: Any
    where: tuple[Any, ...]
    reached_at: Any
    solved: Any
    began_at: Any = None

    @property
    def order(self) -> tuple[Any, Any, Any]:
        """The columns by which the board is ordered."""
        return self.row.points.desc(), self.reached_at, self.row.account_id

    def tied(self, key: Key) -> Any:
        """Return a condition for the rows with the same rank as the key that are listed before it on the board."""
        same = (self.row.points == key.points) & (self.reached_at == key.reached_at)
        return same & (self.row.account_id < key.account_id)

    @property
    def ahead(self) -> Select[int]:
        """A query for the number of rows from a `start` on that have a better rank than a key. `values_of` gives its parameters.

        It counts three ranges of the board's index, of which no row is in two: the rows with the points of `start`, those
        between, and those with the points of the key.
        """
        row, here = self.row, tuple_(self.reached_at, self.row.account_id)
        from_start = here >= tuple_(bindparam("start_at", type_=Moment), bindparam("start_id", type_=String))
        from_first = here >= tuple_(bindparam("first_at", type_=Moment), bindparam("first_id", type_=String))
        ranges = (
            (row.points == bindparam("start_points")) & from_start,
            (row.points < bindparam("less_than")) & (row.points > bindparam("points")),
            (row.points == bindparam("points"))
            & (self.reached_at < bindparam("reached_at", type_=Moment))
            & from_first,
        )
        first, second, third = (
            select(func.count()).select_from(row).where(*self.where, each).scalar_subquery() for each in ranges
        )
        return select(first + second + third)


def values_of(key: Key, start: Key | None) -> dict[str, Any]:
    """Return the parameters of `Board.ahead`. Without a start, all rows are counted that have a better rank than the key."""
    begin = Key(MOST_POINTS, BEGINNING, "") if start is None else start
    # If both have the same points, the rows before the start are excluded in the range of the key, and the others are empty.
    same = begin.points == key.points
    first = begin if same else Key(NO_POINTS, BEGINNING, "")
    return {
        "start_points": NO_POINTS if same else begin.points,
        "start_at": begin.reached_at,
        "start_id": begin.account_id,
        "less_than": begin.points,
        "points": key.points,
        "reached_at": key.reached_at,
        "first_at": first.reached_at,
        "first_id": first.account_id,
    }


def _order(key: Key) -> tuple[int, datetime, str]:
    return -key.points, key.reached_at, key.account_id


@dataclass
class CachedKeys:
    """The milestones of a board. They expire when `time.monotonic()` reaches `until`."""

    keys: Sequence[Key] = ()
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Milestones:
    """Caches the milestones of large boards."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], CachedKeys] = {}

    async def of(self, session: AsyncSession, board: Board) -> Sequence[Key]:
        """Return the sort keys of the 1st, the (STEP + 1)th, ... account of a large board. Small boards have none. While one
        caller reads them again, other callers get the previous ones.
        """
        kept = self._kept.get(board.name)
        if kept and (time.monotonic() < kept.until or kept.lock.locked()):
            return kept.keys
        if kept is None:
            return await self._read(session, board, CachedKeys())
        async with kept.lock:
            return await self._read(session, board, kept)

    async def _read(self, session: AsyncSession, board: Board, kept: CachedKeys) -> Sequence[Key]:
        some = select(board.row.points).where(*board.where).limit(LARGE).subquery()
        if (await session.scalar(select(func.count()).select_from(some)) or 0) < LARGE:
            self._kept.pop(board.name, None)
            return ()
        columns = board.row.points, board.reached_at.label("reached_at"), board.row.account_id
        number = func.row_number().over(order_by=board.order).label("number")
        numbered = select(*columns, number).where(*board.where).subquery()
        every = select(numbered).where(numbered.c.number % STEP == 1).order_by(numbered.c.number)
        kept.keys = [Key(*row[:3]) for row in await session.execute(every)]
        kept.until = time.monotonic() + min(KEPT_S, len(kept.keys) * STEP / REREAD)
        self._kept[board.name] = kept
        return kept.keys


@dataclass(frozen=True)
class Ranks:
    """Ranks of keys on a board."""

    session: AsyncSession
    board: Board
    milestones: Milestones

    async def of(self, keys: Sequence[Key]) -> list[int]:
        """Return the rank of each key: 1 plus the number of accounts that are ordered before it and not tied with it."""
        known, query, ranks = await self.milestones.of(self.session, self.board), self.board.ahead, list[int]()
        for key in keys:
            # Milestones with the same points and time are tied with the key, so the counting must begin before them.
            place = bisect.bisect_left(known, _order(key._replace(account_id="")), key=_order) - 1
            values = values_of(key, known[place] if place >= 0 else None)
            ranks.append(1 + max(0, place) * STEP + (await self.session.scalar(query, values) or 0))
        return ranks

    async def size(self) -> int:
        """Return how many accounts are on the board."""
        known = await self.milestones.of(self.session, self.board)
        values = values_of(Key(NO_POINTS, BEGINNING, ""), known[-1] if known else None)
        return max(0, len(known) - 1) * STEP + (await self.session.scalar(self.board.ahead, values) or 0)


MilestonesDep = Annotated[Milestones, Depends(provided(Milestones))]
