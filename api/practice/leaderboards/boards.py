"""Reads leaderboards. Accounts are ordered by points. Of accounts with equal points, the one that reached them first comes
first; if the times are equal too, the accounts share a rank.

A page begins after the sort key of the last account on the page before, and is read from an index. The last page is therefore
read as fast as the first. An account's rank is 1 plus the number of accounts that are ordered before it: those with more
points, and those that reached the same points earlier.
"""

import functools
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, Select, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.practice.leaderboards.models import Listing, Solve, Standing
from api.practice.leaderboards.periods import period_of, span
from api.practice.leaderboards.rank_milestones import Milestones
from api.practice.leaderboards.ranks import Board, Key, Ranks, order_of
from api.practice.leaderboards.scoring import POINTS


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
    `month` for the current month, `week` for the current week (UTC), or a period.
    """
    period = period_of(window, now())
    name = (section, challenge, period)
    if not challenge:
        return _of_standings(name, Standing.section == section, Standing.period == period, Standing.shown)
    where = [Solve.slug == challenge, Solve.shown]
    if period:
        begins_at, ends_at = span(period)
        # Few numbers of points occur. With them, the solves of the period are found in the index without scanning those of all
        # time.
        where += [Solve.points.in_((0, *POINTS.values())), Solve.solved_at >= begins_at, Solve.solved_at < ends_at]
    return Board(name, period, Solve, tuple(where), Solve.solved_at, literal(1, Integer), Solve.began_at)


def board_of_teams(window: str) -> Board:
    """Return the overall board, with the accounts that are not listed. Only teams may see these, and only their members."""
    period = period_of(window, now())
    return _of_standings(("", "", period), Standing.section == "", Standing.period == period)


def _of_standings(name: tuple[str, str, str], *where: Any) -> Board:
    return Board(name, name[2], Standing, where, Standing.reached_at, Standing.solved)


@dataclass(frozen=True)
class BoardReader:
    """Reads the places of all accounts on a board."""

    session: AsyncSession
    board: Board
    milestones: Milestones

    @functools.cached_property
    def ranks(self) -> Ranks:
        return Ranks(self.session, self.board, self.milestones)

    async def size(self) -> int:
        """Return how many accounts are on the board."""
        return await self.ranks.size()

    async def after(self, key: Key | None, limit: int) -> Sequence[Place]:
        """Return the next places after this key, at most `limit`. If the key is None, return the first places of the board."""
        if key is None:
            return _places(self.board, await self._first(limit))
        return await self._ranked(await self._beyond(key, limit, ahead=False))

    async def around(self, account_id: str, limit: int) -> Sequence[Place]:
        """Return the place of this account and the places around it, at most `limit` in all (`limit` must be at least 2). The
        result is empty if the account is not on the board.
        """
        own = _rows(self.board, self.board.row.account_id == account_id)
        found = (await self.session.execute(own)).one_or_none()
        if found is None:
            return []
        key = _key(found)
        before = await self._beyond(key, (limit - 2) // 2, ahead=True)
        after = await self._beyond(key, limit - len(before) - 1, ahead=False)
        return await self._ranked([*reversed(before), found, *after])

    async def latest(self, limit: int) -> list[Place]:
        """Return the accounts that reached their points last, the latest first, at most `limit`. Their ranks are not computed.

        This works only for the board of a challenge, where few numbers of points occur: the latest rows of each number are
        read from the board's index.
        """
        order, found = self.board.reversed_order[1:], list[Any]()
        for points in (0, *POINTS.values()):
            query = _rows(self.board, self.board.row.points == points, order=order, limit=limit)
            found += (await self.session.execute(query)).all()
        found.sort(key=lambda each: (each.reached_at, each.account_id), reverse=True)
        return [_place(self.board, 0, each) for each in found[:limit]]

    async def _beyond(self, key: Key, limit: int, *, ahead: bool) -> list[Any]:
        """Return at most `limit` rows after the key or, with `ahead`, before it, the nearest first. Rows with the points of the
        key and rows with other points are looked up separately in an index, so that a large group of accounts with equal points
        is not scanned.
        """
        row = self.board.row
        here, there = tuple_(self.board.reached_at, row.account_id), (key.reached_at, key.account_id)
        equal = (row.points == key.points) & (here < there if ahead else here > there)
        rows = await self._first(limit, equal, ahead=ahead, equal=True)
        if len(rows) < limit:
            further = row.points > key.points if ahead else row.points < key.points
            rows += await self._first(limit - len(rows), further, ahead=ahead)
        return rows

    async def _first(self, limit: int, *where: Any, ahead: bool = False, equal: bool = False) -> list[Any]:
        """Return the first of the rows that fulfil the conditions or, with `ahead`, the last ones, beginning with the last. If
        their points are `equal`, they are ordered by the rest of the key.
        """
        order = self.board.reversed_order if ahead else self.board.order
        found = await self.session.execute(_rows(self.board, *where, order=order[1:] if equal else order, limit=limit))
        return sorted(found, key=lambda row: order_of(_key(row)), reverse=ahead)

    async def _ranked(self, rows: Sequence[Any]) -> list[Place]:
        if not rows:
            return []
        first = _key(rows[0])
        (rank,) = await self.ranks.of([first])
        tied = select(func.count()).where(*self.board.where, self.board.tied(first))
        return _places(self.board, rows, rank, rank + (await self.session.scalar(tied) or 0))


@dataclass(frozen=True)
class GroupReader:
    """The places of the accounts of a group among each other, in order. A group has at most some hundreds of accounts, so all of
    them are read at once, and nothing has to be counted.
    """

    places: Sequence[Place]

    @classmethod
    async def read(cls, session: AsyncSession, board: Board, accounts: Collection[str]) -> "GroupReader":
        """Read the places of these accounts. Those that are not on the board have none."""
        found = await session.execute(_rows(board, board.row.account_id.in_(accounts)))
        return cls(_places(board, sorted(found, key=lambda row: order_of(_key(row)))))

    async def size(self) -> int:
        """Return how many accounts of the group are on the board."""
        return len(self.places)

    async def after(self, key: Key | None, limit: int) -> Sequence[Place]:
        """Return the next places after this key, at most `limit`. If the key is None, return the first places of the group."""
        begin = 0 if key is None else bisect_right(self.places, order_of(key), key=lambda each: order_of(each.key))
        return self.places[begin : begin + limit]

    async def around(self, account_id: str, limit: int) -> Sequence[Place]:
        """Return the place of this account and the places around it, as `BoardReader.around` does."""
        at = next((at for at, place in enumerate(self.places) if place.key.account_id == account_id), None)
        if at is None:
            return []
        begin = max(0, at - (limit - 2) // 2)
        return self.places[begin : begin + limit]


def _key(row: Any) -> Key:
    return Key(row.points, row.reached_at, row.account_id)


def _places(board: Board, rows: Sequence[Any], rank: int = 1, position: int = 1) -> list[Place]:
    """Return the places of consecutive rows, of which the first has this rank and this position."""
    places: list[Place] = []
    for offset, row in enumerate(rows):
        if offset and (row.points, row.reached_at) != places[-1].key[:2]:
            rank = position + offset
        places.append(_place(board, rank, row))
    return places


def _place(board: Board, rank: int, row: Any) -> Place:
    took_s = (row.reached_at - row.began_at).total_seconds() if board.began_at is not None else None
    return Place(rank, _key(row), row.shown_name or row.name, row.solved, took_s)


def _rows(board: Board, *where: Any, order: Sequence[Any] = (), limit: int | None = None) -> Select[*tuple[Any, ...]]:
    """Return a query for the first rows of the board that fulfil the conditions, with the names of their accounts. The names are
    looked up only for these rows. The order of the result is not defined.
    """
    began_at = [board.began_at.label("began_at")] if board.began_at is not None else []
    columns = [board.row.account_id, board.row.points, board.reached_at.label("reached_at"), *began_at]
    some = select(*columns, board.solved.label("solved")).where(*board.where, *where).order_by(*order).limit(limit)
    first = some.subquery()
    query: Select[*tuple[Any, ...]] = select(first, Account.name, Listing.name.label("shown_name"))
    query = query.join(Account, Account.id == first.c.account_id)
    return query.outerjoin(Listing, Listing.account_id == first.c.account_id)
