"""Rules of reviews: everybody in the team may write, each his own; nothing that somebody else said is written over unseen.

Who calls has locked the participation, so whatever is counted or compared here stays so until the end of the transaction.
"""

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.db import now
from api.errors import ApiError
from api.ids import new_id
from api.participations.models import ParticipationItem
from api.reviews import rubric
from api.reviews.models import Decision, ManualPoints, ReviewNote, RubricCriterion, RubricScore
from api.reviews.schemas import (
    DecisionView,
    ItemPoints,
    NewDecision,
    NewPoints,
    ScoredCriterion,
    ScoreView,
    TeamReview,
    decision_view,
    manual_view,
)

NOTES, ENTRIES = 200, 100


class NoteNotFound(ApiError):
    """No such note about this participation."""

    status, code = 404, "note_not_found"


class NotYourNote(ApiError):
    """Somebody else wrote it."""

    status, code = 403, "not_your_note"


class TooManyNotes(ApiError):
    """As many as are kept."""

    status, code = 409, "too_many_notes"


class TooManyEntries(ApiError):
    """As many changes as are kept."""

    status, code = 409, "too_many_entries"


class SomebodyElseDid(ApiError):
    """There is a newer one than the one that was seen."""

    status, code = 409, "changed_meanwhile"

    def __init__(self) -> None:
        super().__init__("Somebody else changed this meanwhile. Load it again and look, then decide.")


class LevelTooHigh(ApiError):
    """More than the criterion has."""

    status, code = 422, "level_too_high"


class PointsOutOfRange(ApiError):
    """More than the item has."""

    status, code = 422, "points_out_of_range"


def notes(participation_id: str, after: str) -> Select[ReviewNote, str | None]:
    """Notes about a participation in the order of writing, each with the name of its author."""
    query = select(ReviewNote, Account.name).outerjoin(Account, Account.id == ReviewNote.author_id)
    return query.where(ReviewNote.participation_id == participation_id, ReviewNote.id > after).order_by(ReviewNote.id)


async def write_note(session: AsyncSession, participation_id: str, author_id: str, text: str) -> ReviewNote:
    """Keep a note. Raises `TooManyNotes`."""
    there = select(func.count()).where(ReviewNote.participation_id == participation_id)
    if (await session.scalar(there) or 0) >= NOTES:
        raise TooManyNotes(f"There are {NOTES} notes about this participation already. Delete one first.")
    note = ReviewNote(
        id=new_id(),
        participation_id=participation_id,
        author_id=author_id,
        text=text,
        created_at=now(),
        edited_at=None,
    )
    session.add(note)
    return note


async def own_note(session: AsyncSession, participation_id: str, author_id: str, note_id: str) -> ReviewNote:
    """A note to change. Raises `NoteNotFound`, `NotYourNote`."""
    note: ReviewNote | None = await session.get(ReviewNote, note_id)
    if note is None or note.participation_id != participation_id:
        raise NoteNotFound("There is no note with this id about this participation.")
    if note.author_id != author_id:
        raise NotYourNote("Only whoever wrote a note may change or delete it.")
    return note


async def score(
    session: AsyncSession, participation_id: str, criterion: RubricCriterion, reviewer_id: str, level: int | None
) -> None:
    """Keep one reviewer's score for a criterion, or take it back. Raises `LevelTooHigh`."""
    if level is not None and level > criterion.levels:
        raise LevelTooHigh(f"This criterion is scored from 0 to {criterion.levels}.")
    mine = (
        RubricScore.participation_id == participation_id,
        RubricScore.criterion_id == criterion.id,
        RubricScore.reviewer_id == reviewer_id,
    )
    row: RubricScore | None = await session.scalar(select(RubricScore).where(*mine))
    if level is None:
        if row is not None:
            await session.delete(row)
        return
    if row is None:
        row = RubricScore(
            id=new_id(), participation_id=participation_id, criterion_id=criterion.id, reviewer_id=reviewer_id
        )
        session.add(row)
    row.level, row.levels, row.given_at = level, criterion.levels, now()


async def criterion(session: AsyncSession, assessment_id: str, criterion_id: str) -> RubricCriterion:
    """A criterion of the rubric as it is now. Raises `CriterionNotFound`."""
    # Whoever takes it out of the rubric meanwhile waits, and then sees that it has a score.
    query = select(RubricCriterion).where(RubricCriterion.id == criterion_id).with_for_update()
    found: RubricCriterion | None = await session.scalar(query)
    if found is None or found.assessment_id != assessment_id or found.retired_at is not None:
        raise rubric.CriterionNotFound
    return found


