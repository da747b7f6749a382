"""Taking an assessment: what one is told, starting, the clock, working on items, finishing. The link of an invitation opens it,
and a cookie of its own says afterwards who works; it opens nothing but this one participation.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response, status
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.cookies import enter_with
from api.accounts.credentials import Identity
from api.accounts.identity import TAKING, Candidate, origin_of
from api.assessments.versions import NoPlan, PlanUnusable
from api.bodies import JsonRoute
from api.errors import ApiError, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.invitations.service import InvitationNotFound
from api.participations import clock, live, service, taking, views, work
from api.participations.models import ParticipationItem
from api.participations.schemas import (
    Answered,
    Autosave,
    NewAttempt,
    NewSignals,
    NewSnippet,
    NewStart,
    OpenedItem,
    ParticipationView,
    Saved,
    TakeView,
)
from api.participations.service import Run
from api.quizzes import service as quizzes
from api.quizzes.schemas import NewAnswer
from api.state import State, StateOf
from api.submissions import intake, stream
from api.submissions import service as submissions
from api.submissions import views as submission_views
from api.submissions.schemas import SubmissionView
from api.text import CleanText

router = APIRouter(tags=["participations"], route_class=JsonRoute)
Token = Annotated[str, Path(max_length=200), CleanText]
Position = Annotated[int, Path(ge=1, le=480)]
READ = (NotSignedIn, service.ParticipationNotFound, service.TakenOver, TooManyRequests)
WRITE = (CrossSite, *READ, service.ItemNotFound, service.TimeIsOver, work.ItemWithdrawn)
WORK = (*WRITE, work.NotOpened, work.OtherKind)
KEEP = (*WORK, intake.SourceTooLarge, work.BatchTooLarge, work.DraftMovedOn)
SEND = (*WORK, intake.SourceTooLarge, intake.DeviceNotOffered, intake.NoSamples)
ANSWER = (*WORK, quizzes.QuestionNotFound, quizzes.AlreadyAnswered, quizzes.BadAnswer)
START = (
    CrossSite,
    InvitationNotFound,
    taking.InvitationOver,
    taking.NotYet,
    taking.HonourRequired,
    NoPlan,
    PlanUnusable,
)
EVENT = {
    "type": "object",
    "description": "One event; `data` is JSON.",
    "properties": {"event": {"enum": ["state", "taken_over"]}, "data": {"type": "string"}},
    "required": ["event", "data"],
}


async def received() -> datetime:
    """The moment at which a request arrived: it decides what counts, however long anything after it takes."""
    return service.now()


Received = Annotated[datetime, Depends(received)]


@dataclass(frozen=True)
class Working:
    """Who works, and when the request came."""

    caller: Identity
    state: State
    moment: datetime

    @asynccontextmanager
    async def run(self) -> AsyncIterator[tuple[AsyncSession, Run]]:
        """The participation, in a transaction, its clock up to date: that stays so even if what follows is refused."""
        account_id, device = self.caller.account.id, self.caller.credential_id
        refused = None
        async with self.state.db.write() as session:
            run = await service.of_account(session, account_id, device)
            queued = await service.bring_up_to_date(session, run, self.state, self.moment)
            try:
                async with session.begin_nested():
                    yield session, run
            except ApiError as error:
                refused = error
        if queued:
            self.state.dispatcher.wake()
        if refused is not None:
            raise refused

    @asynccontextmanager
    async def in_time(self, position: int) -> AsyncIterator[tuple[AsyncSession, Run]]:
        """As `run`, for what everybody sends often: whether lost time is to be given back is looked up only when the time of the
        item seems to be over.
        """
        async with self.state.db.write() as session:
            run = await service.of_account(session, self.caller.account.id, self.caller.credential_id)
            if in_time := service.has_time(run, position, self.moment):
                yield session, run
        if not in_time:
            async with self.run() as found:
                yield found


async def working(caller: Candidate, state: StateOf, moment: Received) -> Working:
    """Whoever works on a participation."""
    return Working(caller, state, moment)


AtWork = Annotated[Working, Depends(working)]


@router.get("/take/{token}", responses=errors(InvitationNotFound, taking.InvitationOver))
async def read_invitation(token: Token, state: StateOf, moment: Received) -> TakeView:
    """What whoever holds an invitation is told before the time runs. Nothing of the items is."""
    async with state.db.read() as session:
        door = await taking.knock(session, token)
        if door.run is None:
            with suppress(taking.NotYet):
                taking.require_startable(door, moment)
        return await taking.tell(session, door, moment)


@router.post(
    "/take/{token}/start",
    status_code=201,
    responses={
        **errors(*START),
        200: {"model": ParticipationView, "description": "It runs already, and goes on here."},
    },
)
async def start_participation(
    token: Token,
    body: NewStart,
    request: Request,
    response: Response,
    state: StateOf,
    moment: Received,
) -> ParticipationView:
    """Begin: the time runs from here. Started again while it runs, it goes on here, and the device it ran on is told."""
    async with state.db.write() as session:
        door = await taking.knock_up_to_date(session, token, state, moment)
        account = await taking.start(session, door, body, state.shelf, moment)
        await enter_with(session, request, response, state, account, TAKING)
        run = await taking.take_over(session, account.id, (await origin_of(request)).agent, moment)
        shown = await views.participation(session, run, state, moment)
    if door.run is not None:
        response.status_code = status.HTTP_200_OK
    state.dispatcher.wake()
    state.hub.stir(account.id)
    return shown


@router.get("/participation", responses=errors(*READ))
async def get_participation(at_work: AtWork) -> ParticipationView:
    """Where it stands: the clock, sections, items, and what was sent."""
    async with at_work.run() as (session, run):
        return await views.participation(session, run, at_work.state, at_work.moment)


@router.get(
    "/participation/events",
    response_class=StreamingResponse,
    responses={
        **errors(*READ),
        200: {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}},
    },
)
async def stream_participation_events(caller: Candidate, state: StateOf) -> StreamingResponse:
    """Follow the participation: `state` (deadline, end, how many answers are judged) now and after every change, `taken_over`
    when it goes on on another device, after which the stream ends.
    """
    stream.require_room(state, caller.account.id)
    return await stream.answer(live.tell(state, caller))


@router.post("/participation/items/{position}/open", responses=errors(*WRITE))
async def open_item(position: Position, at_work: AtWork) -> OpenedItem:
    """Read an item. A section's own time runs from the first opening of one of its items. What was opened can be read again."""
    async with at_work.in_time(position) as (session, run):
        item = run.item(position)
        await work.open_item(session, run, item, at_work.state, at_work.moment)
        return await views.item_view(session, run, item, at_work.state)


