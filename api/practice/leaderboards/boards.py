"""Reads leaderboards. Accounts are ordered by points. Of accounts with equal points, the one that reached them first comes
first; if the times are equal too, the accounts share a rank.

A page begins after the sort key of the last account on the page before, and is read from an index. The last page is therefore
read as fast as the first. An account's rank is 1 plus the number of accounts that are ordered before it: those with more
points, and those that reached the same points earlier.
"""

import functools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import CompoundSelect, Integer, Select, String, bindparam, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.identity.accounts.models import Account
from api.kit.db.database import Moment, now
from api.practice.leaderboards.models import Listing, Solve, Standing
from api.practice.leaderboards.periods import period_of, span
from api.practice.leaderboards.rank_milestones import Milestones
from api.practice.leaderboards.ranks import Board, BoardKind, Given, Key, Ranks, order_of
from api.practice.leaderboards.scoring import POINTS

# Which rows of a board a query is for: all, those with the points of a key, or those with other points.
Which = Literal["all", "equal", "further"]
Rows = Select[*tuple[Any, ...]]
# A query for IDs of accounts.
Accounts = Select[str] | CompoundSelect[str]
# No account has reached its points later.
END = datetime(9999, 1, 1, tzinfo=UTC)


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


def _of_solves(given: Given) -> tuple[Any, ...]:
    return Solve.slug == given("slug"), Solve.shown


def _of_solves_in_a_period(given: Given) -> tuple[Any, ...]:
    # Few numbers of points occur. With them, the solves of the period are found in the index without scanning those of all time.
    points = Solve.points.in_((0, *POINTS.values()))
    return *_of_solves(given), points, Solve.solved_at >= given("begins_at"), Solve.solved_at < given("ends_at")


def _of_all_standings(given: Given) -> tuple[Any, ...]:
    return Standing.section == given("section"), Standing.period == given("period")


def _of_standings(given: Given) -> tuple[Any, ...]:
    return *_of_all_standings(given), Standing.shown


STANDINGS = BoardKind(Standing, _of_standings, Standing.reached_at, Standing.solved)
ALL_STANDINGS = replace(STANDINGS, where=_of_all_standings)
SOLVES = BoardKind(Solve, _of_solves, Solve.solved_at, literal(1, Integer))
SOLVES_IN_A_PERIOD = replace(SOLVES, where=_of_solves_in_a_period, of_period=True)


def board(section: str, challenge: str, window: str) -> Board:
    """Return the board of a challenge or of a section, or the overall board if both are empty. `window` is `all` for all time,
    `month` for the current month, `week` for the current week (UTC), or a period.
    """
    period = period_of(window, now())
    name = (section, challenge, period)
    if not challenge:
        return Board(name, STANDINGS, {"section": section, "period": period})
    if not period:
        return Board(name, SOLVES, {"slug": challenge})
    begins_at, ends_at = span(period)
    return Board(name, SOLVES_IN_A_PERIOD, {"slug": challenge, "begins_at": begins_at, "ends_at": ends_at})


def board_of_teams(window: str) -> Board:
    """Return the overall board, with the accounts that are not listed. Only teams may see these, and only their members."""
    period = period_of(window, now())
    return Board(("teams", period), ALL_STANDINGS, {"section": "", "period": period})


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
            return _places(self.board, await self._first(limit, "all"))
        return await self._ranked(await self._beyond(key, limit, ahead=False))

    async def around(self, account_id: str, limit: int) -> Sequence[Place]:
        """Return the place of this account and the places around it, at most `limit` in all (`limit` must be at least 2). The
        result is empty if the account is not on the board.
        """
        own = _of_account(self.board.kind)
        found = (await self.session.execute(own, self.board.values | {"account_id": account_id})).one_or_none()
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
        found = list[Any]()
        for points in (0, *POINTS.values()):
            found += await self._first(limit, "equal", Key(points, END, ""), ahead=True)
        found.sort(key=lambda each: (each.reached_at, each.account_id), reverse=True)
        return [_place(self.board, 0, each) for each in found[:limit]]

    async def _beyond(self, key: Key, limit: int, *, ahead: bool) -> list[Any]:
        """Return at most `limit` rows after the key or, with `ahead`, before it, the nearest first. Rows with the points of the
        key and rows with other points are looked up separately in an index, so that a large group of accounts with equal points
        is not scanned.
        """
        rows = await self._first(limit, "equal", key, ahead=ahead)
        if len(rows) < limit:
            rows += await self._first(limit - len(rows), "further", key, ahead=ahead)
        return rows

    async def _first(self, most: int, which: Which, key: Key | None = None, *, ahead: bool = False) -> list[Any]:
        values = {**self.board.values, **(key._asdict() if key else {}), "most": most}
        found = await self.session.execute(_in_order(self.board.kind, which, ahead=ahead), values)
        return sorted(found, key=lambda row: order_of(_key(row)), reverse=ahead)

    async def _ranked(self, rows: Sequence[Any]) -> list[Place]:
        if not rows:
            return []
        first = _key(rows[0])
        (rank,) = await self.ranks.of([first])
        tied = await self.session.scalar(self.board.kind.tied, self.board.values | first._asdict())
        return _places(self.board, rows, rank, rank + (tied or 0))


