"""Routes for taking an assessment: information before the start, starting, the clock, working on items, and finishing.

The link of an invitation opens the assessment. After the start, a separate cookie identifies the candidate. It gives access
only to this participation.
"""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response, status
from fastapi.responses import StreamingResponse

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.versions import NoPlan, PlanUnusable
from api.hiring.invitations.service import InvitationNotFound
from api.hiring.participations import deadlines, result_delay, service, submission_limits
from api.hiring.participations.models import ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.taking import feedback, question_items, views, work
from api.hiring.taking import stream as live
from api.hiring.taking.candidate_request import CandidateRequest, FromCandidate, Position, Received
from api.hiring.taking.question_items import Answered, NewMarkedLines
from api.hiring.taking.schemas import (
    Autosave,
    NewAttempt,
    NewSignals,
    NewSnippet,
    OpenedItem,
    ParticipationView,
    Saved,
)
from api.hiring.taking.start import device_changes, starting
from api.hiring.taking.start.schemas import NewStart, TakeView
from api.identity.accounts.guests import is_guest
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import TAKING, Candidate, in_this_browser
from api.identity.sign_in.cookies import SessionCookiesDep
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import intake, stream
from api.judging.intake import service as submissions
from api.judging.intake import views as submission_views
from api.judging.intake.schemas import SubmissionView
from api.judging.submissions.events import EventHubDep
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.quizzes import service as quizzes
from api.practice.quizzes.schemas import NewAnswer

router = APIRouter(tags=["participations"], route_class=JsonRoute)
Token = Annotated[str, Path(max_length=200), CleanText]
Visitor = Annotated[Identity | None, Depends(in_this_browser)]
READ = (NotSignedIn, service.ParticipationNotFound, service.TakenOver, TooManyRequests)
WRITE = (CrossSite, *READ, service.ItemNotFound, service.TimeIsOver, service.HandedIn, work.ItemWithdrawn)
WORK = (*WRITE, work.NotOpened, work.WrongItemKind)
KEEP = (*WORK, intake.SourceTooLarge, work.BatchTooLarge, work.DraftMovedOn)
SEND = (*WORK, intake.SourceTooLarge, intake.DeviceNotOffered, intake.NoSamples, submission_limits.NoSubmissionsLeft)
ANSWER = (*WORK, quizzes.QuestionNotFound, quizzes.AlreadyAnswered, quizzes.BadAnswer)
START = (
    CrossSite,
    InvitationNotFound,
    starting.InvitationOver,
    starting.NotOpenYet,
    starting.HonourRequired,
    NoPlan,
    PlanUnusable,
)
EVENT = {
    "type": "object",
    "description": "One event; `data` is JSON.",
    "properties": {"event": {"enum": ["state", "taken_over"]}, "data": {"type": "string"}},
    "required": ["event", "data"],
}


@router.get("/take/{token}", responses=errors(InvitationNotFound, starting.InvitationOver))
async def read_invitation(token: Token, db: DatabaseDep, moment: Received) -> TakeView:
    """Return what the candidate sees before the time starts: the rules, and the sections with their numbers of items. The
    response reveals nothing else about the items.
    """
    async with db.read() as session:
        resolved = await starting.resolve_invitation(session, token)
        if resolved.run is None:
            with suppress(starting.NotOpenYet):
                starting.require_startable(resolved, moment)
        return await starting.describe(session, resolved, moment)


@router.post(
    "/take/{token}/start",
    status_code=201,
    responses={
        **errors(*START),
        200: {"model": ParticipationView, "description": "It is running already, and continues here."},
    },
)
async def start_participation(
    token: Token,
    body: NewStart,
    visitor: Visitor,
    cookies: SessionCookiesDep,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    hub: EventHubDep,
    moment: Received,
) -> ParticipationView:
    """Start the assessment; its time starts now. If it is already running, it continues on this device, and the earlier
    device is notified.
    """
    signed_in_account_id = visitor.account.id if visitor and not is_guest(visitor.account) else None
    async with db.write() as session:
        resolved = await starting.resolve_up_to_date(session, token, settings, store, moment)
        account = await starting.start(session, resolved, body, store, moment, signed_in_account_id)
        await cookies.open_session(session, account, TAKING)
        run = await device_changes.take_over(session, account.id, cookies.origin, moment)
        shown = await views.participation(session, run, store, moment)
    if resolved.run is not None:
        cookies.response.status_code = status.HTTP_200_OK
    dispatcher.wake()
    hub.notify(account.id)
    return shown


@router.get("/participation", responses=errors(*READ))
async def get_participation(work_request: FromCandidate) -> ParticipationView:
    """Return the state of the participation: the time, the sections, the items, and what was submitted."""
    async with work_request.run() as (session, run):
        return await views.participation(session, run, work_request.store, work_request.moment)


@router.get(
    "/participation/events",
    response_class=StreamingResponse,
    responses={
        **errors(*READ),
        200: {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}},
    },
)
async def stream_participation_events(
    caller: Candidate, db: DatabaseDep, settings: SettingsDep, hub: EventHubDep
) -> StreamingResponse:
    """Follow the participation. The event `state` (deadline, end, number of judged answers) is sent immediately and after
    every change. The event `taken_over` is sent when the participation continues on another device; after it, the stream ends.
    """
    stream.require_room(settings, hub, caller.account.id)
    return await stream.answer(live.events(db, settings, hub, caller))


@router.post("/participation/items/{position}/open", responses=errors(*WRITE))
async def open_item(position: Position, work_request: FromCandidate) -> OpenedItem:
    """Open an item. Opening the first item of a section starts the section's time. Opening an item again only returns it."""
    async with work_request.in_time(position) as (session, run):
        item = run.item_for_candidate(position)
        await work.open_item(session, run, item, work_request.store, work_request.moment)
        return await views.item_view(session, run, item, work_request.store, work_request.moment)


