"""Routes to review a participation: notes, the rubric with its scores, manual points, and the decision. All members of the
team may use them.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.service import AssessmentNotFound, find, find_to_change
from api.hiring.monitoring.routes import AddressedParticipation, ForReviewer
from api.hiring.participations.service import ItemNotFound, ParticipationNotFound
from api.hiring.participations.text_answers import awaiting_review
from api.hiring.participations.webhook_events import record, record_reviewed
from api.hiring.review_records.models import ReviewNote
from api.hiring.reviews import rubric, service
from api.hiring.reviews.schemas import (
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
from api.hiring.taking.candidate_request import Position
from api.hiring.taking.question_items import ReviewedAnswer, reviewed_answer
from api.hiring.taking.work import WrongItemKind
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.kit.db.database import now
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(tags=["reviews"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}")
OF = "/participations/{participation_id}"
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
ONE = (*READ, ParticipationNotFound)
CHANGE = (CrossSite, *ONE)
NOTE = (*CHANGE, service.NoteNotFound, service.NotYourNote)
ENTRY = (*CHANGE, service.ReviewChanged, service.TooManyEntries)


@router.get("/rubric", responses=errors(*READ))
async def get_rubric(assessment_id: Id, membership: AsReviewer, db: DatabaseDep) -> RubricView:
    """Return the rubric: the criteria that reviewers score in addition to the tests."""
    async with db.read() as session:
        await find(session, membership, assessment_id)
        return rubric.view(await rubric.criteria_of(session, assessment_id))


@router.put(
    "/rubric",
    responses=errors(CrossSite, *READ, rubric.RubricChanged, rubric.CriterionNotFound, rubric.TooManyCriteria),
)
async def save_rubric(assessment_id: Id, body: NewRubric, membership: AsReviewer, db: DatabaseDep) -> RubricView:
    """Save the rubric. Existing scores are kept. `version` must be the version that the rubric is based on. If another member
    has saved a newer version, the response is 409.
    """
    async with db.write() as session:
        await find_to_change(session, membership, assessment_id)
        return await rubric.save(session, assessment_id, body)


@router.get(f"{OF}/review", responses=errors(*ONE))
async def get_review(addressed: ForReviewer, db: DatabaseDep) -> TeamReview:
    """Return the team's review of a participation: rubric scores, manual points, and decisions. Notes are listed separately."""
    async with db.read() as session:
        run = await addressed.find(session)
        return await service.review(session, run, addressed.membership.account.id)


@router.put(f"{OF}/scores/{{criterion_id}}", responses=errors(*CHANGE, rubric.CriterionNotFound, service.LevelTooHigh))
async def score_criterion(criterion_id: Id, body: NewScore, addressed: ForReviewer, db: DatabaseDep) -> TeamReview:
    """Set or remove your own score for a criterion."""
    async with db.write() as session:
        run = await addressed.find(session)
        criterion = await service.criterion(session, addressed.assessment_id, criterion_id)
        await service.score(session, addressed.participation_id, criterion, addressed.membership.account.id, body.level)
        await session.flush()
        return await service.review(session, run, addressed.membership.account.id)


@router.get(f"{OF}/items/{{position}}/text", responses=errors(*ONE, ItemNotFound, WrongItemKind))
async def get_written_answer(
    position: Position, addressed: ForReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> ReviewedAnswer:
    """Return the text with which the candidate answered a question, the guide for reviewers, and the marked code. Give points for
    it as manual points that are set.
    """
    async with db.read() as session:
        run = await addressed.find(session)
        if (found := await reviewed_answer(session, run, run.item(position), store)) is None:
            raise WrongItemKind("This item is not answered with a text.")
        return found


@router.post(
    f"{OF}/items/{{position}}/points",
    status_code=201,
    responses=errors(*ENTRY, ItemNotFound, service.PointsOutOfRange),
)
async def give_points(position: Position, body: NewPoints, addressed: ForReviewer, db: DatabaseDep) -> TeamReview:
    """Give manual points for an item, with a reason that the team can read. `seen` must be the ID of the newest entry of manual
    points for the item, or null if there is none. If there is a newer entry, the response is 409. Points for
    a text also say that it was reviewed.
    """
    async with db.write() as session:
        run = await addressed.find(session)
        item, waited = run.item(position), await awaiting_review(session, [run.row.id])
        await service.give_points(session, item, body, addressed.membership.account.id)
        await session.flush()
        if waited and not await awaiting_review(session, [run.row.id]):
            await record_reviewed(session, run.row)
        return await service.review(session, run, addressed.membership.account.id)


@router.post(f"{OF}/decisions", status_code=201, responses=errors(*ENTRY))
async def decide(body: NewDecision, addressed: ForReviewer, db: DatabaseDep) -> TeamReview:
    """Record a decision. `seen` must be the ID of the newest decision, or null if there is none. If there is a newer decision,
    the response is 409. Earlier decisions are kept.

    A decision is possible before all answers have their points. It records how many of them have none yet.
    """
    async with db.write() as session:
        run = await addressed.find(session)
        await service.decide(session, run, body, addressed.membership.account.id)
        await record(session, "decision.made", run.row)
        await addressed.record(session, "participation.decide", body.decision)
        await session.flush()
        return await service.review(session, run, addressed.membership.account.id)


@router.get(f"{OF}/notes", responses=errors(*ONE, BadCursor))
async def list_notes(
    addressed: ForReviewer,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> NotePage:
    """List the notes of the team, in the order of writing."""
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await addressed.find(session)
        rows = (await session.execute(service.notes(addressed.participation_id, after).limit(limit + 1))).all()
    items = [_note(note, name, addressed.membership.account.id) for note, name in rows[:limit]]
    return NotePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(f"{OF}/notes", status_code=201, responses=errors(*CHANGE, service.TooManyNotes))
async def write_note(body: NewNote, addressed: ForReviewer, db: DatabaseDep) -> NoteView:
    """Add a note. The team can read it, but the candidate cannot."""
    account = addressed.membership.account
    async with db.write() as session:
        await addressed.find(session)
        note = await service.write_note(session, addressed.participation_id, account.id, body.text)
    return _note(note, account.name, account.id)


@router.put(f"{OF}/notes/{{note_id}}", responses=errors(*NOTE))
async def edit_note(note_id: Id, body: NewNote, addressed: ForReviewer, db: DatabaseDep) -> NoteView:
    """Change one of your own notes."""
    account = addressed.membership.account
    async with db.write() as session:
        note = await _own(session, addressed, note_id)
        note.text, note.edited_at = body.text, now()
    return _note(note, account.name, account.id)


@router.delete(f"{OF}/notes/{{note_id}}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*NOTE))
async def delete_note(note_id: Id, addressed: ForReviewer, db: DatabaseDep) -> Response:
    """Delete one of your own notes."""
    async with db.write() as session:
        await session.delete(await _own(session, addressed, note_id))
    return Response(status_code=status.HTTP_204_NO_CONTENT)


async def _own(session: AsyncSession, addressed: AddressedParticipation, note_id: str) -> ReviewNote:
    await addressed.find(session)
    return await service.own_note(session, addressed.participation_id, addressed.membership.account.id, note_id)


def _note(note: ReviewNote, author: str | None, reader_id: str) -> NoteView:
    return NoteView(
        id=note.id,
        author=author,
        yours=note.author_id == reader_id,
        text=note.text,
        created_at=note.created_at,
        edited_at=note.edited_at,
    )
