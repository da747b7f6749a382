"""Finds, lists, cancels and rejudges submissions."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Select, bindparam, false, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.identity.accounts import candidates
from api.identity.sessions.credentials import Identity
from api.judging.queue import order
from api.judging.queue import service as steps
from api.judging.queue.order import Entry
from api.judging.submissions.models import IS_QUEUED, UNFINISHED, Judging, Status, Submission, SubmissionSource
from api.kit.db.database import Database, changed, hold, now
from api.kit.db.prepared import Prepared, detached
from api.kit.errors import ApiError
from grader.content.package import Package
from grader.contract.job import Judgement

# A rejudge ranks in the queue as if it had arrived REJUDGE_RANK_S seconds from now, or REJUDGE_SPACING_S seconds after the last
# queued rejudge if that is later. New submissions, for which users are waiting, are therefore judged first.
REJUDGE_RANK_S, REJUDGE_SPACING_S = 30, 1
NOT_FOUND = "You have no submission with this id."


class SubmissionNotFound(ApiError):
    """There is no such submission, or it belongs to another account."""

    status, code = 404, "submission_not_found"


class AlreadyFinished(ApiError):
    """The judging has ended, so it cannot be cancelled."""

    status, code = 409, "already_finished"


class NotFinished(ApiError):
    """The submission is not judged yet, so it cannot be judged again."""

    status, code = 409, "not_finished"


def _visible(query: Select[*tuple[Any, ...]], *, admin: bool) -> Select[*tuple[Any, ...]]:
    """Add the conditions for one submission that the caller may read, with its current judging."""
    of_others = ~candidates.owns(Submission.account_id) if admin else false()
    return query.join_from(Submission, Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded).where(
        Submission.id == bindparam("submission"), (Submission.account_id == bindparam("account")) | of_others
    )


BOTH = select(*Submission.__table__.columns, *Judging.__table__.columns)
OWN, ANY = Prepared(_visible(BOTH, admin=False)), Prepared(_visible(BOTH, admin=True))


async def find(session: AsyncSession, submission_id: str, caller: Identity) -> tuple[Submission, Judging]:
    """Return a submission of the caller with its current judging and judgement. An admin can find the submissions of all
    accounts except those of candidates. Raises `SubmissionNotFound`.
    """
    query = _visible(select(Submission, Judging).options(undefer(Judging.judgement)), admin=caller.is_admin)
    row = (await session.execute(query, {"submission": submission_id, "account": caller.account.id})).one_or_none()
    if row is None:
        raise SubmissionNotFound(NOT_FOUND)
    return row[0], row[1]


async def look_up(db: Database, submission_id: str, caller: Identity) -> tuple[Submission, Judging]:
    """Do the same as `find`, but outside of a transaction."""
    statement = ANY if caller.is_admin else OWN
    rows = await db.look_up(statement, submission=submission_id, account=caller.account.id)
    if not rows:
        raise SubmissionNotFound(NOT_FOUND)
    width = len(Submission.__table__.columns)
    return detached(Submission, rows[0][:width]), detached(Judging, rows[0][width:])


async def source_of(session: AsyncSession, submission_id: str) -> SubmissionSource:
    """Return the source of a submission. The submission must exist."""
    return await session.get_one(SubmissionSource, submission_id)


def listing(account_id: str, slug: str, kind: str, before: str) -> Select[Submission, Judging]:
    """Return a query for an account's submissions with their current judging, newest first, without source and judgement."""
    query = select(Submission, Judging).join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    query = query.where(Submission.account_id == account_id).order_by(Submission.id.desc())
    if slug:
        query = query.where(Submission.slug == slug)
    if kind:
        query = query.where(Submission.kind == kind)
    return query.where(Submission.id < before) if before else query


async def cancel(session: AsyncSession, row: Judging) -> bool:
    """Cancel a judging. Returns False if it was already cancelled. Raises `AlreadyFinished`."""
    if row.status == Status.CANCELLED:
        return False
    # Cancelling fails if a node has claimed or returned the job since the row was read. It is tried again with the new state.
    while row.status in UNFINISHED:
        done = await steps.cancel(session, row)
        await session.refresh(row)
        if done:
            return True
    if row.status == Status.CANCELLED:
        return False
    raise AlreadyFinished("This submission is already judged, so it cannot be cancelled.")


async def rejudge(session: AsyncSession, row: Judging, package: Package, judgement: Judgement | None) -> None:
    """Queue another judging with the same seed. The old judging is kept, but no longer counts. Raises `NotFinished` if the
    submission is being judged, or is already being judged again.
    """
    if row.status in UNFINISHED:
        raise NotFinished(
            "This submission is still in the queue or being judged. Wait until it has ended, or cancel it."
        )
    # If two requests to rejudge arrive at the same moment, only the first one changes the row. The second one gets an error.
    mine = update(Judging).where(Judging.id == row.id, ~Judging.superseded)
    if not changed(await session.execute(mine.values(superseded=True))):
        raise NotFinished("This submission is already being rejudged. Wait until that has finished.")
    await _again(session, row, package, seed=judgement.seed if judgement else row.seed)


async def queue_trial(session: AsyncSession, row: Judging, package: Package) -> Judging:
    """Queue a judging with another version of the challenge and the same seed. It is a trial: the earlier judging still
    counts.
    """
    return await _again(session, row, package, seed=row.seed, superseded=True)


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
    return await order.enter(session, entry, max(first, await session.scalar(again) or first), REJUDGE_SPACING_S)
