"""Boards: who is where. Points count first, then who came to them first; only who agrees in both shares a rank.

A page is read along an index from a key on, whatever its depth. A rank is one more than how many are ahead: those with more
points, and those with as many who had them earlier.
"""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Integer, Select, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.db import now
from api.standings.models import Listing, Solve, Standing
from api.standings.settling import periods

# A board of so many people is counted by points at most once in `COUNTED_S`; a smaller one whenever it is asked for.
LARGE, COUNTED_S = 20_000, 30.0


class Key(NamedTuple):
    """What a board is ordered by."""

    points: int
    reached_at: datetime
    account_id: str


@dataclass(frozen=True)
class Board:
    """One board as a query: the rows that are on it, and its columns. `began_at` only where there is one challenge."""

    name: tuple[str, str, str]
    row: type[Solve] | type[Standing]
    where: tuple[Any, ...]
    reached_at: Any
    solved: Any
    began_at: Any = None

    def ahead(self, key: Key) -> Any:
        """Rows with as many points as the key that stand before it."""
        return (self.row.points == key.points) & (self.reached_at < key.reached_at)

    def tied(self, key: Key) -> Any:
        """Rows that share the key's rank and are shown before it."""
        same = (self.row.points == key.points) & (self.reached_at == key.reached_at)
        return same & (self.row.account_id < key.account_id)


@dataclass(frozen=True)
class Place:
    """Somebody on a board. `took_s`: from the first thing sent for the challenge to the accepted one."""

    rank: int
    key: Key
    name: str
    solved: int
    took_s: float | None


def board(section: str, challenge: str, window: str) -> Board:
    """The board of a challenge, of a section, or overall (both empty); `window` is all, month or week, the present one."""
    name = (section, challenge, window)
    if challenge:
        where: list[Any] = [Solve.slug == challenge, Solve.shown]
        if window != "all":
            where.append(Solve.solved_at >= _start(window))
        return Board(name, Solve, tuple(where), Solve.solved_at, literal(1, Integer), Solve.began_at)
    period = dict(zip(("all", "month", "week"), periods(now()), strict=True))[window]
    shown = (Standing.section == section, Standing.period == period, Standing.shown)
    return Board(name, Standing, shown, Standing.reached_at, Standing.solved)


def _start(window: str) -> datetime:
    today = now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today.replace(day=1) if window == "month" else today - timedelta(days=today.weekday())


@dataclass
class Counts:
    """How many people of a board have how many points, and until when that is good enough."""

    by_points: dict[int, int] = field(default_factory=dict)
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Census:
    """Counts of boards, kept for large ones."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], Counts] = {}

    async def of(self, session: AsyncSession, board: Board) -> dict[int, int]:
        """Number of people by points. While a large board is counted anew, others get the counts from before."""
        kept = self._kept.get(board.name)
        if kept and (time.monotonic() < kept.until or kept.lock.locked()):
            return kept.by_points
        if kept is None:
            return await self._count(session, board, Counts())
        async with kept.lock:
            return await self._count(session, board, kept)

    async def _count(self, session: AsyncSession, board: Board, counts: Counts) -> dict[int, int]:
        query = select(board.row.points, func.count()).where(*board.where).group_by(board.row.points)
        counts.by_points = {row[0]: row[1] for row in await session.execute(query)}
        self._kept.pop(board.name, None)
        if sum(counts.by_points.values()) >= LARGE:
            counts.until = time.monotonic() + COUNTED_S
            self._kept[board.name] = counts
        return counts.by_points


@dataclass(frozen=True)
class Reader:
    """Reads one board."""

    session: AsyncSession
    board: Board
    census: Census

    async def size(self) -> int:
        """How many people are on it."""
        return sum((await self.census.of(self.session, self.board)).values())

    async def after(self, key: Key | None, limit: int) -> list[Place]:
        """The next people after a key, from the top without one."""
        if key is not None:
            return await self._ranked(await self._beyond(key, limit, ahead=False))
        row = self.board.row
        query = self._rows().order_by(row.points.desc(), self.board.reached_at, row.account_id).limit(limit)
        return await self._ranked((await self.session.execute(query)).all())

    async def around(self, account_id: str, limit: int) -> list[Place]:
        """This account with those around it, at most `limit` in all (two or more); nobody if it is not on the board."""
        query = self._rows().where(self.board.row.account_id == account_id)
        found = (await self.session.execute(query)).one_or_none()
        if found is None:
            return []
        key = Key(found.points, found.reached_at, account_id)
        before = await self._beyond(key, (limit - 2) // 2, ahead=True)
        after = await self._beyond(key, limit - len(before) - 1, ahead=False)
        return await self._ranked([*reversed(before), found, *after])

    async def _beyond(self, key: Key, limit: int, *, ahead: bool) -> list[Any]:
        """Rows next to a key, on one side. Two looks into the index: a crowd with as many points is not walked through."""
        row, reached_at = self.board.row, self.board.reached_at
        here, there = tuple_(reached_at, row.account_id), (key.reached_at, key.account_id)
        order: tuple[Any, ...]
        if ahead:
            equal, further = here < there, row.points > key.points
            order = (row.points, reached_at.desc(), row.account_id.desc())
        else:
            equal, further = here > there, row.points < key.points
            order = (row.points.desc(), reached_at, row.account_id)
        equals = self._rows().where(row.points == key.points, equal).order_by(*order[1:])
        rows = list((await self.session.execute(equals.limit(limit))).all())
        rest = self._rows().where(further).order_by(*order).limit(limit - len(rows))
        return rows + list((await self.session.execute(rest)).all()) if len(rows) < limit else rows

    async def rank(self, key: Key) -> int:
        """The rank of somebody who is on it."""
        counts = await self.census.of(self.session, self.board)
        same = await self._count(self.board.ahead(key))
        return 1 + same + sum(count for points, count in counts.items() if points > key.points)

    async def _ranked(self, rows: Any) -> list[Place]:
        if not rows:
            return []
        first = Key(rows[0].points, rows[0].reached_at, rows[0].account_id)
        rank = await self.rank(first)
        position = rank + await self._count(self.board.tied(first))
        places: list[Place] = []
        for offset, row in enumerate(rows):
            key = Key(row.points, row.reached_at, row.account_id)
            if offset and key[:2] != places[-1].key[:2]:
                rank = position + offset
            took_s = (row.reached_at - row.began_at).total_seconds() if self.board.began_at is not None else None
            places.append(Place(rank, key, row.shown_name or row.name, row.solved, took_s))
        return places

    async def _count(self, where: Any) -> int:
        return await self.session.scalar(select(func.count()).where(*self.board.where, where)) or 0

    def _rows(self) -> Select[*tuple[Any, ...]]:
        row, board = self.board.row, self.board
        began_at = [board.began_at.label("began_at")] if board.began_at is not None else []
        query: Select[*tuple[Any, ...]] = select(
            row.account_id,
            row.points,
            board.reached_at.label("reached_at"),
            board.solved.label("solved"),
            Account.name,
            Listing.name.label("shown_name"),
            *began_at,
        )
        query = query.join(Account, Account.id == row.account_id)
        return query.outerjoin(Listing, Listing.account_id == row.account_id).where(*board.where)