@dataclass(frozen=True)
class GroupReader:
    """The places of the accounts of a group among each other, in order. A group has at most some hundreds of accounts, so all of
    them are read at once, and nothing has to be counted.
    """

    places: Sequence[Place]

    @classmethod
    async def read(cls, session: AsyncSession, board: Board, accounts: Accounts, **values: str) -> "GroupReader":
        """Read the places of the accounts that a query with these values finds. Those that are not on the board have none."""
        found = await session.execute(_of_group(board.kind, accounts), board.values | values)
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
    took_s = (row.reached_at - row.began_at).total_seconds() if board.kind.row is Solve else None
    return Place(rank, _key(row), row.shown_name or row.name, row.solved, took_s)


@functools.cache
def _of_account(kind: BoardKind) -> Rows:
    return _rows(kind, kind.row.account_id == bindparam("account_id"))


@functools.cache
def _of_group(kind: BoardKind, accounts: Accounts) -> Rows:
    return _rows(kind, kind.row.account_id.in_(accounts))


@functools.cache
def _in_order(kind: BoardKind, which: Which, *, ahead: bool) -> Rows:
    """Return a query for the first `most` rows of a board: of all rows, of those after a key with equal points, or of those with
    fewer points. With `ahead`, the query is for the last rows, those before the key, or those with more points.
    """
    row, points = kind.row, bindparam("points", type_=Integer())
    here = tuple_(kind.reached_at, row.account_id)
    there = tuple_(bindparam("reached_at", type_=Moment()), bindparam("account_id", type_=String()))
    conditions: dict[Which, tuple[Any, ...]] = {
        "all": (),
        "equal": (row.points == points, here < there if ahead else here > there),
        "further": (kind.points > points if ahead else kind.points < points,),
    }
    order = kind.reversed_order if ahead else kind.order
    most = bindparam("most", type_=Integer())
    return _rows(kind, *conditions[which], order=order[1:] if which == "equal" else order, limit=most)


def _rows(kind: BoardKind, *where: Any, order: Sequence[Any] = (), limit: Any = None) -> Rows:
    """Return a query for the first rows of a board that fulfil the conditions, with the names of their accounts. The names are
    looked up only for these rows. The order of the result is not defined.
    """
    columns = kind.row.account_id, kind.row.points, kind.reached_at.label("reached_at"), kind.solved.label("solved")
    first = select(*columns).where(*kind.is_on_board, *where).order_by(*order).limit(limit).subquery()
    query: Rows = select(first, Account.name, Listing.name.label("shown_name"))
    query = query.join(Account, Account.id == first.c.account_id)
    query = query.outerjoin(Listing, Listing.account_id == first.c.account_id)
    return query.add_columns(_began_at(first.c.account_id).label("began_at")) if kind.row is Solve else query


def _began_at(account_id: Any) -> Any:
    """Return an SQL expression for when an account began the challenge of a board. The index of the board does not contain it, so
    it is looked up only for the rows of the result.
    """
    own = aliased(Solve)
    return select(own.began_at).where(own.account_id == account_id, own.slug == bindparam("slug")).scalar_subquery()
