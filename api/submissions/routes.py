"""Sending source, following its judging, reading results."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response, status
from fastapi.responses import StreamingResponse

from api.accounts.credentials import Identity
from api.accounts.identity import Caller, RequestOrigin
from api.audit import service as audit
from api.audit.service import Acting, Action, Actor
from api.bodies import JsonRoute
from api.catalogue.service import ChallengeNotFound
from api.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.events import parse_event_id
from api.ids import Id
from api.judging import queue
from api.judging.models import Judging, Status
from api.judging.story import read_judgement
from api.pagination import decode_cursor, encode_cursor
from api.state import State, StateOf
from api.submissions import intake, service, stream, views
from api.submissions.intake import Sent
from api.submissions.models import Submission
from api.submissions.schemas import (
    Kind,
    Limit,
    NewScratch,
    NewSubmission,
    SourceView,
    SubmissionCard,
    SubmissionPage,
    SubmissionView,
    Wait,
)
from api.text import CleanText
from grader.job import Kind as JobKind

router = APIRouter(tags=["submissions"], route_class=JsonRoute)
KEY = Header(max_length=200, min_length=1, pattern=r"^[\x21-\x7e]+$", description="Sent twice, stored once.")
IdempotencyKey = Annotated[str | None, KEY]
REFUSALS = errors(
    CrossSite,
    NotSignedIn,
    ChallengeNotFound,
    intake.KeyReused,
    intake.SourceTooLarge,
    intake.DeviceNotOffered,
    intake.NoSamples,
    TooManyRequests,
)
REPEATED: dict[int | str, dict[str, Any]] = {
    200: {"model": SubmissionView, "description": "It was sent before: the same one."}
}
EVENT = {
    "type": "object",
    "description": "One event; `data` is JSON. Without an id it is a passing hint.",
    "properties": {
        "id": {"type": "string"},
        "event": {"enum": ["queued", "judging", "test", "judged", "cancelled"]},
        "data": {"type": "string"},
    },
    "required": ["event", "data"],
}
OWN = errors(NotSignedIn, service.SubmissionNotFound)


@router.post("/submissions", status_code=201, response_model=SubmissionView, responses={**REFUSALS, **REPEATED})
async def create_submission(
    body: NewSubmission, caller: Caller, state: StateOf, response: Response, idempotency_key: IdempotencyKey = None
) -> SubmissionView:
    """Send an answer. 201 comes after it is stored; follow it at `/api/submissions/{id}/events`."""
    sent = _sent(caller, JobKind(body.kind), body, "", idempotency_key)
    return await _take_in(state, body.slug, sent, response)


@router.post("/scratch", status_code=201, response_model=SubmissionView, responses={**REFUSALS, **REPEATED})
async def create_scratch(
    body: NewScratch, caller: Caller, state: StateOf, response: Response, idempotency_key: IdempotencyKey = None
) -> SubmissionView:
    """Run a snippet of your own after your source and see what it prints."""
    sent = _sent(caller, JobKind.SCRATCH, body, body.snippet, idempotency_key)
    return await _take_in(state, body.slug, sent, response)


@router.get("/submissions", response_model=SubmissionPage, responses=errors(NotSignedIn, BadCursor))
async def list_submissions(
    caller: Caller,
    state: StateOf,
    slug: Annotated[str, Query(max_length=100), CleanText] = "",
    kind: Kind | None = None,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[Limit, Query()] = 50,
) -> SubmissionPage:
    """Your submissions, newest first, without their source."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(caller.account.id, slug, kind or "", before).limit(limit + 1)
    async with state.db.read() as session:
        rows = (await session.execute(query)).all()
    items: list[SubmissionCard] = [views.card(submission, row) for submission, row in rows[:limit]]
    return SubmissionPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/submissions/{submission_id}", response_model=SubmissionView, responses=OWN)
async def get_submission(submission_id: Id, caller: Caller, state: StateOf) -> SubmissionView:
    """A submission with status, verdict and the result of every test."""
    async with state.db.read() as session:
        submission, row = await service.find(session, submission_id, caller)
        place = await queue.place(session, row) if row.status == Status.QUEUED else None
    return _view(state, submission, row, place)


