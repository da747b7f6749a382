"""Computes how long a candidate worked on each item. The client does not report when the candidate switches items, so the
time is derived from actions. The time between two actions belongs to the item of the second action. There is one exception:
if the second action is the first opening of its item, the time belongs to the item of the first action.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, false, func, or_, select, true, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation, ParticipationEdit, ParticipationItem
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


async def spent_on(session: AsyncSession, ids: Sequence[str], ends: dict[str, datetime]) -> dict[tuple[str, int], int]:
    """Return how long candidates worked on each item in seconds, by the participation's ID and the item's position. Items on
    which nobody worked are left out. `ids` are the participations' IDs. `ends` is the moment until which a participation that is
    still running counts.
    """
    begun = select(Participation.id, Participation.started_at, Participation.finished_at)
    rows = (await session.execute(begun.where(Participation.id.in_(ids)))).all()
    visits: dict[str, list[Visit]] = defaultdict(list)
    for row in await session.execute(_switches(ids)):
        visits[row.participation_id].append(Visit(row.at, row.position, row.opens))
    found = {}
    for row in rows:
        for position, seconds in spent(row.started_at, visits[row.id], row.finished_at or ends[row.id]).items():
            found[row.id, position] = round(seconds)
    return found


def _switches(ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    """Return a query for the actions before and after which the candidate worked on another item. All others change no time: a
    candidate can save thousands of batches of edits, and nearly all of them follow another one of the same item.
    """
    visits = union_all(*_visits(ids)).subquery()
    person, order = visits.c.participation_id, (visits.c.at, visits.c.position, visits.c.opens)
    before = func.lag(visits.c.position).over(partition_by=person, order_by=order)
    after = func.lead(visits.c.position).over(partition_by=person, order_by=order)
    beside = select(visits, before.label("before"), after.label("after")).subquery()
    is_switch = or_(
        beside.c.before.is_(None),
        beside.c.after.is_(None),
        beside.c.before != beside.c.position,
        beside.c.after != beside.c.position,
    )
    return select(beside.c.participation_id, beside.c.at, beside.c.position, beside.c.opens).where(is_switch)


def _visits(ids: Sequence[str]) -> list[Select[*tuple[Any, ...]]]:
    """Return one query for each kind of action: opening an item, saving edits, submitting code, and answering a question."""
    item, edit = ParticipationItem, ParticipationEdit
    sent = select(item.participation_id, Submission.created_at, item.position, false())
    sent = sent.join(Participation, Participation.id == item.participation_id)
    sent = sent.join(
        Submission, (Submission.account_id == Participation.account_id) & (Submission.slug == item.name)
    ).where(item.kind == "challenge")
    answered = select(item.participation_id, QuizAnswer.answered_at, item.position, false())
    answered = answered.join(QuizAnswer, QuizAnswer.attempt_id == item.attempt_id)
    opened = select(item.participation_id, item.opened_at.label("at"), item.position, true().label("opens"))
    return [
        opened.where(item.opened_at.is_not(None), item.participation_id.in_(ids)),
        select(edit.participation_id, edit.at, edit.position, false()).where(edit.participation_id.in_(ids)),
        sent.where(item.participation_id.in_(ids)),
        answered.where(item.participation_id.in_(ids)),
    ]
