"""Shares answers. Only accepted answers can be shared, and only their owner can share them or stop sharing them."""

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.sessions.credentials import Identity
from api.judging.intake import service as submissions
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import hold, now
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.practice.leaderboards.models import Listing
from api.practice.sharing.models import SharedAnswer
from grader.contract.job import Kind, Verdict

SHARED_PER_CHALLENGE = 10


class SharedNotFound(ApiError):
    """The link never existed, or its owner has stopped sharing."""

    status, code = 404, "shared_not_found"


class NotAccepted(ApiError):
    """Only accepted answers can be shared."""

    status, code = 409, "not_accepted"


class TooManyShared(ApiError):
    """The account shares the maximum number of answers to this challenge."""

    status, code = 409, "too_many_shared"


async def own(session: AsyncSession, submission_id: str, caller: Identity) -> tuple[Submission, Judging]:
    """Return a submission of the caller. Admins can read the submissions of other accounts elsewhere, but they cannot share
    them. Raises `SubmissionNotFound`.
    """
    submission, row = await submissions.find(session, submission_id, caller)
    if submission.account_id != caller.account.id:
        raise submissions.SubmissionNotFound("You have no submission with this ID.")
    return submission, row


async def sharing_of(session: AsyncSession, submission_id: str) -> SharedAnswer | None:
    """Return how a submission is shared, or None if it is not shared."""
    query = select(SharedAnswer).where(SharedAnswer.submission_id == submission_id)
    found: SharedAnswer | None = await session.scalar(query.execution_options(populate_existing=True))
    return found


async def share(session: AsyncSession, submission: Submission, row: Judging, *, listed: bool) -> SharedAnswer:
    """Share an answer, or change how it is shared. Raises `NotAccepted`, `TooManyShared`."""
    if row.verdict != Verdict.AC or submission.kind != Kind.SUBMIT:
        raise NotAccepted("Only an accepted answer can be shared. Submit it first; a run of the samples is not enough.")
    await session.execute(update(SharedAnswer).where(SharedAnswer.submission_id == submission.id).values(listed=listed))
    if found := await sharing_of(session, submission.id):
        return found
    await _require_below_limit(session, submission)
    made = SharedAnswer(
        id=new_id(),
        submission_id=submission.id,
        account_id=submission.account_id,
        slug=submission.slug,
        listed=listed,
        shared_at=now(),
    )
    try:
        async with session.begin_nested():
            session.add(made)
    except IntegrityError:
        return await sharing_of(session, submission.id) or made
    return made


async def unshare(session: AsyncSession, submission_id: str) -> None:
    """Stop sharing a submission. Its link stops working; sharing it again creates a new link."""
    await session.execute(delete(SharedAnswer).where(SharedAnswer.submission_id == submission_id))


def reading() -> Select[SharedAnswer, str, Judging]:
    """Return a query for shared answers, each with the name under which its owner appears, and with its current judging.
    Answers that were judged again and are no longer accepted are left out.
    """
    shown = func.coalesce(func.nullif(Listing.name, ""), Account.name)
    return (
        select(SharedAnswer, shown, Judging)
        .join(Account, Account.id == SharedAnswer.account_id)
        .outerjoin(Listing, Listing.account_id == SharedAnswer.account_id)
        .join(Judging, (Judging.submission_id == SharedAnswer.submission_id) & ~Judging.superseded)
        .where(Judging.verdict == Verdict.AC)
    )


async def find(session: AsyncSession, shared_id: str) -> tuple[SharedAnswer, str, Judging]:
    """Return the answer that a link opens. Raises `SharedNotFound`."""
    row = (await session.execute(reading().where(SharedAnswer.id == shared_id))).one_or_none()
    if row is None:
        raise SharedNotFound("There is nothing at this link. Its owner may have stopped sharing it.")
    return row[0], row[1], row[2]


def listing(slug: str, before: str) -> Select[SharedAnswer, str, Judging]:
    """Return a query for the listed answers to a challenge, newest first."""
    query = reading().where(SharedAnswer.slug == slug, SharedAnswer.listed).order_by(SharedAnswer.id.desc())
    return query.where(SharedAnswer.id < before) if before else query


async def _require_below_limit(session: AsyncSession, submission: Submission) -> None:
    await hold(session, f"sharing {submission.account_id}")
    mine = (SharedAnswer.account_id == submission.account_id, SharedAnswer.slug == submission.slug)
    if (await session.scalar(select(func.count()).where(*mine)) or 0) >= SHARED_PER_CHALLENGE:
        raise TooManyShared(
            f"You already share {SHARED_PER_CHALLENGE} answers to this challenge. Stop sharing one first."
        )
