"""Records events of participations for a team's programs. A test drive has no events, because it is not part of the results."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation
from api.hiring.webhooks.events import EventSubject, Kind, record_event
from api.hiring.webhooks.models import IS_UNSETTLED, TeamEvent
from api.judging.rejudges.models import Rejudge, RejudgeItem
from api.judging.rejudges.service import changes
from api.judging.submissions.models import Submission


async def record(session: AsyncSession, kind: Kind, row: Participation, *, unsettled: bool = False) -> None:
    """Record an event of a participation. With `unsettled`, the event `participation.judged` is recorded later, when all
    answers are judged and all texts are graded.
    """
    if not row.is_test:
        subject = EventSubject(row.assessment_id, row.invitation_id, row.id)
        await record_event(session, kind, subject, unsettled=unsettled)


async def record_reviewed(session: AsyncSession, row: Participation) -> None:
    """Record `participation.judged` for a finished participation whose last text was just graded. If its other answers are still
    being judged, the sweeper records the event afterwards.
    """
    waits = select(TeamEvent.id).where(TeamEvent.participation_id == row.id, IS_UNSETTLED)
    if row.finished_at is not None and await session.scalar(waits.limit(1)) is None:
        await record(session, "participation.judged", row)


async def record_score_changes(session: AsyncSession, row: Rejudge) -> None:
    """Record an event for each participation that contains a submission whose verdict or score a rejudge of a public challenge
    has changed.
    """
    submissions = changes(row.id, "").with_only_columns(RejudgeItem.submission_id).order_by(None)
    query = select(Participation).join(Submission, Submission.account_id == Participation.account_id)
    for person in set(await session.scalars(query.where(Submission.id.in_(submissions)))):
        await record(session, "score.changed", person)