@router.put("/participation/items/{position}/draft", responses=errors(*KEEP))
async def autosave(position: Position, body: Autosave, at_work: AtWork) -> Saved:
    """Keep what is written, with the edits since the last time. What is kept at the deadline counts as an answer."""
    work.check(body, at_work.state.settings.source_kb)
    async with at_work.in_time(position) as (session, run):
        item = item_of(run, position, "challenge")
        service.require_time(run, item, at_work.moment)
        draft = await work.save(session, run, item, body, at_work.moment)
        left_s = clock.left_s(at_work.moment, run.end)
        return Saved(revision=draft.revision, saved_at=draft.saved_at, deadline=run.end, left_s=left_s)


async def sent(at_work: Working, position: int, body: NewAttempt | NewSnippet) -> SubmissionView:
    """Have something judged or run while there is time for the item."""
    async with at_work.in_time(position) as (session, run):
        item = item_of(run, position, "challenge")
        service.require_time(run, item, at_work.moment)
        stored = await work.send(session, item, body, at_work.state, at_work.caller)
        shown = views.submission(run, submission_views.view(stored.submission, stored.judging, None))
    at_work.state.dispatcher.wake()
    return shown


@router.post("/participation/items/{position}/submissions", status_code=201, responses=errors(*SEND))
async def send_answer(position: Position, body: NewAttempt, at_work: AtWork) -> SubmissionView:
    """Send an answer: `run` judges the samples, `submit` counts. What is under way at the deadline counts."""
    return await sent(at_work, position, body)


@router.get("/participation/submissions/{submission_id}", responses=errors(*READ, submissions.SubmissionNotFound))
async def get_sent_answer(submission_id: Id, at_work: AtWork) -> SubmissionView:
    """What became of an answer. Its verdict may be kept back until the end; samples are shown at once."""
    async with at_work.run() as (session, run):
        found, row = await submissions.find(session, submission_id, at_work.caller)
        return views.submission(run, submission_views.view(found, row, None))


@router.post("/participation/items/{position}/answers", status_code=201, responses=errors(*ANSWER))
async def answer_item(position: Position, body: NewAnswer, at_work: AtWork) -> Answered:
    """Answer a question of a quiz. It counts once."""
    async with at_work.run() as (session, run):
        item = item_of(run, position, "quiz")
        service.require_time(run, item, at_work.moment)
        mark = await work.answer(session, item, body, at_work.state)
        return Answered(question=body.question, mark=mark if run.shows_verdicts else None)


@router.post("/participation/items/{position}/signals", status_code=204, responses=errors(*WORK))
async def note_signals(position: Position, body: NewSignals, at_work: AtWork) -> Response:
    """The page of a quiz was left or entered. Only what was announced is kept."""
    async with at_work.in_time(position) as (session, run):
        item = item_of(run, position, "quiz")
        service.require_time(run, item, at_work.moment)
        await work.note(session, run, item, body.signals, at_work.moment)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/participation/finish", responses=errors(CrossSite, *READ))
async def finish_participation(at_work: AtWork) -> ParticipationView:
    """End it before the deadline: what was written last is sent. Finishing twice is harmless."""
    async with at_work.run() as (session, run):
        if run.row.finished_at is None:
            await service.finish(session, run, at_work.state, "candidate", at_work.moment)
        shown = await views.participation(session, run, at_work.state, at_work.moment)
    at_work.state.dispatcher.wake()
    return shown


def item_of(run: Run, position: int, kind: str) -> ParticipationItem:
    """An item of this kind that is opened. Raises `ItemNotFound`, `OtherKind`, `NotOpened`."""
    item = run.item(position)
    work.require(item, kind)
    return item
