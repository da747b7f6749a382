"""Shares answers. Only accepted answers can be shared, and only their owner can share them or stop sharing them. Moderators,
who are the admins of the site, can hide a shared answer; its owner cannot undo that.
"""

from sqlalchemy import Row, Select, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.identity.sessions.credentials import Identity
from api.judging.intake import service as submissions
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import hold, now
from api.kit.db.insert_if_absent import insert_if_absent
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.practice.leaderboards.models import Listing, shown_name
from api.practice.sharing.models import SharedAnswer
from api.practice.votes import service as votes
from api.practice.votes.models import SharedAnswerVote
from api.practice.votes.schemas import Sort
from grader.contract.job import Kind, Verdict

SHARED_PER_CHALLENGE = 10
VOTES = votes.votes_for(SharedAnswerVote, SharedAnswer.id)
# A shared answer, the name under which its owner appears, its current judging, its votes, and whether the reader voted for it.
Reading = Row[SharedAnswer, str, Judging, int, bool]


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
    if await insert_if_absent(session, made):
        return made
    return await sharing_of(session, submission.id) or made


async def unshare(session: AsyncSession, submission_id: str) -> None:
    """Stop sharing a submission. Its link stops working; sharing it again creates a new link. The row of a hidden answer stays,
    so that sharing it again does not show it.
    """
    mine = (SharedAnswer.submission_id == submission_id, SharedAnswer.hidden_at.is_(None))
    await session.execute(delete(SharedAnswer).where(*mine))


async def hide(session: AsyncSession, actor: Actor, shared_id: str, *, hidden: bool) -> None:
    """Hide a shared answer from everybody, or restore it. Raises `SharedNotFound`."""
    found: SharedAnswer | None = await session.get(SharedAnswer, shared_id)
    if found is None:
        raise SharedNotFound("There is no shared answer with this ID. Its owner may have stopped sharing it.")
    if (found.hidden_at is not None) == hidden:
        return
    found.hidden_at = now() if hidden else None
    action = Action.HIDE_ANSWER if hidden else Action.RESTORE_ANSWER
    audit.record(session, actor, action, found.id, challenge=found.slug, owner=found.account_id)


def reading(reader_id: str) -> Select[SharedAnswer, str, Judging, int, bool]:
    """Return a query for shared answers, as `reader_id` sees them; it is empty for visitors without an account. Answers that
    are hidden, and answers that were judged again and are no longer accepted, are left out.
    """
    return (
        select(SharedAnswer, shown_name(), Judging, VOTES, votes.voted_by(SharedAnswerVote, SharedAnswer.id, reader_id))
        .join(Account, Account.id == SharedAnswer.account_id)
        .outerjoin(Listing, Listing.account_id == SharedAnswer.account_id)
        .join(Judging, (Judging.submission_id == SharedAnswer.submission_id) & ~Judging.superseded)
        .where(Judging.verdict == Verdict.AC, SharedAnswer.hidden_at.is_(None))
    )


async def find(session: AsyncSession, shared_id: str, reader_id: str) -> Reading:
    """Return the answer that a link opens. Raises `SharedNotFound`."""
    row = (await session.execute(reading(reader_id).where(SharedAnswer.id == shared_id))).one_or_none()
    if row is None:
        raise SharedNotFound("There is nothing at this link. Its owner may have stopped sharing it.")
    return row


def listing(slug: str, reader_id: str, sort: Sort, cursor: str) -> Select[SharedAnswer, str, Judging, int, bool]:
    """Return a query for the listed answers to a challenge. Raises `BadCursor`."""
    query = reading(reader_id).where(SharedAnswer.slug == slug, SharedAnswer.listed)
    return votes.page_of(query, sort, VOTES, SharedAnswer.id, cursor)


async def _require_below_limit(session: AsyncSession, submission: Submission) -> None:
    await hold(session, f"sharing {submission.account_id}")
    mine = (SharedAnswer.account_id == submission.account_id, SharedAnswer.slug == submission.slug)
    if (await session.scalar(select(func.count()).where(*mine)) or 0) >= SHARED_PER_CHALLENGE:
        raise TooManyShared(
            f"You already share {SHARED_PER_CHALLENGE} answers to this challenge. Stop sharing one first."
        )
