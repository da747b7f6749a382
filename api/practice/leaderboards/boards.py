"""Reads leaderboards. Accounts are ordered by points. Of accounts with equal points, the one that reached them first comes
first; if the times are equal too, the accounts share a rank.

A page begins after the sort key of the last account on the page before, and is read from an index. The last page is therefore
read as fast as the first. An account's rank is 1 plus the number of accounts that are ordered before it: those with more
points, and those that reached the same points earlier.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, Select, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.practice.leaderboards.models import Listing, Solve, Standing
from api.practice.leaderboards.periods import period_of, span
from api.practice.leaderboards.ranks import Board, Key, Milestones, Ranks
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


def board(section: str, challenge: str, window: str, *, among: Collection[str] | None = None) -> Board:
    """Return the board of a challenge or of a section, or the overall board if both are empty. `window` is `all` for all time,
    `month` for the current month, `week` for the current week (UTC), or a period. With `among`, the board contains only these
    accounts.
    """
    period = period_of(window, now())
    name = (section, challenge, period)
    if not challenge:
        where: list[Any] = [Standing.section == section, Standing.period == period, Standing.shown]
        return _board(name, Standing, where) if among is None else _part(name, Standing, where, among)
    where = [Solve.slug == challenge, Solve.shown]
    if period:
        begins_at, ends_at = span(period)
        # Few numbers of points occur. With them, the solves of the period are found in the index without scanning those of all
        # time.
        where += [Solve.points.in_((0, *POINTS.values())), Solve.solved_at >= begins_at, Solve.solved_at < ends_at]
    return _board(name, Solve, where) if among is None else _part(name, Solve, where, among)


def board_of_team(window: str, members: Collection[str]) -> Board:
    """Return the overall board of these accounts, which also contains those that are not listed."""
    period = period_of(window, now())
    return _part(("", "", period), Standing, [Standing.section == "", Standing.period == period], members)


def _board(
    name: tuple[str, ...], row: Any, where: Sequence[Any], table: type[Solve] | type[Standing] | None = None
) -> Board:
    if (table or row) is Solve:
        return Board(name, name[2], row, tuple(where), row.solved_at, literal(1, Integer), row.began_at)
    return Board(name, name[2], row, tuple(where), row.reached_at, row.solved)


def _part(
    name: tuple[str, ...], table: type[Solve] | type[Standing], where: Sequence[Any], among: Collection[str]
) -> Board:
    """Return a board with only these accounts. Their rows are read first, by the primary key. Otherwise PostgreSQL might search
    the index of the whole board for them, because it cannot know how far apart they are.
    """
    own = select(table).where(table.account_id.in_(among), *where).cte("part").prefix_with("MATERIALIZED")
    return _board((*name, *sorted(among)), aliased(table, own), (), table)


@dataclass(frozen=True)
class BoardReader:
    session: AsyncSession
    board: Board
    milestones: Milestones

    @property
    def ranks(self) -> Ranks:
        return Ranks(self.session, self.board, self.milestones)

    async def after(self, key: Key | None, limit: int) -> list[Place]:
        """Return the next places after this key, at most `limit`. If the key is None, return the first places of the board."""
        if key is not None:
            return await self._ranked(await self._beyond(key, limit, ahead=False))
        return await self._ranked(
            (await self.session.execute(self._rows().order_by(*self.board.order).limit(limit))).all()
        )

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

    async def latest(self, limit: int) -> list[Place]:
        """Return the accounts that reached their points last, the latest first, at most `limit`. Their ranks are not computed.

        This works only for the board of a challenge, where few numbers of points occur: the latest rows of each number are
        read from the board's index.
        """
        row, found = self.board.row, list[Any]()
        for points in (0, *POINTS.values()):
            query = (
                self._rows().where(row.points == points).order_by(self.board.reached_at.desc(), row.account_id.desc())
            )
            found += (await self.session.execute(query.limit(limit))).all()
        found.sort(key=lambda each: (each.reached_at, each.account_id), reverse=True)
        return [self._place(0, each) for each in found[:limit]]

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
            order = self.board.order
        equals = self._rows().where(row.points == key.points, equal).order_by(*order[1:])
        rows = list((await self.session.execute(equals.limit(limit))).all())
        rest = self._rows().where(further).order_by(*order).limit(limit - len(rows))
        return rows + list((await self.session.execute(rest)).all()) if len(rows) < limit else rows

    async def _ranked(self, rows: Any) -> list[Place]:
        if not rows:
            return []
        first = Key(rows[0].points, rows[0].reached_at, rows[0].account_id)
        (rank,) = await self.ranks.of([first])
        tied = select(func.count()).where(*self.board.where, self.board.tied(first))
        position = rank + (await self.session.scalar(tied) or 0)
        places: list[Place] = []
        for offset, row in enumerate(rows):
            if offset and (row.points, row.reached_at) != places[-1].key[:2]:
                rank = position + offset
            places.append(self._place(rank, row))
        return places

    def _place(self, rank: int, row: Any) -> Place:
        took_s = (row.reached_at - row.began_at).total_seconds() if self.board.began_at is not None else None
        key = Key(row.points, row.reached_at, row.account_id)
        return Place(rank, key, row.shown_name or row.name, row.solved, took_s)

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
