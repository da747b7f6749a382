"""Records events of participations for a team's programs. A test drive has no events, because it is not part of the results."""

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation
from api.hiring.webhooks.events import EventSubject, Kind, record_event


async def record(session: AsyncSession, kind: Kind, row: Participation, *, unsettled: bool = False) -> None:
    """Record an event of a participation. With `unsettled`, the event `participation.judged` is recorded later, when all
    answers are judged.
    """
    if not row.is_test:
        subject = EventSubject(row.assessment_id, row.invitation_id, row.id)
        await record_event(session, kind, subject, unsettled=unsettled)
