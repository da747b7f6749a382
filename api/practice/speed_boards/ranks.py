"""Reads places on speed boards. Every page, profile and picture gets its places from `SpeedRanks`.

Entries are ordered by the upper end of their interval. An entry's rank is 1 plus the number of entries whose whole interval lies
above its own (grader/contract/ranking.py), so ranks never decrease along the board.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.kit.errors import BadCursor
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.practice.leaderboards.models import Listing, shown_name
from api.practice.leaderboards.rank_milestones import Milestones
from api.practice.measurements.models import IS_CONFIRMING, IS_LISTED, SpeedEntry

# An entry and the name under which its account appears.
EntryRow = Row[SpeedEntry, str]


class Key(NamedTuple):
    """The sort key of an entry on a board."""

    high: float
    account_id: str


class Milestone(NamedTuple):
    """The lower end of an entry, and the number of entries whose lower ends lie above it."""

    low: float
    above: int


@dataclass(frozen=True)
class Place:
    """An entry with its rank and the name of its account. An entry that is being confirmed has no rank."""

    rank: int | None
    entry: SpeedEntry
    name: str

    @property
    def key(self) -> Key:
        return Key(self.entry.high, self.entry.account_id)


@dataclass(frozen=True)
class SpeedRanks:
    """Reads places and numbers of entries in a session."""

    session: AsyncSession
    milestones: Milestones

    async def rank_of(self, board_id: str, high: float) -> int:
        """Return the rank that an interval with this upper end has on a board. On a large board, it may be some seconds old."""
        milestones = await self._milestones(board_id)
        passed = bisect_left(milestones, -high, key=lambda each: -each.low)
        return 1 + await self._count_above(board_id, high, milestones[passed - 1] if passed else None)

    async def ranked(self, board_id: str, rows: Sequence[EntryRow]) -> list[Place]:
        """Return the places of these entries of a board."""
        listed = [entry.high for entry, _ in rows if entry.shown and not entry.confirming]
        if not listed:
            return [Place(None, entry, name) for entry, name in rows]
        # Only the lower ends between the entries are read. All that lie above are counted.
        greatest = max(listed)
        above = await self.rank_of(board_id, greatest)
        between = (SpeedEntry.low > min(listed), SpeedEntry.low <= greatest)
        query = (
            select(SpeedEntry.low).where(SpeedEntry.board_id == board_id, IS_LISTED, *between).order_by(SpeedEntry.low)
        )
        lows = list(await self.session.scalars(query))
        return [
            Place(above + len(lows) - bisect_right(lows, entry.high), entry, name)
            if entry.shown and not entry.confirming
            else Place(None, entry, name)
            for entry, name in rows
        ]

    async def size(self, board_id: str) -> int:
        """Return the number of entries that have a place. For a large board, it may be some seconds old."""
        milestones = await self._milestones(board_id)
        return await self._count_above(board_id, 0.0, milestones[-1] if milestones else None)

    async def after(self, board_id: str, key: Key | None, limit: int) -> list[Place]:
        """Return the next places after this key, at most `limit`. If the key is None, return the first places of the board."""
        return await self.ranked(board_id, await _after(self.session, board_id, key, limit))

    async def around(self, board_id: str, account_id: str, limit: int) -> list[Place]:
        """Return the place of this account and the places around it, at most `limit` in all. The result is empty if the account
        has no place.
        """
        mine = await _rows(self.session, board_id, account_id)
        if not mine or mine[0][0].confirming or not mine[0][0].shown:
            return []
        key = Key(mine[0][0].high, account_id)
        before = await _before(self.session, board_id, key, (limit - 1) // 2)
        following = await _after(self.session, board_id, key, limit - len(before) - 1)
        rows = [*reversed(before), *mine, *following]
        return await self.ranked(board_id, rows)

    async def of_account(self, board_id: str, account_id: str) -> Place | None:
        """Return an account's entry on a board with its place, or None."""
        found = await self.ranked(board_id, await _rows(self.session, board_id, account_id))
        return found[0] if found else None

    async def confirming(self, board_id: str, limit: int) -> list[Place]:
        """Return the entries that are being confirmed, the fastest first."""
        query = entries(board_id).where(IS_CONFIRMING, SpeedEntry.shown).order_by(SpeedEntry.high.desc())
        return [Place(None, entry, name) for entry, name in await self.session.execute(query.limit(limit))]

    async def _count_above(self, board_id: str, value: float, start: Milestone | None) -> int:
        """Return the number of entries whose lower ends lie above a value. They are counted from a milestone above it, or all."""
        query = select(func.count()).where(SpeedEntry.board_id == board_id, IS_LISTED, SpeedEntry.low > value)
        if start is not None:
            query = query.where(SpeedEntry.low <= start.low)
        return (await self.session.scalar(query) or 0) + (start.above if start is not None else 0)

    async def _milestones(self, board_id: str) -> Sequence[Milestone]:
        """Return the milestones of a large board in descending order. A small board has none."""
        # The rank is that of the lower end alone, so that equal lower ends have equal numbers.
        order = SpeedEntry.low.desc()
        above = func.rank().over(order_by=order) - 1
        rows = select(SpeedEntry.low, above.label("above")).where(SpeedEntry.board_id == board_id, IS_LISTED)
        return await self.milestones.of(self.session, ("speed", board_id), lambda: rows, [order], Milestone)


