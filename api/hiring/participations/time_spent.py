"""Computes how long a candidate worked on each item. The client does not report when the candidate switches items, so the
time is derived from actions. The time between two actions belongs to the item of the second action. There is one exception:
if the second action is the first opening of its item, the time belongs to the item of the first action.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import ParticipationEdit, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.judging.submissions.models import Submission
from api.practice.quizzes.models import QuizAnswer


@dataclass(frozen=True, order=True)
class Visit:
    """An action on an item. `opens` is true if the action is the first opening of the item."""

    at: datetime
    position: int
    opens: bool = False


def spent(started_at: datetime, visits: Iterable[Visit], ended_at: datetime) -> dict[int, float]:
    """Return the seconds spent on each item, by position. The time before the first opening belongs to no item."""
    total: dict[int, float] = defaultdict(float)
    last, here = started_at, 0
    for visit in sorted(visits):
        at = min(visit.at, ended_at)
        total[here if visit.opens else visit.position] += (at - last).total_seconds()
        last, here = at, visit.position
    total[here] += (ended_at - last).total_seconds()
    total.pop(0, None)
    return dict(total)


async def spent_on(session: AsyncSession, run: LoadedParticipation, moment: datetime) -> dict[int, int]:
    """Return how long a candidate worked on each item in seconds, by the item's position."""
    visits = [Visit(item.opened_at, item.position, opens=True) for item in run.items if item.opened_at]
    visits += [*await _edits(session, run), *await _answers(session, run.items), *await _sent(session, run)]
    found = spent(run.row.started_at, visits, run.row.finished_at or min(moment, run.end))
    return {position: round(seconds) for position, seconds in found.items()}


async def _edits(session: AsyncSession, run: LoadedParticipation) -> list[Visit]:
    mine = ParticipationEdit.participation_id == run.row.id
    rows = await session.execute(select(ParticipationEdit.at, ParticipationEdit.position).where(mine))
    return [Visit(at, position) for at, position in rows]


async def _sent(session: AsyncSession, run: LoadedParticipation) -> list[Visit]:
    places = {item.name: item.position for item in run.items if item.kind == "challenge"}
    query = select(Submission.created_at, Submission.slug).where(Submission.account_id == run.row.account_id)
    return [Visit(at, places[slug]) for at, slug in await session.execute(query) if slug in places]


async def _answers(session: AsyncSession, items: Iterable[ParticipationItem]) -> list[Visit]:
    places = {item.attempt_id: item.position for item in items if item.attempt_id}
    query = select(QuizAnswer.answered_at, QuizAnswer.attempt_id).where(QuizAnswer.attempt_id.in_(places))
    return [Visit(at, places[attempt]) for at, attempt in await session.execute(query)]
