"""Reads the newest code that a candidate has written for a challenge. Follow-ups start with it, and questions can be about it."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation, ParticipationDraft, ParticipationItem
from api.judging.submissions.models import Submission, SubmissionSource
from grader.contract.job import Kind


@dataclass(frozen=True)
class NewestCode:
    """A candidate's code for an item. `submission_id` is None for a draft, and for code that was never written."""

    source: str
    submission_id: str | None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def written(self) -> str | None:
        """The source, or None if the candidate wrote nothing."""
        return self.source if self.source.strip() else None


async def of_item(session: AsyncSession, row: Participation, item: ParticipationItem) -> NewestCode:
    """Return the last submission for a challenge or, if there is none, the draft."""
    if (sent := await last_submission(session, row.account_id, item.name)) is not None:
        return sent
    draft = await session.get(ParticipationDraft, (row.id, item.position))
    return NewestCode(draft.source if draft else "", None)


async def last_submission(session: AsyncSession, account_id: str, slug: str) -> NewestCode | None:
    """Return the account's last submission for a challenge, or None."""
    mine = Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.SUBMIT
    query = select(SubmissionSource.source, Submission.id).join(
        Submission, Submission.id == SubmissionSource.submission_id
    )
    sent = (await session.execute(query.where(*mine).order_by(Submission.id.desc()).limit(1))).one_or_none()
    return NewestCode(sent.source, sent.id) if sent else None