@router.get("/submissions/{submission_id}/source", response_model=SourceView, responses=OWN)
async def get_submission_source(submission_id: Id, caller: Caller, state: StateOf, origin: RequestOrigin) -> SourceView:
    """What was sent. An admin who reads what somebody else sent is put on record."""
    async with state.db.read() as session:
        submission, _ = await service.find(session, submission_id, caller)
        text = await service.source_of(session, submission_id)
    if submission.account_id != caller.account.id:
        async with state.db.write() as session:
            audit.record(session, Actor(caller, origin.address), Action.READ_SOURCE, submission_id)
    return SourceView(source=text.source, snippet=text.snippet)


@router.get(
    "/submissions/{submission_id}/events",
    response_class=StreamingResponse,
    responses={
        **errors(NotSignedIn, service.SubmissionNotFound, TooManyRequests),
        200: {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}},
    },
)
async def stream_submission_events(
    submission_id: Id, caller: Caller, state: StateOf, last_event_id: Annotated[str | None, Header()] = None
) -> StreamingResponse:
    """Follow a submission: `queued` (position, expected wait), `judging`, `test` for each test, then `judged` or
    `cancelled`, after which the stream ends. Resumes after `Last-Event-ID`; told whole to those who come late.
    """
    stream.require_room(state, caller.account.id)
    return await stream.answer(stream.tell(state.dispatcher, submission_id, caller, parse_event_id(last_event_id)))


@router.post(
    "/submissions/{submission_id}/cancel",
    response_model=SubmissionView,
    responses=errors(CrossSite, NotSignedIn, service.SubmissionNotFound, service.AlreadyFinished),
)
async def cancel_submission(submission_id: Id, caller: Caller, state: StateOf, origin: RequestOrigin) -> SubmissionView:
    """Take a submission out of the queue, or stop its judging. Cancelling twice is harmless."""
    async with state.db.write() as session:
        submission, row = await service.find(session, submission_id, caller)
        cancelled = await service.cancel(session, row)
        if cancelled and submission.account_id != caller.account.id:
            audit.record(session, Actor(caller, origin.address), Action.CANCEL, submission_id)
    if cancelled:
        state.dispatcher.cancel(row)
    return _view(state, submission, row, None)


@router.post(
    "/submissions/{submission_id}/rejudge",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=SubmissionView,
    responses=errors(
        CrossSite, NotSignedIn, Forbidden, service.SubmissionNotFound, ChallengeNotFound, service.NotFinished
    ),
)
async def rejudge_submission(submission_id: Id, actor: Acting, state: StateOf) -> SubmissionView:
    """Have a submission judged again with the same seed; the earlier judging is kept, marked superseded."""
    async with state.db.write() as session:
        submission, row = await service.find(session, submission_id, actor.identity)
        package = state.shelf.catalogue.get(submission.slug).package
        await service.rejudge(session, row, package, read_judgement(row))
        audit.record(session, actor, Action.REJUDGE, submission_id, before=row.verdict or row.status)
    state.dispatcher.wake()
    return await get_submission(submission_id, actor.identity, state)


def _sent(caller: Identity, kind: JobKind, body: NewSubmission | NewScratch, snippet: str, key: str | None) -> Sent:
    account = caller.account
    return Sent(account.id, kind, body.device, body.source, snippet, key, account.role)


async def _take_in(state: State, slug: str, sent: Sent, response: Response) -> SubmissionView:
    package = state.shelf.catalogue.get(slug).package
    intake.check(sent, package, state.settings)
    stored = await state.intake.submit(sent, package)
    if stored.position is not None:
        state.dispatcher.wake()
    else:
        response.status_code = status.HTTP_200_OK
    response.headers["Location"] = f"/api/submissions/{stored.submission.id}"
    return _view(state, stored.submission, stored.judging, stored.position)


def _view(state: State, submission: Submission, row: Judging, place: int | None) -> SubmissionView:
    wait = Wait.model_validate(state.dispatcher.nodes.wait(place, row.device)) if place else None
    return views.view(submission, row, wait)
