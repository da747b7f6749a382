"""Records events for teams when a rejudge of a public challenge changes results in their assessments."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation
from api.hiring.participations.webhook_events import record
from api.judging.rejudges.models import Rejudge, RejudgeItem
from api.judging.rejudges.service import changes
from api.judging.submissions.models import Submission


async def record_score_changes(session: AsyncSession, row: Rejudge) -> None:
    """Record an event for each participation that contains a submission whose verdict or score the rejudge changed."""
    submissions = changes(row.id, "").with_only_columns(RejudgeItem.submission_id).order_by(None)
    query = select(Participation).join(Submission, Submission.account_id == Participation.account_id)
    for person in set(await session.scalars(query.where(Submission.id.in_(submissions)))):
        await record(session, "score.changed", person)
