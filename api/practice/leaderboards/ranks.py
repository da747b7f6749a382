"""Counts how many accounts are ordered before others on a board, on a large board from the nearest of its milestones."""

import bisect
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, ColumnElement, Integer, Select, String, bindparam, column, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.db.database import Moment
from api.kit.db.postgres import on_postgresql
from api.practice.leaderboards import rank_milestones
from api.practice.leaderboards.rank_milestones import Milestones

# The values of a count and their types in SQL.
VALUES: dict[str, Any] = {
    "start_points": Integer(),
    "start_at": Moment(),
    "start_id": String(),
    "less_than": Integer(),
    "points": Integer(),
    "reached_at": Moment(),
    "first_at": Moment(),
    "first_id": String(),
}
# No account has as few or as many points, and none reached its points before this moment.
NO_POINTS, MOST_POINTS, BEGINNING = -1, 2**31 - 1, datetime(1, 1, 2, tzinfo=UTC)


class Key(NamedTuple):
    """The sort key of an account on a board."""

    points: int
    reached_at: datetime
    account_id: str


# Returns the SQL expression of a value, given its name.
Given = Callable[[str], Any]


@dataclass(frozen=True, eq=False)
class BoardKind:
    """The table, conditions and columns with which boards of one kind are queried. Building a statement takes longer than running
    it, so each statement is built once for all boards of a kind, which differ in the values of its parameters.

    `row` is Solve or Standing, and `where` returns the conditions. `of_period` says whether the conditions select a period of
    rows whose index has those of all time.
    """

    row: Any
    where: Callable[[Given], tuple[Any, ...]]
    reached_at: Any
    solved: Any
    of_period: bool = False

    @functools.cached_property
    def is_on_board(self) -> tuple[Any, ...]:
        """The conditions for the rows of a board, with `Board.values` as parameters."""
        return self.where(bindparam)

    @functools.cached_property
    def points(self) -> Any:
        """The points, where rows are ordered by them or lie between two numbers of points. PostgreSQL must not walk through the
        rows of all time to find those of a period. As it has no index of this sum, it reads those of the period.
        """
        return self.row.points + 0 if self.of_period else self.row.points

    @functools.cached_property
    def order(self) -> tuple[Any, Any, Any]:
        """What boards are ordered by."""
        return self.points.desc(), self.reached_at, self.row.account_id

    @functools.cached_property
    def reversed_order(self) -> tuple[Any, Any, Any]:
        """What boards are ordered by, the last account first."""
        return self.order[0].element, self.reached_at.desc(), self.row.account_id.desc()

    @functools.cached_property
    def tied(self) -> Select[int]:
        """A query for the number of rows with the same rank as a key that are listed before it on the board."""
        same = (self.row.points == bindparam("points")) & (self.reached_at == bindparam("reached_at"))
        before = same & (self.row.account_id < bindparam("account_id"))
        return select(func.count()).where(*self.is_on_board, before)

    @functools.cached_property
    def ahead_of_one(self) -> Select[int]:
        """A query for the number of rows that `_ahead` counts."""
        return select(self._ahead(lambda name: bindparam(name, type_=VALUES[name])))

    @functools.cached_property
    def ahead_of_each(self) -> Select[int]:
        """The same as `ahead_of_one`, for many keys together. It takes an array of each value. SQLite has no arrays."""
        columns = [column(name, kind) for name, kind in VALUES.items()]
        arrays = [bindparam(name, type_=ARRAY(kind)) for name, kind in VALUES.items()]
        each = func.unnest(*arrays).table_valued(*columns, with_ordinality="place").render_derived(name="each")
        return select(self._ahead(lambda name: each.c[name])).select_from(each).order_by(each.c.place)

    def _ahead(self, given: Given) -> ColumnElement[int]:
        """Return the number of rows from a `start` on that have a better rank than a key, as an SQL expression. `given` returns
        the expression of each value of `values_of`.

        It counts three ranges of the board's index, of which no row is in two: the rows with the points of `start`, those
        between, and those with the points of the key.
        """
        row, here = self.row, tuple_(self.reached_at, self.row.account_id)
        ranges = (
            (row.points == given("start_points")) & (here >= tuple_(given("start_at"), given("start_id"))),
            (self.points < given("less_than")) & (self.points > given("points")),
            (row.points == given("points"))
            & (self.reached_at < given("reached_at"))
            & (here >= tuple_(given("first_at"), given("first_id"))),
        )
        first, second, third = (
            select(func.count()).select_from(row).where(*self.is_on_board, each).scalar_subquery() for each in ranges
        )
        return first + second + third


@dataclass(frozen=True)
class Board:
    """A board. `name` tells it from all others, and `values` are those of the conditions of its kind."""

    name: tuple[str, ...]
    kind: BoardKind
    values: dict[str, Any]

    @property
    def where(self) -> tuple[Any, ...]:
        """The conditions for the board's rows, without parameters. Statements about several boards need them."""
        return self.kind.where(self.values.__getitem__)


def values_of(key: Key, start: Key | None) -> dict[str, Any]:
    """Return the values of `BoardKind.ahead_of_one`. Without a start, all rows with a better rank than the key are counted."""
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


def order_of(key: Key) -> tuple[int, datetime, str]:
    """Return what keys are sorted by: the first on the board first."""
    return -key.points, key.reached_at, key.account_id


@dataclass
class Ranks:
    """Ranks of keys on a board. The milestones are looked up once."""

    session: AsyncSession
    board: Board
    milestones: Milestones
    _known: Sequence[Key] | None = None

    async def of(self, keys: Sequence[Key]) -> list[int]:
        """Return the rank of each key: 1 plus the number of accounts that are ordered before it and not tied with it."""
        known = await self._milestones()
        # Milestones with the same points and time are tied with the key, so the counting must begin before them.
        places = [bisect.bisect_left(known, order_of(key._replace(account_id="")), key=order_of) - 1 for key in keys]
        values = [values_of(key, known[at] if at >= 0 else None) for key, at in zip(keys, places, strict=True)]
        ahead = await self._ahead(values)
        return [1 + max(0, at) * rank_milestones.STEP + count for at, count in zip(places, ahead, strict=True)]

    async def size(self) -> int:
        """Return how many accounts are on the board."""
        known = await self._milestones()
        (ahead,) = await self._ahead([values_of(Key(NO_POINTS, BEGINNING, ""), known[-1] if known else None)])
        return max(0, len(known) - 1) * rank_milestones.STEP + ahead

    async def _milestones(self) -> Sequence[Key]:
        if self._known is None:
            board, kind = self.board, self.board.kind
            columns = kind.row.points, kind.reached_at, kind.row.account_id
            self._known = await self.milestones.of(
                self.session, board.name, lambda: select(*columns).where(*board.where), kind.order, Key
            )
        return self._known

    async def _ahead(self, values: Sequence[dict[str, Any]]) -> Sequence[int]:
        """Return `BoardKind.ahead_of_one` for each of these values. On PostgreSQL, one statement counts for all of them."""
        board, kind = self.board.values, self.board.kind
        if len(values) > 1 and on_postgresql(self.session):
            together = {name: [one[name] for one in values] for name in VALUES}
            return (await self.session.scalars(kind.ahead_of_each, board | together)).all()
        return [(await self.session.scalars(kind.ahead_of_one, board | one)).one() for one in values]
