"""Reads what a candidate has written for an item. A follow-up starts with it."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation, ParticipationDraft, ParticipationItem
from api.judging.submissions.models import Submission, SubmissionSource
from grader.contract.job import Kind


async def of_item(session: AsyncSession, row: Participation, item: ParticipationItem) -> str | None:
    """Return the source of the last submission for a challenge or, if there is none, the draft. Returns None if the candidate
    wrote nothing.
    """
    source = await last_source(session, row.account_id, item.name)
    if source is None:
        draft = await session.get(ParticipationDraft, (row.id, item.position))
        source = draft.source if draft else ""
    return source if source.strip() else None


async def last_source(session: AsyncSession, account_id: str, slug: str) -> str | None:
    """Return the source of the account's last submission for a challenge, or None."""
    mine = Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.SUBMIT
    query = select(SubmissionSource.source).join(Submission, Submission.id == SubmissionSource.submission_id)
    source: str | None = await session.scalar(query.where(*mine).order_by(Submission.id.desc()).limit(1))
    return source
