"""Derives solves from judgings, and standings from solves. A solve is an account's first accepted submission for a challenge. A
standing is an account's points on one leaderboard. The functions do not add up changes but recompute whole rows, so running
one of them twice does no harm.

A submission can be judged several times. It counts as accepted if the latest of its conclusive judgings accepted it. Cancelled
and unfinished judgings, and those with the verdict JE (judge error), are not conclusive.
"""

import functools
import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    Select,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy import Table as SqlTable
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.identity.accounts import candidates, guests
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import Database
from api.practice.leaderboards.models import Listing, Solve, Standing
from api.practice.leaderboards.periods import periods
from api.practice.leaderboards.solve_queries import IDS, JUDGED, OF_ACCOUNTS, SOLVES, AccountChallenges, first_accepted
from grader.contract.job import Kind, Verdict

# The points for solving a challenge, by its difficulty. A hard challenge takes about as long as four easy ones.
POINTS = {"easy": 10, "medium": 20, "hard": 40}
AT_ONCE = 100
STANDINGS = Standing.metadata.tables["standing"]
# Tables with the columns `account_id` and `shown`, whose rows are shown and hidden together with an account's solves.
SHOWN_WITH_ACCOUNT: list[Any] = [Solve, Standing]
LOCKED = select(Account.id).where(Account.id.in_(IDS)).order_by(Account.id).with_for_update(key_share=True)
VISIBILITY = (
    select(Account.id, Account.role, Account.ban, Listing.listed)
    .outerjoin(Listing, Listing.account_id == Account.id)
    .where(Account.id.in_(IDS))
)
SOLVES_OF = select(SOLVES).where(SOLVES.c.account_id.in_(IDS))
STANDINGS_OF = select(STANDINGS).where(STANDINGS.c.account_id.in_(IDS))
# The primary key of a row. Its first part is the account's ID.
Key = tuple[str, ...]
Rows = dict[Key, dict[str, Any]]


class Worth(NamedTuple):
    """The points that a challenge gives, and the section in which they count."""

    section: str
    points: int


def worth(catalogue: Catalogue, slug: str) -> Worth | None:
    """Return what solving a challenge gives. Returns None for a challenge that is not in the catalogue; its solves must be left
    unchanged.
    """
    challenge = catalogue.by_slug.get(slug)
    if challenge is None:
        return None
    return Worth(challenge.package.info.section, POINTS[challenge.package.info.difficulty])


@dataclass(frozen=True)
class ScoreUpdater:
    """Updates solves and standings (points on leaderboards) whenever judgements are stored."""

    store: CatalogueStore

    async def judged(self, session: AsyncSession, rows: Sequence[Judging]) -> None:
        """Update the solves and standings that these judged rows affect. Call this in the transaction that stores the
        judgements, and only with rows whose submission has the kind `submit`.
        """
        catalogue = self.store.catalogue
        some = [row for row in rows if _may_count(row) and worth(catalogue, row.slug)]
        if not some:
            return
        shown = await _lock(session, {row.account_id for row in some})
        pairs = {(row.account_id, row.slug) for row in some}
        solves, other = await _update_solves(session, JUDGED, [row.id for row in some], catalogue, shown, pairs)
        await _update_standings(session, {account_id: shown[account_id] for account_id in other}, solves)


class Rebuilt(NamedTuple):
    """How many accounts were recomputed, and the IDs of those for which something else was stored."""

    accounts: int
    different: list[str]


async def rebuild(db: Database, catalogue: Catalogue, *, keep: bool = True) -> Rebuilt:
    """Recompute the solves of all challenges in the catalogue and all standings (points on leaderboards), in batches of
    accounts. Without `keep`, the changes are rolled back, so this only compares.
    """
    last, count, different = "", 0, set[str]()
    while True:
        async with db.write() as session:
            accounts = list(await session.scalars(_accounts(last)))
            changes = await session.begin_nested()
            different |= await recompute(session, accounts, catalogue)
            await (changes.commit() if keep else changes.rollback())
        if not accounts:
            return Rebuilt(count, sorted(different))
        last, count = accounts[-1], count + len(accounts)


