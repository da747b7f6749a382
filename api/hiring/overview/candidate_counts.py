"""Counts the candidates of several assessments. The number of queries does not depend on the number of assessments."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.invitations.models import Invitation
from api.hiring.overview.schemas import CandidateCounts
from api.hiring.participations.models import Participation
from api.hiring.review_records.models import Decision


async def counts_of(session: AsyncSession, assessments: Sequence[str]) -> dict[str, CandidateCounts]:
    """Return the counts by the assessment's ID. Test drives do not count."""
    found = {each: CandidateCounts() for each in assessments}
    people = Participation.invitation_id.distinct()
    ended, decided = Participation.finished_at.is_not(None), Decision.participation_id == Participation.id
    latest = select(func.max(Decision.id)).where(decided).correlate(Participation).scalar_subquery()
    is_decided = select(Decision.id).where(Decision.id == latest, Decision.decision != "none").exists()
    queries = {
        "invited": _invited(assessments),
        "running": _participations(assessments, people).where(~ended),
        "finished": _participations(assessments, people).where(ended),
        "undecided": _participations(assessments, people).where(ended, ~is_decided),
    }
    for name, query in queries.items():
        for assessment_id, count in await session.execute(query):
            setattr(found[assessment_id], name, count)
    return found


def _invited(assessments: Sequence[str]) -> Select[str, int]:
    counts = or_(Invitation.revoked_at.is_(None), Invitation.used_at.is_not(None))
    query = select(Invitation.assessment_id, func.count()).group_by(Invitation.assessment_id)
    return query.where(Invitation.assessment_id.in_(assessments), ~Invitation.is_test, counts)


def _participations(assessments: Sequence[str], people: Any) -> Select[str, int]:
    query = select(Participation.assessment_id, func.count(people)).group_by(Participation.assessment_id)
    return query.where(Participation.assessment_id.in_(assessments), ~Participation.is_test)