@router.put("/participation/items/{position}/draft", responses=errors(*KEEP))
async def autosave(position: Position, body: Autosave, work_request: FromCandidate) -> Saved:
    """Save the current code or text, with the edits since the last save. At the deadline, the last saved code is submitted as an
    answer. The last saved text of a question is its answer.
    """
    work.require_size(body, work_request.settings.source_kb)
    async with work_request.in_time(position) as (session, run):
        item = item_of(run, position, "challenge", "question")
        service.require_time(run, item, work_request.moment)
        work.require_text_fits(run, item, body.source)
        draft = await work.save(session, run, item, body, work_request.moment)
        left_s = deadlines.left_s(work_request.moment, run.end)
        if run.row.finished_at is not None:
            # The save arrived in time, but the participation was finished before the save was processed, so the draft is
            # submitted now.
            await service.send_last(session, run, work_request.settings, work_request.store, draft)
            work_request.dispatcher.wake()
        return Saved(revision=draft.revision, saved_at=draft.saved_at, deadline=run.end, left_s=left_s)


async def send_attempt(work_request: CandidateRequest, position: int, body: NewAttempt | NewSnippet) -> SubmissionView:
    """Queue an answer or a snippet, if there is time left for the item."""
    async with work_request.in_time(position) as (session, run):
        item = item_of(run, position, "challenge")
        service.require_time(run, item, work_request.moment)
        if isinstance(body, NewAttempt) and body.kind == "submit":
            plans = {item.name: run.plan_of(item)}
            left = await submission_limits.submissions_left(session, run.row.account_id, plans)
            if item.name in left:
                submission_limits.require_submission_left(left[item.name], work_request.moment)
        await result_delay.require_room(session, run, work_request.settings.unfinished_per_account, work_request.moment)
        stored = await work.send(session, item, body, work_request.settings, work_request.store, work_request.caller)
        shown = views.submission(
            run, submission_views.view(stored.submission, stored.judging, None), work_request.moment
        )
    work_request.dispatcher.wake()
    return shown


@router.post("/participation/items/{position}/submissions", status_code=201, responses=errors(*SEND))
async def send_answer(position: Position, body: NewAttempt, work_request: FromCandidate) -> SubmissionView:
    """Submit code. With the kind `run`, only the sample tests are judged; with the kind `submit`, the code counts as an answer.
    Answers that are still being judged at the deadline count.
    """
    return await send_attempt(work_request, position, body)


@router.get("/participation/submissions/{submission_id}", responses=errors(*READ, submissions.SubmissionNotFound))
async def get_sent_answer(submission_id: Id, work_request: FromCandidate) -> SubmissionView:
    """Return the result of a submission. Its verdict may be hidden until the end; results of sample tests are shown
    immediately.
    """
    async with work_request.run() as (session, run):
        found, row = await submissions.find(session, submission_id, work_request.caller)
        return views.submission(run, submission_views.view(found, row, None), work_request.moment)


@router.post("/participation/items/{position}/answers", status_code=201, responses=errors(*ANSWER))
async def answer_item(position: Position, body: NewAnswer, work_request: FromCandidate) -> Answered:
    """Answer a question of a quiz, or a question with options or a number. Each question can be answered once."""
    async with work_request.run() as (session, run):
        item = item_of(run, position, "quiz", "question")
        service.require_time(run, item, work_request.moment)
        mark = await work.answer(session, run, item, body, work_request.store)
        return Answered(question=body.question, mark=feedback.mark(run, item, mark))


@router.put(
    "/participation/items/{position}/marked-lines",
    responses=errors(*WORK, question_items.NotAboutCode, question_items.CodeChanged, question_items.NoSuchLines),
)
async def mark_lines(position: Position, body: NewMarkedLines, work_request: FromCandidate) -> OpenedItem:
    """Mark the lines of your own code that your answer is about. They replace the lines that were marked before."""
    async with work_request.in_time(position) as (session, run):
        item = item_of(run, position, "question")
        service.require_time(run, item, work_request.moment)
        await question_items.mark(session, run, item, body, work_request.moment)
        return await views.item_view(session, run, item, work_request.store, work_request.moment)


@router.post("/participation/items/{position}/signals", status_code=204, responses=errors(*WORK))
async def note_signals(position: Position, body: NewSignals, work_request: FromCandidate) -> Response:
    """Report that the candidate left or entered the page of a quiz or a question. Signals are stored only if the
    assessment records them. Candidates are told so before they start.
    """
    async with work_request.in_time(position) as (session, run):
        item = item_of(run, position, "quiz", "question")
        service.require_time(run, item, work_request.moment)
        await work.record_signals(session, run, item, body.signals, work_request.moment)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/participation/finish", responses=errors(CrossSite, *READ))
async def finish_participation(work_request: FromCandidate) -> ParticipationView:
    """Finish the assessment before the deadline. The last drafts are submitted. Finishing again changes nothing."""
    async with work_request.run() as (session, run):
        if run.row.finished_at is None:
            await service.finish(
                session, run, work_request.settings, work_request.store, "candidate", work_request.moment
            )
        shown = await views.participation(session, run, work_request.store, work_request.moment)
    work_request.dispatcher.wake()
    return shown


def item_of(run: LoadedParticipation, position: int, *kinds: str) -> ParticipationItem:
    """Return an opened item of one of these kinds. Raises `ItemNotFound`, `WrongItemKind`, `NotOpened`."""
    item = run.item_for_candidate(position)
    work.require_open_item(item, *kinds)
    return item
