"""Routes to judge the shared code of a room, and to follow and read the results."""

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep, InYourAssessment
from api.hiring.interview_rooms import service
from api.hiring.interview_rooms.schemas import NewRoomSubmission
from api.hiring.room_documents import store as documents
from api.hiring.room_documents.live_room import channel_of
from api.hiring.room_records import transcript
from api.hiring.room_records.access import READ, AsWriter, InRoom, RoleForbids, RoomCaller
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.identity.sessions.credentials import Identity
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import intake, stream, views
from api.judging.intake.default_device import default_device
from api.judging.intake.intake import SubmissionData
from api.judging.intake.routes import EVENT
from api.judging.intake.schemas import SubmissionView
from api.judging.intake.service import SubmissionNotFound, look_up
from api.judging.submissions.events import EventHubDep, parse_event_id
from api.kit.db.database import Database
from api.kit.errors import CrossSite, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.kit.text import CleanText
from grader.contract.job import Kind

router = APIRouter(tags=["live interviews"], route_class=JsonRoute, prefix="/rooms/{room_id}/submissions")
ONE = (*READ, SubmissionNotFound, InYourAssessment)
SEND = errors(
    CrossSite,
    *READ,
    RoleForbids,
    ChallengeNotFound,
    service.NothingShown,
    InYourAssessment,
    intake.SourceTooLarge,
    intake.DeviceNotOffered,
    intake.NoSamples,
)


@router.post("", status_code=201, responses=SEND)
async def judge_room_code(
    room_id: Id,
    body: NewRoomSubmission,
    caller: AsWriter,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    hub: EventHubDep,
    embargo: EmbargoDep,
) -> SubmissionView:
    """Judge the shared code as it is stored now, of the challenge that is shown. Everybody in the room sees the result."""
    async with db.read() as session:
        shown = await service.shown(session, caller.room, store)
    await embargo.refuse_challenge(shown.package.slug, "verdict")
    async with db.write() as session:
        room = await service.to_change(session, caller)
        package = (await service.shown(session, room, store)).package
        code = (await documents.load(session, room.id)).document.text(room.position)
        kind, device = Kind(body.kind), body.device or default_device(package)
        sent = SubmissionData(room.account_id, kind, device, code, "", None, candidates.ROLE)
        intake.check(sent, package, settings)
        stored = await intake.submit(session, sent, package, settings)
        if stored.position is not None:
            detail = {"submission_id": stored.submission.id, "position": room.position}
            transcript.record(session, room.id, caller.participant.id, body.kind, **detail)
            room.revision += 1
    dispatcher.wake()
    hub.notify(channel_of(room_id))
    return views.view(stored.submission, stored.judging, None, for_team=caller.is_interviewer)


@router.get("/{submission_id}", responses=errors(*ONE))
async def get_room_submission(
    room_id: Id, submission_id: Id, caller: InRoom, db: DatabaseDep, embargo: EmbargoDep
) -> SubmissionView:
    """Return the result of a submission of the room, with tensor differences of the sample tests. Interviewers also get those of
    the hidden tests.
    """
    found, row = await look_up(db, submission_id, await _candidate(db, caller))
    await embargo.refuse_challenge(found.slug, "verdict")
    return views.view(found, row, None, for_team=caller.is_interviewer)


@router.get(
    "/{submission_id}/events",
    response_class=StreamingResponse,
    responses={
        **errors(*ONE, TooManyRequests),
        200: {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}},
    },
)
async def follow_room_submission(
    room_id: Id,
    submission_id: Id,
    caller: InRoom,
    db: DatabaseDep,
    settings: SettingsDep,
    dispatcher: DispatcherDep,
    embargo: EmbargoDep,
    last_event_id: Annotated[str | None, Header(max_length=100), CleanText] = None,
) -> StreamingResponse:
    """Follow the judging of a submission of the room, test by test."""
    identity = await _candidate(db, caller)
    found, _ = await look_up(db, submission_id, identity)
    await embargo.refuse_challenge(found.slug, "verdict")
    stream.require_room(settings, dispatcher.hub, identity.account.id)
    return await stream.answer(stream.frames(dispatcher, submission_id, identity, parse_event_id(last_event_id)))


async def _candidate(db: Database, caller: RoomCaller) -> Identity:
    """Return the identity of the candidate's account, to which the submissions of the room belong."""
    async with db.read() as session:
        account = await session.get_one(Account, caller.room.account_id)
    return Identity(account, "session", "")
