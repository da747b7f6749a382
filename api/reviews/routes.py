"""Reviewing somebody: notes, the rubric with its scores, points by hand, the decision. Everybody in the team may."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.service import AssessmentNotFound, find, find_to_change
from api.bodies import JsonRoute
from api.db import now
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.ids import Id
from api.pagination import decode_cursor, encode_cursor
from api.participations.routes import Position
from api.participations.service import ItemNotFound, ParticipationNotFound, about
from api.participations.watching_routes import Named, One
from api.reviews import rubric, service
from api.reviews.models import ReviewNote
from api.reviews.schemas import (
    NewDecision,
    NewNote,
    NewPoints,
    NewRubric,
    NewScore,
    NotePage,
    NoteView,
    RubricView,
    TeamReview,
)
from api.state import StateOf
from api.teams.seats import Reviewing, TeamNotFound
from api.text import CleanText
from api.webhooks.events import happened

router = APIRouter(tags=["reviews"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
OF = "/participations/{participation_id}"
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
ONE = (*READ, ParticipationNotFound)
CHANGE = (CrossSite, *ONE)
NOTE = (*CHANGE, service.NoteNotFound, service.NotYourNote)
ENTRY = (*CHANGE, service.SomebodyElseDid, service.TooManyEntries)


@router.get("/rubric", responses=errors(*READ))
async def get_rubric(assessment_id: Id, seat: Reviewing, state: StateOf) -> RubricView:
    """What reviewers score beside the tests."""
    async with state.db.read() as session:
        await find(session, seat, assessment_id)
        return rubric.view(await rubric.criteria_of(session, assessment_id))


@router.put(
    "/rubric",
    responses=errors(CrossSite, *READ, rubric.RubricChanged, rubric.CriterionNotFound, rubric.TooManyCriteria),
)
async def save_rubric(assessment_id: Id, body: NewRubric, seat: Reviewing, state: StateOf) -> RubricView:
    """Save the rubric. No change takes away a score that was given. 409 when somebody else saved since the version named."""
    async with state.db.write() as session:
        await find_to_change(session, seat, assessment_id)
        return await rubric.save(session, assessment_id, body)


@router.get(f"{OF}/review", responses=errors(*ONE))
async def get_review(one: One, state: StateOf) -> TeamReview:
    """What the team says of a participation: rubric scores, points by hand, decisions. Notes come apart."""
    async with state.db.read() as session:
        await one.find(session)
        return await service.review(session, one.assessment_id, one.participation_id, one.seat.account.id)


@router.put(f"{OF}/scores/{{criterion_id}}", responses=errors(*CHANGE, rubric.CriterionNotFound, service.LevelTooHigh))
async def score_criterion(criterion_id: Id, body: NewScore, one: One, state: StateOf) -> TeamReview:
    """Give your own score for a criterion, or take it back."""
    async with state.db.write() as session:
        await one.find(session)
        criterion = await service.criterion(session, one.assessment_id, criterion_id)
        await service.score(session, one.participation_id, criterion, one.seat.account.id, body.level)
        await session.flush()
        return await service.review(session, one.assessment_id, one.participation_id, one.seat.account.id)


@router.post(
    f"{OF}/items/{{position}}/points",
    status_code=201,
    responses=errors(*ENTRY, ItemNotFound, service.PointsOutOfRange),
)
async def give_points(position: Position, body: NewPoints, one: One, state: StateOf) -> TeamReview:
    """Give points by hand for an item, with a reason that the team reads. 409 when somebody else did since."""
    async with state.db.write() as session:
        item = (await one.find(session)).item(position)
        await service.give_points(session, item, body, one.seat.account.id)
        await session.flush()
        return await service.review(session, one.assessment_id, one.participation_id, one.seat.account.id)


@router.post(f"{OF}/decisions", status_code=201, responses=errors(*ENTRY))
async def decide(body: NewDecision, one: One, state: StateOf) -> TeamReview:
    """Say what becomes of somebody. 409 when somebody else did since. What was decided before stays readable."""
    async with state.db.write() as session:
        run = await one.find(session)
        await service.decide(session, one.participation_id, body, one.seat.account.id)
        await happened(session, "decision.made", about(run.row))
        await session.flush()
        return await service.review(session, one.assessment_id, one.participation_id, one.seat.account.id)


@router.get(f"{OF}/notes", responses=errors(*ONE, BadCursor))
async def list_notes(
    one: One,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> NotePage:
    """What members of the team noted, in the order of writing."""
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        await one.find(session)
        rows = (await session.execute(service.notes(one.participation_id, after).limit(limit + 1))).all()
    items = [_note(note, name, one.seat.account.id) for note, name in rows[:limit]]
    return NotePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(f"{OF}/notes", status_code=201, responses=errors(*CHANGE, service.TooManyNotes))
async def write_note(body: NewNote, one: One, state: StateOf) -> NoteView:
    """Note something about somebody. The team reads it, the candidate does not."""
    account = one.seat.account
    async with state.db.write() as session:
        await one.find(session)
        note = await service.write_note(session, one.participation_id, account.id, body.text)
    return _note(note, account.name, account.id)


@router.put(f"{OF}/notes/{{note_id}}", responses=errors(*NOTE))
async def edit_note(note_id: Id, body: NewNote, one: One, state: StateOf) -> NoteView:
    """Change a note of your own."""
    account = one.seat.account
    async with state.db.write() as session:
        note = await _own(session, one, note_id)
        note.text, note.edited_at = body.text, now()
    return _note(note, account.name, account.id)


@router.delete(f"{OF}/notes/{{note_id}}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*NOTE))
async def delete_note(note_id: Id, one: One, state: StateOf) -> Response:
    """Delete a note of your own."""
    async with state.db.write() as session:
        await session.delete(await _own(session, one, note_id))
    return Response(status_code=status.HTTP_204_NO_CONTENT)


async def _own(session: AsyncSession, one: Named, note_id: str) -> ReviewNote:
    await one.find(session)
    return await service.own_note(session, one.participation_id, one.seat.account.id, note_id)


def _note(note: ReviewNote, author: str | None, reader_id: str) -> NoteView:
    return NoteView(
        id=note.id,
        author=author,
        yours=note.author_id == reader_id,
        text=note.text,
        created_at=note.created_at,
        edited_at=note.edited_at,
    )