async def give_points(session: AsyncSession, item: ParticipationItem, wanted: NewPoints, reviewer_id: str) -> None:
    """Points by hand for an item. Raises `PointsOutOfRange`, `SomebodyElseDid`, `TooManyEntries`."""
    least = -item.points if wanted.mode == "add" else 0
    if wanted.mode != "none" and not least <= wanted.points <= item.points:
        raise PointsOutOfRange(f"This item has {item.points} points: give {least} to {item.points}.")
    mine = ManualPoints.participation_id == item.participation_id, ManualPoints.position == item.position
    ids = list(await session.scalars(select(ManualPoints.id).where(*mine).order_by(ManualPoints.id)))
    _require_seen(ids, wanted.seen)
    session.add(
        ManualPoints(
            id=new_id(),
            participation_id=item.participation_id,
            position=item.position,
            mode=wanted.mode,
            points=0.0 if wanted.mode == "none" else wanted.points,
            reason=wanted.reason,
            reviewer_id=reviewer_id,
            given_at=now(),
        )
    )


async def decide(session: AsyncSession, participation_id: str, wanted: NewDecision, by: str) -> None:
    """What becomes of somebody, from now on. Raises `SomebodyElseDid`, `TooManyEntries`."""
    mine = select(Decision.id).where(Decision.participation_id == participation_id)
    _require_seen(list(await session.scalars(mine.order_by(Decision.id))), wanted.seen)
    session.add(
        Decision(
            id=new_id(),
            participation_id=participation_id,
            decision=wanted.decision,
            reason=wanted.reason,
            decided_by=by,
            decided_at=now(),
        )
    )


def _require_seen(ids: list[str], seen: str | None) -> None:
    if (ids[-1] if ids else None) != seen:
        raise SomebodyElseDid
    if len(ids) >= ENTRIES:
        raise TooManyEntries(f"At most {ENTRIES} changes of one thing are kept, and there are as many.")


async def review(session: AsyncSession, assessment_id: str, participation_id: str, reader_id: str) -> TeamReview:
    """Everything but the notes."""
    return TeamReview(
        criteria=await _criteria(session, assessment_id, participation_id, reader_id),
        points=await _points(session, participation_id),
        decisions=await _decisions(session, participation_id),
    )


async def _criteria(
    session: AsyncSession, assessment_id: str, participation_id: str, reader_id: str
) -> list[ScoredCriterion]:
    query = select(RubricScore, Account.name).outerjoin(Account, Account.id == RubricScore.reviewer_id)
    given: dict[str, list[ScoreView]] = {}
    for row, name in await session.execute(
        query.where(RubricScore.participation_id == participation_id).order_by(RubricScore.id)
    ):
        shown = ScoreView(
            reviewer=name,
            yours=row.reviewer_id == reader_id,
            level=row.level,
            levels=row.levels,
            given_at=row.given_at,
        )
        given.setdefault(row.criterion_id, []).append(shown)
    return [
        ScoredCriterion(
            id=row.id,
            title=row.title,
            description=row.description,
            levels=row.levels,
            retired=row.retired_at is not None,
            scores=given.get(row.id, []),
        )
        for row in await rubric.criteria_of(session, assessment_id)
        if row.retired_at is None or row.id in given
    ]


async def _points(session: AsyncSession, participation_id: str) -> list[ItemPoints]:
    query = select(ManualPoints, Account.name).outerjoin(Account, Account.id == ManualPoints.reviewer_id)
    mine = query.where(ManualPoints.participation_id == participation_id)
    shown: dict[int, ItemPoints] = {}
    for row, name in await session.execute(mine.order_by(ManualPoints.position, ManualPoints.id.desc())):
        of_item = shown.setdefault(row.position, ItemPoints(position=row.position, entries=[]))
        of_item.entries.append(manual_view(row, name))
    return list(shown.values())


async def _decisions(session: AsyncSession, participation_id: str) -> list[DecisionView]:
    query = select(Decision, Account.name).outerjoin(Account, Account.id == Decision.decided_by)
    mine = query.where(Decision.participation_id == participation_id).order_by(Decision.id.desc())
    return [decision_view(row, name) for row, name in await session.execute(mine)]
