"""Routes for the interviewers of a room: private notes, the rubric, the transcript and the replay."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Response, status
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.interview_rooms import views
from api.hiring.interview_rooms.schemas import CRITERIA, NewRoomNote, NewRoomScore, Replay, RoomReview, RoomTranscript
from api.hiring.room_documents import replay
from api.hiring.room_documents.live_room import channel_of
from api.hiring.room_records.access import READ, AsInterviewer, RoleForbids, RoomCaller, RoomNotFound
from api.hiring.room_records.models import Room, RoomNote, RoomScore, RoomUpdate
from api.judging.submissions.events import EventHubDep
from api.kit.db.database import hold, now
from api.kit.errors import ApiError, CrossSite, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id, new_id

router = APIRouter(tags=["live interviews"], route_class=JsonRoute, prefix="/rooms/{room_id}")
PRIVATE = (*READ, RoleForbids)
WRITE = (CrossSite, *PRIVATE)
NOTES = 500
Place = Annotated[int, Path(ge=0, lt=CRITERIA)]
Position = Annotated[int, Path(ge=1, le=99)]


class TooManyNotes(ApiError):
    """The room has reached the maximum number of notes."""

    status, code = 409, "too_many_notes"


class NotYourRoomNote(ApiError):
    """The note does not exist, or another interviewer wrote it."""

    status, code = 404, "not_your_note"


class CriterionMissing(ApiError):
    """The rubric of the room has no such criterion."""

    status, code = 404, "criterion_not_found"


@router.get("/review", responses=errors(*PRIVATE))
async def get_room_review(room_id: Id, caller: AsInterviewer, db: DatabaseDep) -> RoomReview:
    """Return the private notes and the rubric with its scores."""
    async with db.read() as session:
        return await views.review(session, caller.room, caller.account_id)


@router.post("/notes", status_code=201, responses=errors(*WRITE, TooManyNotes))
async def add_room_note(
    room_id: Id, body: NewRoomNote, caller: AsInterviewer, db: DatabaseDep, hub: EventHubDep
) -> RoomReview:
    """Add a private note, during the interview or after it."""
    async with db.write() as session:
        await _changed(session, caller)
        ids = (await session.scalars(select(RoomNote.id).where(RoomNote.room_id == room_id).limit(NOTES))).all()
        if len(ids) >= NOTES:
            raise TooManyNotes(f"A room has at most {NOTES} notes. Delete some first.")
        session.add(RoomNote(id=new_id(), room_id=room_id, author_id=caller.account_id, text=body.text, at=now()))
        await session.flush()
        shown = await views.review(session, caller.room, caller.account_id)
    hub.notify(channel_of(room_id))
    return shown


@router.delete("/notes/{note_id}", responses=errors(*WRITE, NotYourRoomNote))
async def delete_room_note(
    room_id: Id, note_id: Id, caller: AsInterviewer, db: DatabaseDep, hub: EventHubDep
) -> RoomReview:
    """Delete a note that you wrote."""
    async with db.write() as session:
        await _changed(session, caller)
        note = await session.get(RoomNote, note_id)
        if note is None or note.room_id != room_id or note.author_id != caller.account_id:
            raise NotYourRoomNote("You have no note with this ID in this room.")
        await session.delete(note)
        await session.flush()
        shown = await views.review(session, caller.room, caller.account_id)
    hub.notify(channel_of(room_id))
    return shown


@router.put("/scores/{criterion}", responses=errors(*WRITE, CriterionMissing))
async def score_room(
    room_id: Id, criterion: Place, body: NewRoomScore, caller: AsInterviewer, db: DatabaseDep, hub: EventHubDep
) -> RoomReview:
    """Score a criterion of the rubric. Each interviewer gives an own score."""
    async with db.write() as session:
        await _changed(session, caller)
        if criterion >= len((await views.review(session, caller.room, None)).criteria):
            raise CriterionMissing("The rubric of this room has no such criterion.")
        mine = RoomScore.room_id == room_id, RoomScore.criterion == criterion
        await session.execute(delete(RoomScore).where(*mine, RoomScore.reviewer_id == caller.account_id))
        if body.level is not None:
            row = RoomScore(id=new_id(), room_id=room_id, criterion=criterion, level=body.level, given_at=now())
            row.reviewer_id = caller.account_id
            session.add(row)
        await session.flush()
        shown = await views.review(session, caller.room, caller.account_id)
    hub.notify(channel_of(room_id))
    return shown


@router.get("/transcript", responses=errors(*PRIVATE))
async def get_transcript(room_id: Id, caller: AsInterviewer, db: DatabaseDep) -> RoomTranscript:
    """Return everything that happened in the room, in order."""
    async with db.read() as session:
        return await views.told(session, caller.room)


@router.get("/replay/{position}", response_model=Replay, responses=errors(*PRIVATE))
async def get_replay(room_id: Id, position: Position, caller: AsInterviewer, db: DatabaseDep) -> Response:
    """Return all edits with which the code of a challenge was written, each with its author."""
    columns = RoomUpdate.at, RoomUpdate.author_id, RoomUpdate.data
    query = select(*columns).where(RoomUpdate.room_id == room_id).order_by(RoomUpdate.sequence)
    async with db.read() as session:
        rows = (await session.execute(query)).all()
    # Rebuilding the document takes a second for an interview of many hours.
    body = await asyncio.to_thread(replay.as_json, [(row.at, row.author_id, row.data) for row in rows], position)
    return Response(body, media_type="application/json", status_code=status.HTTP_200_OK)


async def _changed(session: AsyncSession, caller: RoomCaller) -> None:
    """Lock the room's private part until the transaction ends, and note that it changes. Raises `RoomNotFound`."""
    await hold(session, f"room review {caller.room.id}")
    raised = update(Room).where(Room.id == caller.room.id).values(private_revision=Room.private_revision + 1)
    if not getattr(await session.execute(raised), "rowcount", 0):
        raise RoomNotFound
