"""Reads leaderboards. Accounts are ordered by points. Of accounts with equal points, the one that reached them first comes
first; if the times are equal too, the accounts share a rank.

A page begins after the sort key of the last account on the page before, and is read from an index. The last page is therefore
read as fast as the first. An account's rank is 1 plus the number of accounts that are ordered before it: those with more
points, and those that reached the same points earlier.
"""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, NamedTuple

from fastapi import Depends
from sqlalchemy import Integer, Select, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.http.provided import provided
from api.practice.leaderboards.models import Listing, Solve, Standing
from api.practice.leaderboards.scoring import periods

# Ranks are computed from how many accounts have each number of points. For a board with at least LARGE accounts, these counts
# are cached for COUNTED_S seconds. On smaller boards, the accounts are counted for each request.
LARGE, COUNTED_S = 20_000, 30.0


class Key(NamedTuple):
    """The sort key of an account on a board."""

    points: int
    reached_at: datetime
    account_id: str


@dataclass(frozen=True)
class Board:
    """The table, conditions and columns with which a board is queried. Only the board of a challenge has `began_at`."""

    name: tuple[str, str, str]
    row: type[Solve] | type[Standing]
    where: tuple[Any, ...]
    reached_at: Any
    solved: Any
    began_at: Any = None

    def ahead(self, key: Key) -> Any:
        """Return a condition for the rows with the same points as the key that reached these points earlier."""
        return (self.row.points == key.points) & (self.reached_at < key.reached_at)

    def tied(self, key: Key) -> Any:
        """Return a condition for the rows with the same rank as the key that are listed before it on the board."""
        same = (self.row.points == key.points) & (self.reached_at == key.reached_at)
        return same & (self.row.account_id < key.account_id)


@dataclass(frozen=True)
class Place:
    """An account on a board. On the board of a challenge, `took_s` is the number of seconds from the account's first submission
    for the challenge to the accepted one. On other boards, it is None.
    """

    rank: int
    key: Key
    name: str
    solved: int
    took_s: float | None


def board(section: str, challenge: str, window: str) -> Board:
    """Return the board of a challenge or of a section, or the overall board if both are empty. `window` is `all` for all time,
    `month` for the current month, or `week` for the current week (UTC).
    """
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
class CachedCounts:
    """How many accounts on a board have each number of points. The counts expire when `time.monotonic()` reaches `until`."""

    by_points: dict[int, int] = field(default_factory=dict)
    until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class PointCounts:
    """Counts how many accounts on a board have each number of points. The counts of large boards are cached."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], CachedCounts] = {}

    async def of(self, session: AsyncSession, board: Board) -> dict[int, int]:
        """Return how many accounts on the board have each number of points. While one caller recounts a large board, other
        callers get the previous counts.
        """
        kept = self._kept.get(board.name)
        if kept and (time.monotonic() < kept.until or kept.lock.locked()):
            return kept.by_points
        if kept is None:
            return await self._count(session, board, CachedCounts())
        async with kept.lock:
            return await self._count(session, board, kept)

    async def _count(self, session: AsyncSession, board: Board, counts: CachedCounts) -> dict[int, int]:
        query = select(board.row.points, func.count()).where(*board.where).group_by(board.row.points)
        counts.by_points = {row[0]: row[1] for row in await session.execute(query)}
        self._kept.pop(board.name, None)
        if sum(counts.by_points.values()) >= LARGE:
            counts.until = time.monotonic() + COUNTED_S
            self._kept[board.name] = counts
        return counts.by_points


@dataclass(frozen=True)
class BoardReader:
    session: AsyncSession
    board: Board
    census: PointCounts

    async def size(self) -> int:
        return sum((await self.census.of(self.session, self.board)).values())

    async def after(self, key: Key | None, limit: int) -> list[Place]:
        """Return the next places after this key, at most `limit`. If the key is None, return the first places of the board."""
        if key is not None:
            return await self._ranked(await self._beyond(key, limit, ahead=False))
        row = self.board.row
        query = self._rows().order_by(row.points.desc(), self.board.reached_at, row.account_id).limit(limit)
        return await self._ranked((await self.session.execute(query)).all())

    async def around(self, account_id: str, limit: int) -> list[Place]:
        """Return the place of this account and the places around it, at most `limit` in all (`limit` must be at least 2). The
        result is empty if the account is not on the board.
        """
        query = self._rows().where(self.board.row.account_id == account_id)
        found = (await self.session.execute(query)).one_or_none()
        if found is None:
            return []
        key = Key(found.points, found.reached_at, account_id)
        before = await self._beyond(key, (limit - 2) // 2, ahead=True)
        after = await self._beyond(key, limit - len(before) - 1, ahead=False)
        return await self._ranked([*reversed(before), found, *after])

    async def _beyond(self, key: Key, limit: int, *, ahead: bool) -> list[Any]:
        """Return at most `limit` rows after the key or, with `ahead`, before it, the nearest first. Rows with the points of the
        key and rows with other points are looked up separately in an index, so that a large group of accounts with equal points
        is not scanned.
        """
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
        """Return the rank of an account that is on the board."""
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


PointCountsDep = Annotated[PointCounts, Depends(provided(PointCounts))]