async def recompute(session: AsyncSession, accounts: Sequence[str], catalogue: Catalogue) -> set[str]:
    """Recompute all solves and standings of these accounts. Returns the IDs of those for which something else was stored."""
    shown = await _lock(session, accounts)
    solves, different = await _update_solves(session, OF_ACCOUNTS, accounts, catalogue, shown)
    return different | await _update_standings(session, shown, solves)


async def fill_if_empty(db: Database, catalogue: Catalogue) -> None:
    """If no points are stored at all, compute them for all leaderboards. This is the case after an upgrade from a version that
    had no leaderboards.
    """
    async with db.read() as session:
        filled = await session.scalar(select(Standing.account_id).limit(1))
    if filled is None:
        await rebuild(db, catalogue)


async def update_visibility(session: AsyncSession, account_id: str) -> None:
    """Show or hide an account's solves and its points on leaderboards, depending on its listing setting and on bans."""
    shown = (await _lock(session, [account_id]))[account_id]
    for table in SHOWN_WITH_ACCOUNT:
        await session.execute(update(table).where(table.account_id == account_id).values(shown=shown))


@guests.on_guest_merge
async def merge(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Move a guest's solves to an account, and recompute the account's points. If both have solved the same challenge, the
    earlier solve is kept.
    """
    shown = await _lock(session, [account_id])
    own = {row.slug: row for row in await _solves(session, account_id)}
    for row in await _solves(session, guest_id):
        other = own.get(row.slug)
        if other is not None and other.solved_at <= row.solved_at:
            await session.delete(row)
        elif other is not None:
            await session.delete(other)
    await session.flush()
    # The rows are moved by SQL below, so objects in the session would keep the guest's ID. They are read again when needed.
    session.expire_all()
    moved = update(Solve).where(Solve.account_id == guest_id).values(account_id=account_id)
    await session.execute(moved.execution_options(synchronize_session=False))
    await session.execute(delete(Standing).where(Standing.account_id == guest_id))
    await session.execute(update(Solve).where(Solve.account_id == account_id).values(shown=shown[account_id]))
    await _update_standings(session, shown, await _stored_solves(session, shown))


async def _lock(session: AsyncSession, accounts: Collection[str]) -> dict[str, bool]:
    """Lock these accounts until the end of the transaction, so that no other transaction changes their solves. They are locked
    in the order of their IDs, so that two transactions cannot wait for each other. Returns for each account whether other users
    may see its solves.
    """
    await session.execute(LOCKED, {"ids": list(accounts)})
    return {
        account_id: role not in candidates.PASSING and ban is None and listed is not False
        for account_id, role, ban, listed in await session.execute(VISIBILITY, {"ids": list(accounts)})
    }


async def _update_solves(
    session: AsyncSession,
    selected: AccountChallenges,
    ids: Sequence[str],
    catalogue: Catalogue,
    shown: Mapping[str, bool],
    pairs: Collection[Key] | None = None,
) -> tuple[Rows, set[str]]:
    """Recompute from the judgings the solves of the pairs of account and challenge that the query `selected` finds for these
    IDs: those in `pairs`, or all of the accounts in `shown`. Returns all solves of these accounts, and the IDs of the accounts
    whose solves have changed.
    """
    stored = await _stored_solves(session, shown)
    present = {
        key: row for key, row in stored.items() if row["slug"] in catalogue.by_slug and (pairs is None or key in pairs)
    }
    wanted: Rows = {}
    for first in await session.execute(first_accepted(selected), {"ids": ids}):
        if found := worth(catalogue, first.slug):
            wanted[first.account_id, first.slug] = {
                **first._asdict(),
                "section": found.section,
                "points": found.points if first.points else 0,
                "shown": shown[first.account_id],
            }
    changed = await _write(session, SOLVES, present, wanted)
    return {key: row for key, row in stored.items() if key not in present} | wanted, changed


async def _stored_solves(session: AsyncSession, accounts: Collection[str]) -> Rows:
    """Return all solves of these accounts."""
    found = await session.execute(SOLVES_OF, {"ids": list(accounts)})
    return {(row.account_id, row.slug): row._asdict() for row in found}


async def _update_standings(session: AsyncSession, shown: Mapping[str, bool], solves: Rows) -> set[str]:
    """Recompute the standings of these accounts (their points on each leaderboard) from their solves. Returns the IDs of the
    accounts whose standings have changed.
    """
    if not shown:
        return set()
    wanted: Rows = {}
    for solve in sorted(solves.values(), key=lambda each: each["solved_at"]):
        account_id, solved_at = solve["account_id"], solve["solved_at"]
        if account_id not in shown:
            continue
        for section, period in itertools.product(("", solve["section"]), periods(solved_at)):
            key = {"account_id": account_id, "section": section, "period": period}
            fresh = {"points": 0, "solved": 0, "reached_at": solved_at, "shown": shown[account_id]}
            row = wanted.setdefault(tuple(key.values()), {**key, **fresh})
            row["points"] += solve["points"]
            row["solved"] += 1
            if solve["points"]:
                row["reached_at"] = solved_at
    there = await session.execute(STANDINGS_OF, {"ids": list(shown)})
    present: Rows = {(row.account_id, row.section, row.period): row._asdict() for row in there}
    return await _write(session, STANDINGS, present, wanted)


async def _write(session: AsyncSession, rows: SqlTable, present: Rows, wanted: Rows) -> set[str]:
    """Make the table contain the `wanted` rows instead of the `present` ones. At most one DELETE, one INSERT and one UPDATE
    statement are executed. Returns the IDs of the accounts whose rows have changed.
    """
    change = _changes(rows)

    def of(key: Key) -> dict[str, Any]:
        return {f"of_{name}": value for name, value in zip(change.key, key, strict=True)}

    gone = [key for key in present if key not in wanted]
    new = [key for key in wanted if key not in present]
    other = [key for key in wanted if key in present and present[key] != wanted[key]]
    if gone:
        await session.execute(change.remove, [of(key) for key in gone])
    if new:
        await session.execute(change.add, [wanted[key] for key in new])
    if other:
        await session.execute(change.replace, [{**wanted[key], **of(key)} for key in other])
    return {key[0] for key in (*gone, *new, *other)}


class _Changes(NamedTuple):
    """The statements that change rows of a table. The values of its `key` are named like its columns, after `of_`."""

    key: list[str]
    remove: Any
    add: Any
    replace: Any


@functools.cache
def _changes(rows: SqlTable) -> _Changes:
    names = [column.name for column in rows.primary_key]
    these = [rows.c[name] == bindparam(f"of_{name}") for name in names]
    return _Changes(names, delete(rows).where(*these), insert(rows), update(rows).where(*these))


def _may_count(row: Judging) -> bool:
    """Return whether a judging can change a solve. The first judging of a submission can only add a solve, so it matters only
    if it accepts the submission. Later judgings can also remove one. A judge error (JE) changes nothing.
    """
    first_and_wrong = row.number == 1 and row.verdict != Verdict.AC
    return not first_and_wrong and row.verdict != Verdict.JE


def _accounts(after: str) -> Select[str]:
    did = (
        exists().where(Submission.account_id == Account.id, Submission.kind == Kind.SUBMIT),
        exists().where(Solve.account_id == Account.id),
        exists().where(Standing.account_id == Account.id),
    )
    return select(Account.id).where(Account.id > after, or_(*did)).order_by(Account.id).limit(AT_ONCE)


async def _solves(session: AsyncSession, account_id: str) -> list[Solve]:
    return list(await session.scalars(select(Solve).where(Solve.account_id == account_id)))
