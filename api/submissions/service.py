"""Rules of submissions: finding, listing, cancelling one, having it judged again."""

from datetime import timedelta

from sqlalchemy import Select, false, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.accounts import candidates
from api.accounts.credentials import Identity
from api.db import changed, hold, now
from api.errors import ApiError
from api.judging import queue
from api.judging import service as steps
from api.judging.models import IS_QUEUED, UNFINISHED, Judging, Status
from api.judging.queue import Entry
from api.submissions.models import Submission, SubmissionSource
from grader.job import Judgement
from grader.package import Package

# People who wait in front of a page go first, and however much is judged again, it takes one place a second at most.
REJUDGE_RANK_S, REJUDGE_SPACING_S = 30, 1


class SubmissionNotFound(ApiError):
    """No such submission, or it is somebody else's."""

    status, code = 404, "submission_not_found"


class AlreadyFinished(ApiError):
    """Too late to cancel."""

    status, code = 409, "already_finished"


class NotFinished(ApiError):
    """Too early to judge again."""

    status, code = 409, "not_finished"


async def find(session: AsyncSession, submission_id: str, caller: Identity) -> tuple[Submission, Judging]:
    """A submission of the caller's (of anybody's but candidates', for an admin) with its current judging, judgement included."""
    of_others = ~candidates.owns(Submission.account_id) if caller.is_admin else false()
    query = (
        select(Submission, Judging)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Submission.id == submission_id, (Submission.account_id == caller.account.id) | of_others)
        .options(undefer(Judging.judgement))
    )
    row = (await session.execute(query)).one_or_none()
    if row is None:
        raise SubmissionNotFound("You have no submission with this id.")
    return row[0], row[1]


async def source_of(session: AsyncSession, submission_id: str) -> SubmissionSource:
    """The text of a submission that exists."""
    return await session.get_one(SubmissionSource, submission_id)


def listing(account_id: str, slug: str, kind: str, before: str) -> Select[Submission, Judging]:
    """Submissions of an account with their current judging, newest first, without source or judgement."""
    query = select(Submission, Judging).join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    query = query.where(Submission.account_id == account_id).order_by(Submission.id.desc())
    if slug:
        query = query.where(Submission.slug == slug)
    if kind:
        query = query.where(Submission.kind == kind)
    return query.where(Submission.id < before) if before else query


async def cancel(session: AsyncSession, row: Judging) -> bool:
    """Cancel a judging; False if it was cancelled before. Raises `AlreadyFinished`."""
    if row.status == Status.CANCELLED:
        return False
    # Since it was read it may have come to a node, or back from one: then it is cancelled as it is now.
    while row.status in UNFINISHED:
        done = await steps.cancel(session, row)
        await session.refresh(row)
        if done:
            return True
    if row.status == Status.CANCELLED:
        return False
    raise AlreadyFinished("This submission is judged already; there is nothing left to cancel.")


async def rejudge(session: AsyncSession, row: Judging, package: Package, judgement: Judgement | None) -> None:
    """Queue another judging with the same seed; the old one is kept, marked superseded. Raises `NotFinished`."""
    if row.status in UNFINISHED:
        raise NotFinished("This submission is still in the queue or being judged. Wait for its end, or cancel it.")
    # Of two who ask at the same moment, one comes too late.
    mine = update(Judging).where(Judging.id == row.id, ~Judging.superseded)
    if not changed(await session.execute(mine.values(superseded=True))):
        raise NotFinished("Somebody else has this submission judged again already. Wait for its end.")
    await _again(session, row, package, seed=judgement.seed if judgement else row.seed)


async def try_on(session: AsyncSession, row: Judging, package: Package) -> Judging:
    """Queue another judging, on another version and so with a seed of that one's; the old one goes on to count."""
    return await _again(session, row, package, superseded=True)


async def _again(
    session: AsyncSession, row: Judging, package: Package, *, seed: int | None = None, superseded: bool = False
) -> Judging:
    await hold(session, f"judgings {row.submission_id}")
    last = await session.scalar(select(func.max(Judging.number)).where(Judging.submission_id == row.submission_id))
    entry = Entry(
        submission_id=row.submission_id,
        account_id=row.account_id,
        slug=row.slug,
        digest=package.digest,
        device=row.device,
        short=package.info.limits.short,
        number=(last or row.number) + 1,
        seed=seed,
        superseded=superseded,
    )
    again = select(func.max(Judging.rank_at)).where(IS_QUEUED, Judging.number > 1)
    first = now() + timedelta(seconds=REJUDGE_RANK_S - REJUDGE_SPACING_S)
    return await queue.enter(session, entry, max(first, await session.scalar(again) or first), REJUDGE_SPACING_S)
