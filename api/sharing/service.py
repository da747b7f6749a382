"""Rules of sharing: only what is accepted, only by its owner, and only as long as he wants."""

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.credentials import Identity
from api.accounts.models import Account
from api.db import hold, now
from api.errors import ApiError
from api.ids import new_id
from api.judging.models import Judging
from api.sharing.models import SharedAnswer
from api.standings.models import Listing
from api.submissions import service as submissions
from api.submissions.models import Submission
from grader.job import Kind, Verdict

SHARED_PER_CHALLENGE = 10


class SharedNotFound(ApiError):
    """No such link, or its owner has taken it back."""

    status, code = 404, "shared_not_found"


class NotAccepted(ApiError):
    """Only answers that passed everything are shown to others."""

    status, code = 409, "not_accepted"


class TooManyShared(ApiError):
    """Enough of one account's answers to one challenge are shared."""

    status, code = 409, "too_many_shared"


async def own(session: AsyncSession, submission_id: str, caller: Identity) -> tuple[Submission, Judging]:
    """A submission of the caller's; not even an admin shares another's. Raises `SubmissionNotFound`."""
    submission, row = await submissions.find(session, submission_id, caller)
    if submission.account_id != caller.account.id:
        raise submissions.SubmissionNotFound("You have no submission with this id.")
    return submission, row


async def of(session: AsyncSession, submission_id: str) -> SharedAnswer | None:
    """How a submission is shared."""
    query = select(SharedAnswer).where(SharedAnswer.submission_id == submission_id)
    found: SharedAnswer | None = await session.scalar(query.execution_options(populate_existing=True))
    return found


async def share(session: AsyncSession, submission: Submission, row: Judging, *, listed: bool) -> SharedAnswer:
    """Share an answer, or change how it is shared. Raises `NotAccepted`, `TooManyShared`."""
    if row.verdict != Verdict.AC or submission.kind != Kind.SUBMIT:
        raise NotAccepted("Only an accepted answer can be shared. Submit it first; samples alone do not count.")
    await session.execute(update(SharedAnswer).where(SharedAnswer.submission_id == submission.id).values(listed=listed))
    if found := await of(session, submission.id):
        return found
    await _not_too_many(session, submission)
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
        return await of(session, submission.id) or made
    return made


async def take_back(session: AsyncSession, submission_id: str) -> None:
    """The link is dead from now on; sharing again makes another."""
    await session.execute(delete(SharedAnswer).where(SharedAnswer.submission_id == submission_id))


def reading() -> Select[SharedAnswer, str, Judging]:
    """Shared answers that still stand, with the name that the owner shows and outcome: a rejudge that fails takes one away."""
    shown = func.coalesce(func.nullif(Listing.name, ""), Account.name)
    return (
        select(SharedAnswer, shown, Judging)
        .join(Account, Account.id == SharedAnswer.account_id)
        .outerjoin(Listing, Listing.account_id == SharedAnswer.account_id)
        .join(Judging, (Judging.submission_id == SharedAnswer.submission_id) & ~Judging.superseded)
        .where(Judging.verdict == Verdict.AC)
    )


async def find(session: AsyncSession, shared_id: str) -> tuple[SharedAnswer, str, Judging]:
    """What a link opens. Raises `SharedNotFound`."""
    row = (await session.execute(reading().where(SharedAnswer.id == shared_id))).one_or_none()
    if row is None:
        raise SharedNotFound("There is nothing at this link. Its owner may have taken it back.")
    return row[0], row[1], row[2]


def listing(slug: str, before: str) -> Select[SharedAnswer, str, Judging]:
    """Answers to a challenge that their owners show to others, newest first."""
    query = reading().where(SharedAnswer.slug == slug, SharedAnswer.listed).order_by(SharedAnswer.id.desc())
    return query.where(SharedAnswer.id < before) if before else query


async def _not_too_many(session: AsyncSession, submission: Submission) -> None:
    await hold(session, f"sharing {submission.account_id}")
    mine = (SharedAnswer.account_id == submission.account_id, SharedAnswer.slug == submission.slug)
    if (await session.scalar(select(func.count()).where(*mine)) or 0) >= SHARED_PER_CHALLENGE:
        raise TooManyShared(f"You share {SHARED_PER_CHALLENGE} answers to this challenge already. Take one back first.")
