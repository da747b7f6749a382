"""Finds what became of invitations. The number of queries does not depend on the number of invitations."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.monitoring import service
from api.hiring.overview.schemas import InvitationOutcome
from api.hiring.participations.models import Participation


async def outcomes_of(
    session: AsyncSession, invitations: Sequence[str], moment: datetime
) -> dict[str, InvitationOutcome]:
    """Return the last attempt with each of these invitations, by the invitation's ID. The invitations must belong to one
    assessment.
    """
    query = select(Participation).where(Participation.invitation_id.in_(invitations)).order_by(Participation.number)
    last = {row.invitation_id: row for row in await session.scalars(query)}
    return {
        row.invitation_id: InvitationOutcome(
            participation_id=row.id,
            state="finished" if row.finished_at else "running",
            score=row.adjusted,
            points=row.points,
            unfinished=row.unfinished,
            to_review=row.to_review,
        )
        for row in await service.rows_of(session, list(last.values()), moment)
    }
