"""Rules of editorials: what opens one, and what opening one before solving costs."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, exists, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.accounts.credentials import Identity
from api.db import Table, now
from api.editorials.models import GivingUp, HintsSeen
from api.errors import ApiError
from api.interviews.closing import asked_of
from api.judging.models import Judging
from api.submissions.models import Submission
from grader.job import Kind, Verdict


class EditorialClosed(ApiError):
    """Neither solved nor given up."""

    status, code = 403, "editorial_closed"


@dataclass(frozen=True)
class Way:
    """How far an account is with a challenge."""

    solved_at: datetime | None = None
    gave_up_at: datetime | None = None
    hints: int = 0

    @property
    def open(self) -> bool:
        """Whether the editorial and other people's answers may be read."""
        return self.solved_at is not None or self.gave_up_at is not None


def earns_points() -> ColumnElement[bool]:
    """Condition on `Submission`: it was sent before its account gave up on the challenge, if it ever did.

    An accepted answer sent after giving up is still a solve; it brings no points.
    """
    given_up = exists().where(
        GivingUp.account_id == Submission.account_id,
        GivingUp.slug == Submission.slug,
        GivingUp.at < Submission.created_at,
    )
    return ~given_up.correlate(Submission)


async def way_of(session: AsyncSession, account_id: str, slug: str) -> Way:
    """How far an account is with a challenge."""
    accepted = (
        select(func.min(Submission.created_at))
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.SUBMIT)
        .where(Judging.verdict == Verdict.AC)
    )
    gave_up = await session.get(GivingUp, (account_id, slug))
    hints = await session.get(HintsSeen, (account_id, slug))
    solved_at: datetime | None = await session.scalar(accepted)
    return Way(solved_at, gave_up.at if gave_up else None, hints.count if hints else 0)


async def must_be_open(session: AsyncSession, caller: Identity, slug: str) -> None:
    """Pass who may read a challenge's solutions (an admin too). Raises `AskedInInterview`, `EditorialClosed`."""
    (await asked_of(session, caller.account.id)).refuse_challenge(slug)
    if not caller.is_admin and not (await way_of(session, caller.account.id, slug)).open:
        raise EditorialClosed("This opens when you have solved the challenge, or given up on it.")


async def give_up(session: AsyncSession, account_id: str, slug: str) -> None:
    """Record a giving up, once; whoever has solved the challenge before has nothing to give up."""
    if not (await way_of(session, account_id, slug)).open:
        await _add(session, GivingUp(account_id=account_id, slug=slug, at=now()))


async def count_hints(session: AsyncSession, account_id: str, slug: str, count: int) -> None:
    """Remember how many hints were opened; the number never falls."""
    if not await _add(session, HintsSeen(account_id=account_id, slug=slug, count=count)):
        fewer = (HintsSeen.account_id == account_id, HintsSeen.slug == slug, HintsSeen.count < count)
        await session.execute(update(HintsSeen).where(*fewer).values(count=count))


async def _add(session: AsyncSession, row: Table) -> bool:
    """Whether there was no such row yet."""
    try:
        async with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True


@guests.settles
async def settle(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Where guest and account both have a row: the first giving up counts, and the larger number of hints."""
    for given in (await session.scalars(select(GivingUp).where(GivingUp.account_id == guest_id))).all():
        own = await session.get(GivingUp, (account_id, given.slug))
        if own is not None:
            own.at = min(own.at, given.at)
            await session.delete(given)
    for seen in (await session.scalars(select(HintsSeen).where(HintsSeen.account_id == guest_id))).all():
        await count_hints(session, account_id, seen.slug, seen.count)
    await session.execute(delete(HintsSeen).where(HintsSeen.account_id == guest_id))
