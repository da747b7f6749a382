"""From judgings to solves, and from solves to standings. Every step looks at all there is, so doing it twice changes nothing.

A submission is accepted if its last judging that ended with a verdict on the answer says so: our own faults, judgings that
were cancelled and those that still run change nothing. The first accepted one of a challenge is the solve.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Select, bindparam, delete, exists, func, insert, or_, select, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.accounts import candidates, guests
from api.accounts.models import Account
from api.catalogue.service import Catalogue, Shelf
from api.db import Database
from api.editorials.service import earns_points
from api.judging.models import Judging
from api.standings.models import Listing, Solve, Standing
from api.submissions.models import Submission
from grader.job import Kind, Verdict

# Twice as much for each level: a hard one takes about as long as four easy ones.
POINTS = {"easy": 10, "medium": 20, "hard": 40}
AT_ONCE = 100
SOLVES, STANDINGS = Solve.metadata.tables["solve"], Standing.metadata.tables["standing"]
# Of a row: whose it is comes first.
Key = tuple[str, ...]
Known = dict[Key, dict[str, Any]]
# Accounts with challenges.
About = Select[str, str] | CompoundSelect[str, str]


class Worth(NamedTuple):
    """What a challenge counts, and for which section."""

    section: str
    points: int


def worth(catalogue: Catalogue, slug: str) -> Worth | None:
    """What solving a challenge is worth; None for one that is not served, whose solves stay as they are."""
    challenge = catalogue.by_slug.get(slug)
    if challenge is None:
        return None
    return Worth(challenge.package.info.section, POINTS[challenge.package.info.difficulty])


def periods(moment: datetime) -> tuple[str, str, str]:
    """All time, and the month and the week of a moment, as `Standing.period` has them."""
    year, week, _ = moment.astimezone(UTC).isocalendar()
    return "", f"{moment.astimezone(UTC):%Y-%m}", f"{year}-W{week:02}"


@dataclass(frozen=True)
class Settler:
    """Keeps solves and standings in step with judgements."""

    shelf: Shelf

    async def judged(self, session: AsyncSession, rows: Sequence[Judging]) -> None:
        """Judgements of submissions of the kind `submit` were written in this transaction."""
        catalogue = self.shelf.catalogue
        some = [row for row in rows if _may_count(row) and worth(catalogue, row.slug)]
        if not some:
            return
        about = select(Judging.account_id, Judging.slug).where(Judging.id.in_([row.id for row in some])).distinct()
        shown = await _locked(session, {row.account_id for row in some})
        other = await _settle(session, about, catalogue, shown)
        await _recount(session, {account_id: shown[account_id] for account_id in other})


async def rebuild(db: Database, catalogue: Catalogue) -> int:
    """Make the solves of every served challenge and all standings anew, some accounts at a time; returns how many there were."""
    last, count = "", 0
    while True:
        async with db.write() as session:
            accounts = list(await session.scalars(_accounts(last)))
            shown = await _locked(session, accounts)
            await _settle(session, _all_of(accounts), catalogue, shown)
            await _recount(session, shown)
        if not accounts:
            return count
        last, count = accounts[-1], count + len(accounts)


async def fill_if_empty(db: Database, catalogue: Catalogue) -> None:
    """After an update from a version that had no standings: make them."""
    async with db.read() as session:
        filled = await session.scalar(select(Standing.account_id).limit(1))
    if filled is None:
        await rebuild(db, catalogue)


async def show(session: AsyncSession, account_id: str) -> None:
    """Let others see, or not, what an account has done, as its listing (or a ban) says now."""
    shown = (await _locked(session, [account_id]))[account_id]
    for table in (Solve, Standing):
        await session.execute(update(table).where(table.account_id == account_id).values(shown=shown))


@guests.settles
async def merge(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """A guest's solves become an account's; where both solved the same, the earlier one stays."""
    shown = await _locked(session, [account_id])
    own = {row.slug: row for row in await _solves(session, account_id)}
    for row in await _solves(session, guest_id):
        other = own.get(row.slug)
        if other is not None and other.solved_at <= row.solved_at:
            await session.delete(row)
        elif other is not None:
            await session.delete(other)
    await session.flush()
    # Read anew from here on: what is in the session's memory still has the guest's id.
    session.expire_all()
    moved = update(Solve).where(Solve.account_id == guest_id).values(account_id=account_id)
    await session.execute(moved.execution_options(synchronize_session=False))
    await session.execute(delete(Standing).where(Standing.account_id == guest_id))
    await session.execute(update(Solve).where(Solve.account_id == account_id).values(shown=shown[account_id]))
    await _recount(session, shown)


async def _locked(session: AsyncSession, accounts: Collection[str]) -> dict[str, bool]:
    """Hold these accounts' solves against other writers until the end of the transaction: in one order, so that nobody waits in
    a circle. Returns of each whether others may see them.
    """
    some = select(Account.id).where(Account.id.in_(accounts)).order_by(Account.id)
    await session.execute(some.with_for_update(key_share=True))
    query = select(Account.id, Account.role, Account.ban, Listing.listed).where(Account.id.in_(accounts))
    found = await session.execute(query.outerjoin(Listing, Listing.account_id == Account.id))
    return {
        account_id: role not in candidates.PASSING and ban is None and listed is not False
        for account_id, role, ban, listed in found
    }


async def _settle(session: AsyncSession, about: About, catalogue: Catalogue, shown: Mapping[str, bool]) -> set[str]:
    """Bring the solves of these accounts and challenges in step with the judgings; returns whose were not."""
    pairs = about.subquery()
    there = await session.execute(select(SOLVES).join(pairs, _same(SOLVES.c, pairs.c)))
    known: Known = {(row.account_id, row.slug): row._asdict() for row in there if row.slug in catalogue.by_slug}
    wanted: Known = {}
    for first in await session.execute(_firsts(pairs)):
        if found := worth(catalogue, first.slug):
            wanted[first.account_id, first.slug] = {
                **first._asdict(),
                "section": found.section,
                "points": found.points if first.points else 0,
                "shown": shown[first.account_id],
            }
    return await _write(session, SOLVES, known, wanted)


async def _recount(session: AsyncSession, shown: Mapping[str, bool]) -> None:
    """Bring the standings of these accounts in step with their solves."""
    if not shown:
        return
    wanted: Known = {}
    for solve in await session.execute(select(SOLVES).where(SOLVES.c.account_id.in_(shown))):
        for section, period in itertools.product(("", solve.section), periods(solve.solved_at)):
            key = {"account_id": solve.account_id, "section": section, "period": period}
            fresh = {"points": 0, "solved": 0, "reached_at": solve.solved_at, "shown": shown[solve.account_id]}
            row = wanted.setdefault(tuple(key.values()), {**key, **fresh})
            row["points"] += solve.points
            row["solved"] += 1
            if solve.points:
                row["reached_at"] = max(row["reached_at"], solve.solved_at)
    there = await session.execute(select(STANDINGS).where(STANDINGS.c.account_id.in_(shown)))
    known: Known = {(row.account_id, row.section, row.period): row._asdict() for row in there}
    await _write(session, STANDINGS, known, wanted)


async def _write(session: AsyncSession, rows: SqlTable, known: Known, wanted: Known) -> set[str]:
    """Make known rows the wanted ones, with one statement for all that are gone, new, or other; returns whose they are."""
    names = [column.name for column in rows.primary_key]
    these = [rows.c[name] == bindparam(f"of_{name}") for name in names]

    def of(key: Key) -> dict[str, Any]:
        return {f"of_{name}": value for name, value in zip(names, key, strict=True)}

    gone = [key for key in known if key not in wanted]
    new = [key for key in wanted if key not in known]
    other = [key for key in wanted if key in known and known[key] != wanted[key]]
    if gone:
        await session.execute(delete(rows).where(*these), [of(key) for key in gone])
    if new:
        await session.execute(insert(rows), [wanted[key] for key in new])
    if other:
        await session.execute(update(rows).where(*these), [{**wanted[key], **of(key)} for key in other])
    return {key[0] for key in (*gone, *new, *other)}


def _may_count(row: Judging) -> bool:
    """A first judging that says no takes nothing away, and what was our fault says nothing."""
    first_and_wrong = row.number == 1 and row.verdict != Verdict.AC
    return not first_and_wrong and row.verdict != Verdict.JE


def _accounts(after: str) -> Select[str]:
    did = (
        exists().where(Submission.account_id == Account.id, Submission.kind == Kind.SUBMIT),
        exists().where(Solve.account_id == Account.id),
        exists().where(Standing.account_id == Account.id),
    )
    return select(Account.id).where(Account.id > after, or_(*did)).order_by(Account.id).limit(AT_ONCE)


def _all_of(accounts: Sequence[str]) -> About:
    """What these accounts have submitted or solved."""
    sent = select(Submission.account_id, Submission.slug).where(Submission.kind == Kind.SUBMIT)
    solved = select(Solve.account_id, Solve.slug).where(Solve.account_id.in_(accounts))
    return sent.where(Submission.account_id.in_(accounts)).union(solved)


def _firsts(pairs: Any) -> Any:
    """Of each account and challenge the earliest accepted submission, as a row of `solve`; but `points` says whether it has any.

    `tries` counts what was judged up to it, `began_at` is when the first of any kind was sent.
    """
    later, sent, said = aliased(Judging), aliased(Submission), aliased(Judging)
    newer = exists().where(later.submission_id == Submission.id, later.number > Judging.number, _says_something(later))
    whose = (Submission.account_id, Submission.slug)
    turn = func.row_number().over(partition_by=whose, order_by=(Submission.created_at, Submission.id))
    accepted = (
        select(*whose, Submission.id, Submission.created_at, earns_points().label("earns"), turn.label("turn"))
        .join(pairs, _same(Submission, pairs.c))
        .join(Judging, Judging.submission_id == Submission.id)
        .where(Submission.kind == Kind.SUBMIT, Judging.verdict == Verdict.AC, ~newer)
        .subquery()
    )
    first = accepted.c
    columns = (
        first.account_id,
        first.slug,
        first.id.label("submission_id"),
        first.earns.label("points"),
        first.created_at.label("solved_at"),
    )
    tries = func.count(sent.id.distinct()).filter(sent.kind == Kind.SUBMIT, said.id.is_not(None))
    return (
        select(*columns, tries.label("tries"), func.min(sent.created_at).label("began_at"))
        .join(sent, _same(sent, first) & (sent.id <= first.id))
        .outerjoin(said, (said.submission_id == sent.id) & _says_something(said))
        .where(first.turn == 1)
        .group_by(first.account_id, first.slug, first.id, first.earns, first.created_at)
    )


def _same(one: Any, other: Any) -> Any:
    return (one.account_id == other.account_id) & (one.slug == other.slug)


def _says_something(judging: Any) -> Any:
    return judging.verdict.is_not(None) & (judging.verdict != Verdict.JE)


async def _solves(session: AsyncSession, account_id: str) -> list[Solve]:
    return list(await session.scalars(select(Solve).where(Solve.account_id == account_id)))
