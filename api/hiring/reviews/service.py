"""Stores reviews. All members of a team may write them. A request that gives manual points or makes a decision must name the
newest entry that the member has seen.

The caller must have locked the participation, so that counts and comparisons stay valid until the end of the transaction.
"""

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.review_records.models import Decision, ManualPoints, ReviewNote, RubricCriterion, RubricScore
from api.hiring.review_records.schemas import manual_view
from api.hiring.reviews import rubric
from api.hiring.reviews.schemas import (
    DecisionView,
    ItemPoints,
    NewDecision,
    NewPoints,
    ScoredCriterion,
    ScoreView,
    TeamReview,
    decision_view,
)
from api.hiring.taking import scores
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.kit.ids import new_id

NOTES, ENTRIES = 200, 100


class NoteNotFound(ApiError):
    status, code = 404, "note_not_found"


class NotYourNote(ApiError):
    """Another member wrote the note."""

    status, code = 403, "not_your_note"


class TooManyNotes(ApiError):
    """The participation has reached the maximum number of notes."""

    status, code = 409, "too_many_notes"


class TooManyEntries(ApiError):
    """The item already has the maximum number of entries of manual points, or the participation has the maximum number of
    decisions.
    """

    status, code = 409, "too_many_entries"


class ReviewChanged(ApiError):
    """An entry was added after the one that the request names as the newest."""

    status, code = 409, "changed_meanwhile"

    def __init__(self) -> None:
        super().__init__(
            "Another member changed this in the meantime. Load it again, check that change, then send yours again."
        )


class LevelTooHigh(ApiError):
    """The level is higher than the criterion's maximum."""

    status, code = 422, "level_too_high"


class PointsOutOfRange(ApiError):
    """The points are outside of the item's range."""

    status, code = 422, "points_out_of_range"


def notes(participation_id: str, after: str) -> Select[ReviewNote, str | None]:
    """Return a query for the notes about a participation in the order of writing, each with its author's name."""
    query = select(ReviewNote, Account.name).outerjoin(Account, Account.id == ReviewNote.author_id)
    return query.where(ReviewNote.participation_id == participation_id, ReviewNote.id > after).order_by(ReviewNote.id)


async def write_note(session: AsyncSession, participation_id: str, author_id: str, text: str) -> ReviewNote:
    """Add a note. Raises `TooManyNotes`."""
    there = select(func.count()).where(ReviewNote.participation_id == participation_id)
    if (await session.scalar(there) or 0) >= NOTES:
        raise TooManyNotes(f"This participation already has {NOTES} notes. Delete one first.")
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
    """Return a note that this author may change. Raises `NoteNotFound`, `NotYourNote`."""
    note: ReviewNote | None = await session.get(ReviewNote, note_id)
    if note is None or note.participation_id != participation_id:
        raise NoteNotFound("This participation has no note with this ID.")
    if note.author_id != author_id:
        raise NotYourNote("Only the author of a note can change or delete it.")
    return note


async def score(
    session: AsyncSession, participation_id: str, criterion: RubricCriterion, reviewer_id: str, level: int | None
) -> None:
    """Set or remove one reviewer's score for a criterion. Raises `LevelTooHigh`."""
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
    """Return a criterion of the current rubric, locked until the end of the transaction. Raises `CriterionNotFound`."""
    # A request that removes the criterion at the same time waits for this lock. It then keeps the criterion, because the
    # criterion has a score.
    query = select(RubricCriterion).where(RubricCriterion.id == criterion_id).with_for_update()
    found: RubricCriterion | None = await session.scalar(query)
    if found is None or found.assessment_id != assessment_id or found.retired_at is not None:
        raise rubric.CriterionNotFound
    return found


async def give_points(session: AsyncSession, item: ParticipationItem, wanted: NewPoints, reviewer_id: str) -> None:
    """Add manual points for an item. Raises `PointsOutOfRange`, `ReviewChanged`, `TooManyEntries`."""
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


async def decide(session: AsyncSession, run: LoadedParticipation, wanted: NewDecision, by: str) -> None:
    """Add a decision. It records how many answers have no final points yet. Raises `ReviewChanged`, `TooManyEntries`."""
    mine = select(Decision.id).where(Decision.participation_id == run.row.id)
    _require_seen(list(await session.scalars(mine.order_by(Decision.id))), wanted.seen)
    session.add(
        Decision(
            id=new_id(),
            participation_id=run.row.id,
            decision=wanted.decision,
            reason=wanted.reason,
            answers_pending=await _answers_pending(session, run),
            decided_by=by,
            decided_at=now(),
        )
    )


def _require_seen(ids: list[str], seen: str | None) -> None:
    if (ids[-1] if ids else None) != seen:
        raise ReviewChanged
    if len(ids) >= ENTRIES:
        raise TooManyEntries(f"At most {ENTRIES} changes are stored, and this limit is reached.")


async def review(session: AsyncSession, run: LoadedParticipation, reader_id: str) -> TeamReview:
    """Return the whole review except the notes."""
    return TeamReview(
        criteria=await _criteria(session, run.row.assessment_id, run.row.id, reader_id),
        points=await _points(session, run.row.id),
        decisions=await _decisions(session, run.row.id),
        answers_pending=await _answers_pending(session, run),
    )


async def _answers_pending(session: AsyncSession, run: LoadedParticipation) -> int:
    """Return how many of the candidate's answers have no final points yet."""
    return sum(item.answers_pending for item in await scores.scored(session, run.row.account_id, run.items))


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