def entries(board_id: str) -> Select[SpeedEntry, str]:
    """Return a query for the entries of a board with their names, in no order."""
    query = select(SpeedEntry, shown_name()).join(Account, Account.id == SpeedEntry.account_id)
    query = query.outerjoin(Listing, Listing.account_id == SpeedEntry.account_id)
    return query.where(SpeedEntry.board_id == board_id)


def cursor_of(key: Key) -> str:
    """Return the cursor for the page that follows a key."""
    return encode_cursor(repr(key.high), key.account_id)


def key_of(cursor: str) -> Key | None:
    """Return the key in a cursor, or None for an empty cursor. Raises `BadCursor`."""
    if not cursor:
        return None
    high, account_id = decode_cursor(cursor, (str, str))
    try:
        value = float(high)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise BadCursor("This cursor is not valid. Leave it out to start from the first page.")
    return Key(value, str(account_id))


async def _rows(session: AsyncSession, board_id: str, account_id: str) -> list[EntryRow]:
    query = entries(board_id).where(SpeedEntry.account_id == account_id)
    return list((await session.execute(query)).all())


async def _after(session: AsyncSession, board_id: str, key: Key | None, limit: int) -> list[EntryRow]:
    order = (SpeedEntry.high.desc(), SpeedEntry.account_id)
    listed = entries(board_id).where(IS_LISTED)
    if key is None:
        return list((await session.execute(listed.order_by(*order).limit(limit))).all())
    # Entries with the same upper end are looked up separately, because an index cannot be entered at a key whose parts are
    # ordered in different directions.
    equal = listed.where(SpeedEntry.high == key.high, SpeedEntry.account_id > key.account_id)
    return await _both(
        session, equal.order_by(*order), listed.where(SpeedEntry.high < key.high).order_by(*order), limit
    )


async def _before(session: AsyncSession, board_id: str, key: Key, limit: int) -> list[EntryRow]:
    order = (SpeedEntry.high, SpeedEntry.account_id.desc())
    listed = entries(board_id).where(IS_LISTED)
    equal = listed.where(SpeedEntry.high == key.high, SpeedEntry.account_id < key.account_id)
    return await _both(
        session, equal.order_by(*order), listed.where(SpeedEntry.high > key.high).order_by(*order), limit
    )


async def _both(
    session: AsyncSession, first: Select[SpeedEntry, str], rest: Select[SpeedEntry, str], limit: int
) -> list[EntryRow]:
    rows = list((await session.execute(first.limit(limit))).all())
    if len(rows) < limit:
        rows += (await session.execute(rest.limit(limit - len(rows)))).all()
    return rows
