"""From judgings to solves, and from solves to standings. Every step looks at all there is, so doing it twice changes nothing.

A submission is accepted if its last judging that ended with a verdict on the answer says so: our own faults, judgings that
were cancelled and those that still run change nothing. The first accepted one of a challenge is the solve.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, delete, exists, func, or_, select, update
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

    async def judged(self, session: AsyncSession, row: Judging) -> None:
        """A judgement of a `submit` was written in this transaction."""
        found = worth(self.shelf.catalogue, row.slug)
        first_and_wrong = row.number == 1 and row.verdict != Verdict.AC
        if found is None or first_and_wrong or row.verdict == Verdict.JE:
            return
        shown = await _locked(session, row.account_id)
        if await _settle(session, row.account_id, row.slug, found, shown=shown):
            await _recount(session, row.account_id, shown=shown)


async def rebuild(db: Database, catalogue: Catalogue) -> int:
    """Make the solves of every served challenge and all standings anew, some accounts at a time; returns how many there were."""
    last, count = "", 0
    while True:
        async with db.write() as session:
            accounts = list(await session.scalars(_accounts(last)))
            for account_id in accounts:
                await _rebuild_one(session, account_id, catalogue)
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
    shown = await _locked(session, account_id)
    for table in (Solve, Standing):
        await session.execute(update(table).where(table.account_id == account_id).values(shown=shown))


@guests.settles
async def merge(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """A guest's solves become an account's; where both solved the same, the earlier one stays."""
    shown = await _locked(session, account_id)
    own = {row.slug: row for row in await _solves(session, account_id)}
    for row in await _solves(session, guest_id):
        other = own.get(row.slug)
        if other is not None and other.solved_at <= row.solved_at:
            await session.delete(row)
        elif other is not None:
            await session.delete(other)
    await session.flush()
    # Read anew below: what is in the session's memory still has the guest's id.
    session.expire_all()
    moved = update(Solve).where(Solve.account_id == guest_id).values(account_id=account_id)
    await session.execute(moved.execution_options(synchronize_session=False))
    await session.execute(delete(Standing).where(Standing.account_id == guest_id))
    await session.execute(update(Solve).where(Solve.account_id == account_id).values(shown=shown))
    await _recount(session, account_id, shown=shown)


async def _locked(session: AsyncSession, account_id: str) -> bool:
    """Hold an account's solves against other writers until the end of the transaction; returns whether others may see them."""
    query = (
        select(Account.role, Account.ban, Listing.listed)
        .outerjoin(Listing, Listing.account_id == Account.id)
        .where(Account.id == account_id)
        .with_for_update(of=Account, key_share=True)
    )
    role, ban, listed = (await session.execute(query)).one()
    return role not in candidates.PASSING and ban is None and listed is not False


async def _settle(session: AsyncSession, account_id: str, slug: str, found: Worth, *, shown: bool) -> bool:
    """Bring one solve in step with the judgings; returns whether it was not."""
    row = await session.get(Solve, (account_id, slug))
    first = (await session.execute(_accepted(account_id, slug).limit(1))).one_or_none()
    if first is None:
        if row is not None:
            await session.delete(row)
            await session.flush()
        return row is not None
    tries, began_at = (await session.execute(_before(account_id, slug, first.id))).one()
    values: dict[str, Any] = {
        "submission_id": first.id,
        "section": found.section,
        "points": found.points if first.earns else 0,
        "tries": tries,
        "began_at": began_at,
        "solved_at": first.created_at,
        "shown": shown,
    }
    if row is None:
        session.add(Solve(account_id=account_id, slug=slug, **values))
    else:
        for name, value in values.items():
            setattr(row, name, value)
    changed = row is None or session.is_modified(row)
    await session.flush()
    return changed


async def _recount(session: AsyncSession, account_id: str, *, shown: bool) -> None:
    """Bring an account's standings in step with its solves."""
    wanted: dict[tuple[str, str], Any] = {}
    for solve in await _solves(session, account_id):
        for section in ("", solve.section):
            for period in periods(solve.solved_at):
                points, solved, reached_at = wanted.get((section, period), (0, 0, solve.solved_at))
                reached_at = max(reached_at, solve.solved_at) if solve.points else reached_at
                wanted[section, period] = points + solve.points, solved + 1, reached_at
    there = await session.scalars(select(Standing).where(Standing.account_id == account_id))
    known = {(row.section, row.period): row for row in there}
    for key, (points, solved, reached_at) in wanted.items():
        row = known.pop(key, None) or Standing(account_id=account_id, section=key[0], period=key[1])
        row.points, row.solved, row.reached_at, row.shown = points, solved, reached_at, shown
        session.add(row)
    for row in known.values():
        await session.delete(row)
    await session.flush()


async def _rebuild_one(session: AsyncSession, account_id: str, catalogue: Catalogue) -> None:
    shown = await _locked(session, account_id)
    sent = select(Submission.slug).where(Submission.account_id == account_id, Submission.kind == Kind.SUBMIT)
    for slug in await session.scalars(sent.union(select(Solve.slug).where(Solve.account_id == account_id))):
        if found := worth(catalogue, slug):
            await _settle(session, account_id, slug, found, shown=shown)
    await _recount(session, account_id, shown=shown)


def _accounts(after: str) -> Select[str]:
    did = (
        exists().where(Submission.account_id == Account.id, Submission.kind == Kind.SUBMIT),
        exists().where(Solve.account_id == Account.id),
        exists().where(Standing.account_id == Account.id),
    )
    return select(Account.id).where(Account.id > after, or_(*did)).order_by(Account.id).limit(AT_ONCE)


def _accepted(account_id: str, slug: str) -> Select[str, datetime, bool]:
    """Accepted submissions of a challenge, the earliest first, and whether they earn points."""
    later = aliased(Judging)
    newer = exists().where(later.submission_id == Submission.id, later.number > Judging.number, _says_something(later))
    return (
        select(Submission.id, Submission.created_at, earns_points().label("earns"))
        .join(Judging, Judging.submission_id == Submission.id)
        .where(_sent(account_id, slug), Submission.kind == Kind.SUBMIT, Judging.verdict == Verdict.AC, ~newer)
        .order_by(Submission.created_at, Submission.id)
    )


def _before(account_id: str, slug: str, submission_id: str) -> Select[int, datetime]:
    """How many were judged up to this submission, and when the first of any kind was sent."""
    counts = exists().where(Judging.submission_id == Submission.id, _says_something(Judging))
    tries = func.count().filter(Submission.kind == Kind.SUBMIT, counts)
    return select(tries, func.min(Submission.created_at)).where(_sent(account_id, slug), Submission.id <= submission_id)


def _sent(account_id: str, slug: str) -> Any:
    return (Submission.account_id == account_id) & (Submission.slug == slug)


def _says_something(judging: Any) -> Any:
    return judging.verdict.is_not(None) & (judging.verdict != Verdict.JE)


async def _solves(session: AsyncSession, account_id: str) -> list[Solve]:
    return list(await session.scalars(select(Solve).where(Solve.account_id == account_id)))
