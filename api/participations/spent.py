"""How long each item was in hand. Nobody tells when he turns to another item, so it follows from what he did: whatever lies
between two things done belongs to the item of the second, or, when that was its first opening, to the item before.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.participations.models import ParticipationEdit, ParticipationItem
from api.participations.service import Run
from api.quizzes.models import QuizAnswer
from api.submissions.models import Submission


@dataclass(frozen=True, order=True)
class Visit:
    """Something done on an item at a moment; `opens`: it was seen for the first time."""

    at: datetime
    position: int
    opens: bool = False


def spent(started_at: datetime, visits: Iterable[Visit], ended_at: datetime) -> dict[int, float]:
    """Seconds by position. What came before the first opening belongs to no item."""
    total: dict[int, float] = defaultdict(float)
    last, here = started_at, 0
    for visit in sorted(visits):
        at = min(visit.at, ended_at)
        total[here if visit.opens else visit.position] += (at - last).total_seconds()
        last, here = at, visit.position
    total[here] += (ended_at - last).total_seconds()
    total.pop(0, None)
    return dict(total)


async def spent_on(session: AsyncSession, run: Run, moment: datetime) -> dict[int, int]:
    """Whole seconds that a candidate has had each item in hand, by position."""
    visits = [Visit(item.opened_at, item.position, opens=True) for item in run.items if item.opened_at]
    visits += [*await _edits(session, run), *await _answers(session, run.items), *await _sent(session, run)]
    found = spent(run.row.started_at, visits, run.row.finished_at or min(moment, run.end))
    return {position: round(seconds) for position, seconds in found.items()}


async def _edits(session: AsyncSession, run: Run) -> list[Visit]:
    mine = ParticipationEdit.participation_id == run.row.id
    rows = await session.execute(select(ParticipationEdit.at, ParticipationEdit.position).where(mine))
    return [Visit(at, position) for at, position in rows]


async def _sent(session: AsyncSession, run: Run) -> list[Visit]:
    places = {item.name: item.position for item in run.items if item.kind == "challenge"}
    query = select(Submission.created_at, Submission.slug).where(Submission.account_id == run.row.account_id)
    return [Visit(at, places[slug]) for at, slug in await session.execute(query) if slug in places]


async def _answers(session: AsyncSession, items: Iterable[ParticipationItem]) -> list[Visit]:
    places = {item.attempt_id: item.position for item in items if item.attempt_id}
    query = select(QuizAnswer.answered_at, QuizAnswer.attempt_id).where(QuizAnswer.attempt_id.in_(places))
    return [Visit(at, places[attempt]) for at, attempt in await session.execute(query)]
