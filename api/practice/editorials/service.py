"""Decides who may read an editorial, and which accepted answers earn points if the account has given up on the challenge."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests
from api.identity.sessions.credentials import Identity
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import now
from api.kit.db.insert_if_absent import insert_if_absent
from api.kit.errors import ApiError
from api.practice.editorials.models import GivingUp, HintsSeen
from api.practice.editorials.schemas import MistakeView
from api.practice.running_interviews.restrictions import restrictions_of
from grader.content.package import Package
from grader.contract.job import Kind, Verdict


class EditorialClosed(ApiError):
    """The account has neither solved the challenge nor given up."""

    status, code = 403, "editorial_closed"


@dataclass(frozen=True)
class EditorialProgress:
    """An account's progress on a challenge."""

    solved_at: datetime | None = None
    gave_up_at: datetime | None = None
    hints: int = 0

    @property
    def open(self) -> bool:
        """Whether the editorial and other people's answers may be read."""
        return self.solved_at is not None or self.gave_up_at is not None


def earns_points() -> ColumnElement[bool]:
    """Return an SQL condition for submissions that earn points if they are accepted. A submission earns none if the account had
    already given up on the challenge when it sent the submission.

    Such a submission can still solve the challenge.
    """
    given_up = exists().where(
        GivingUp.account_id == Submission.account_id,
        GivingUp.slug == Submission.slug,
        GivingUp.at < Submission.created_at,
    )
    return ~given_up.correlate(Submission)


async def progress_of(session: AsyncSession, account_id: str, slug: str) -> EditorialProgress:
    accepted = (
        select(func.min(Submission.created_at))
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.SUBMIT)
        .where(Judging.verdict == Verdict.AC)
    )
    gave_up = await session.get(GivingUp, (account_id, slug))
    hints = await session.get(HintsSeen, (account_id, slug))
    solved_at: datetime | None = await session.scalar(accepted)
    return EditorialProgress(solved_at, gave_up.at if gave_up else None, hints.count if hints else 0)


async def require_open(session: AsyncSession, caller: Identity, slug: str) -> None:
    """Check that the caller may read the editorial and other people's answers of a challenge. While the caller's own mock
    interview contains the challenge, nobody may read them. Otherwise admins always may. Raises `AskedInInterview`,
    `EditorialClosed`.
    """
    (await restrictions_of(session, caller.account.id)).refuse_challenge(slug)
    if not caller.is_admin and not (await progress_of(session, caller.account.id, slug)).open:
        raise EditorialClosed(
            "The editorial and other answers open once you have solved the challenge or given up on it."
        )


async def give_up(session: AsyncSession, account_id: str, slug: str) -> None:
    """Record that the account gave up, unless it has already given up or solved the challenge."""
    if not (await progress_of(session, account_id, slug)).open:
        await insert_if_absent(session, GivingUp(account_id=account_id, slug=slug, at=now()))


async def count_hints(session: AsyncSession, account_id: str, slug: str, count: int) -> None:
    """Record how many hints were opened. The number never decreases."""
    if not await insert_if_absent(session, HintsSeen(account_id=account_id, slug=slug, count=count)):
        fewer = (HintsSeen.account_id == account_id, HintsSeen.slug == slug, HintsSeen.count < count)
        await session.execute(update(HintsSeen).where(*fewer).values(count=count))


@guests.on_guest_merge
async def merge_progress(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Prepare to move a guest's rows to an account. If both have a row for the same challenge, the earlier time of giving up
    and the larger number of hints are kept.
    """
    for given in (await session.scalars(select(GivingUp).where(GivingUp.account_id == guest_id))).all():
        own = await session.get(GivingUp, (account_id, given.slug))
        if own is not None:
            own.at = min(own.at, given.at)
            await session.delete(given)
    for seen in (await session.scalars(select(HintsSeen).where(HintsSeen.account_id == guest_id))).all():
        await count_hints(session, account_id, seen.slug, seen.count)
    await session.execute(delete(HintsSeen).where(HintsSeen.account_id == guest_id))


def mistakes_of(package: Package) -> list[MistakeView]:
    """Return the mistakes that the wrong answers in a challenge's package make, each once, in the order of the tests that catch
    them.
    """
    titles = {test.id: test.title for test in package.lock.tests}
    order = {test: place for place, test in enumerate(titles)}
    wrong = (each for each in package.answers if each.verdict is not Verdict.AC and each.mistake)
    test_by_mistake = {
        each.mistake: each.caught_by for each in sorted(wrong, key=lambda each: order.get(each.caught_by, len(order)))
    }
    return [MistakeView(mistake=mistake, test=titles.get(test)) for mistake, test in test_by_mistake.items()]
