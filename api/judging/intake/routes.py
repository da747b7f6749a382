"""Routes to send source, follow its judging, and read results."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response, status
from fastapi.responses import StreamingResponse

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep, InYourAssessment
from api.identity.audit import service as audit
from api.identity.audit.service import Acting, Action, Actor
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import Caller, RequestOrigin
from api.judging.dispatch.dispatcher import Dispatcher, DispatcherDep
from api.judging.intake import intake, service, stream, views
from api.judging.intake.batching import SubmissionWriter, SubmissionWriterDep
from api.judging.intake.default_device import default_device
from api.judging.intake.intake import SubmissionData
from api.judging.intake.schemas import (
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
from api.judging.queue import order
from api.judging.submissions.events import EventHubDep, parse_event_id
from api.judging.submissions.history import read_judgement
from api.judging.submissions.models import Judging, Status, Submission
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, IdempotencyKey, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from grader.content.package import Package
from grader.contract.job import Kind as JobKind

router = APIRouter(tags=["submissions"], route_class=JsonRoute)
REFUSALS = errors(
    CrossSite,
    NotSignedIn,
    ChallengeNotFound,
    intake.KeyReused,
    intake.SourceTooLarge,
    intake.DeviceNotOffered,
    intake.NoSamples,
    TooManyRequests,
    InYourAssessment,
)
REPEATED: dict[int | str, dict[str, Any]] = {
    200: {"model": SubmissionView, "description": "The same submission was sent before; it is returned."}
}
EVENT = {
    "type": "object",
    "description": "One event; `data` is JSON. An event without an id is a temporary hint.",
    "properties": {
        "id": {"type": "string"},
        "event": {"enum": ["queued", "judging", "test", "judged", "cancelled"]},
        "data": {"type": "string"},
    },
    "required": ["event", "data"],
}
OWN = errors(NotSignedIn, service.SubmissionNotFound, InYourAssessment)


@router.post("/submissions", status_code=201, response_model=SubmissionView, responses={**REFUSALS, **REPEATED})
async def create_submission(
    body: NewSubmission,
    caller: Caller,
    writer: SubmissionWriterDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    response: Response,
    embargo: EmbargoDep,
    idempotency_key: IdempotencyKey = None,
) -> SubmissionView:
    """Submit an answer to a challenge. The response is sent after the answer is stored, and does not wait for the verdict:
    follow the judging at `/api/submissions/{id}/events`.
    """
    await embargo.refuse_challenge(body.slug, "verdict")
    package = store.catalogue.get(body.slug).package
    sent = _sent(caller, package, JobKind(body.kind), body, "", idempotency_key)
    return await submit(writer, package, sent, dispatcher, response)


@router.post("/scratch", status_code=201, response_model=SubmissionView, responses={**REFUSALS, **REPEATED})
async def create_scratch(
    body: NewScratch,
    caller: Caller,
    writer: SubmissionWriterDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    response: Response,
    embargo: EmbargoDep,
    idempotency_key: IdempotencyKey = None,
) -> SubmissionView:
    """Run source code that was written for a challenge, then a snippet. No tests run. The result shows what was printed."""
    await embargo.refuse_challenge(body.slug, "scratch run")
    package = store.catalogue.get(body.slug).package
    sent = _sent(caller, package, JobKind.SCRATCH, body, body.snippet, idempotency_key)
    return await submit(writer, package, sent, dispatcher, response)


@router.get("/submissions", response_model=SubmissionPage, responses=errors(NotSignedIn, BadCursor))
async def list_submissions(
    caller: Caller,
    db: DatabaseDep,
    slug: Annotated[str, Query(max_length=100), CleanText] = "",
    kind: Kind | None = None,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[Limit, Query()] = 50,
) -> SubmissionPage:
    """Your submissions, newest first, without their source."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(caller.account.id, slug, kind or "", before).limit(limit + 1)
    async with db.read() as session:
        rows = (await session.execute(query)).all()
    items: list[SubmissionCard] = [views.card(submission, row) for submission, row in rows[:limit]]
    return SubmissionPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/submissions/{submission_id}", response_model=SubmissionView, responses=OWN)
async def get_submission(
    submission_id: Id, caller: Caller, db: DatabaseDep, dispatcher: DispatcherDep, embargo: EmbargoDep
) -> SubmissionView:
    """A submission with its status, its verdict and the result of every test."""
    submission, row = await service.look_up(db, submission_id, caller)
    place = await order.place(db, row) if row.status == Status.QUEUED else None
    await embargo.refuse_challenge(submission.slug, "verdict")
    return _view(dispatcher, submission, row, place)


@router.get("/submissions/{submission_id}/source", response_model=SourceView, responses=OWN)
async def get_submission_source(
    submission_id: Id, caller: Caller, db: DatabaseDep, origin: RequestOrigin
) -> SourceView:
    """The source of a submission. When an admin reads another account's source, the audit log records it."""
    async with db.read() as session:
        submission, _ = await service.find(session, submission_id, caller)
        text = await service.source_of(session, submission_id)
    if submission.account_id != caller.account.id:
        async with db.write() as session:
            audit.record(session, Actor(caller, origin.address), Action.READ_SOURCE, submission_id)
    return SourceView(source=text.source, snippet=text.snippet)


@router.get(
    "/submissions/{submission_id}/events",
    response_class=StreamingResponse,
    responses={
        **errors(NotSignedIn, service.SubmissionNotFound, TooManyRequests, InYourAssessment),
        200: {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}},
    },
)
async def stream_submission_events(
    submission_id: Id,
    caller: Caller,
    db: DatabaseDep,
    settings: SettingsDep,
    dispatcher: DispatcherDep,
    hub: EventHubDep,
    embargo: EmbargoDep,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Stream the events of a submission: `queued` (position, expected wait), `judging`, `test` for each test, and finally
    `judged` or `cancelled`. The stream resumes after `Last-Event-ID`; without this header, it begins with all earlier events.
    """
    stream.require_room(settings, hub, caller.account.id)
    submission, _ = await service.look_up(db, submission_id, caller)
    await embargo.refuse_challenge(submission.slug, "verdict")
    return await stream.answer(stream.frames(dispatcher, submission_id, caller, parse_event_id(last_event_id)))


@router.post(
    "/submissions/{submission_id}/cancel",
    response_model=SubmissionView,
    responses=errors(CrossSite, NotSignedIn, service.SubmissionNotFound, service.AlreadyFinished),
)
async def cancel_submission(
    submission_id: Id, caller: Caller, db: DatabaseDep, dispatcher: DispatcherDep, origin: RequestOrigin
) -> SubmissionView:
    """Cancel a submission that is queued or being judged. Cancelling it a second time changes nothing."""
    async with db.write() as session:
        submission, row = await service.find(session, submission_id, caller)
        cancelled = await service.cancel(session, row)
        if cancelled and submission.account_id != caller.account.id:
            audit.record(session, Actor(caller, origin.address), Action.CANCEL, submission_id)
    if cancelled:
        dispatcher.attempts.cancel(row)
    return _view(dispatcher, submission, row, None)


@router.post(
    "/submissions/{submission_id}/rejudge",
    status_code=status.HTTP_202_ACCEPTED,
    response_model=SubmissionView,
    responses=errors(
        CrossSite, NotSignedIn, Forbidden, service.SubmissionNotFound, ChallengeNotFound, service.NotFinished
    ),
)
async def rejudge_submission(
    submission_id: Id,
    actor: Acting,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    embargo: EmbargoDep,
) -> SubmissionView:
    """Judge a submission again with the same seed. The earlier judging is kept, but no longer counts."""
    async with db.write() as session:
        submission, row = await service.find(session, submission_id, actor.identity)
        package = store.catalogue.get(submission.slug).package
        await service.rejudge(session, row, package, read_judgement(row))
        audit.record(session, actor, Action.REJUDGE, submission_id, before=row.verdict or row.status)
    dispatcher.wake()
    return await get_submission(submission_id, actor.identity, db, dispatcher, embargo)


def _sent(
    caller: Identity,
    package: Package,
    kind: JobKind,
    body: NewSubmission | NewScratch,
    snippet: str,
    key: str | None,
) -> SubmissionData:
    account, device = caller.account, body.device or default_device(package)
    return SubmissionData(account.id, kind, device, body.source, snippet, key, account.role)


async def submit(
    writer: SubmissionWriter, package: Package, sent: SubmissionData, dispatcher: Dispatcher, response: Response
) -> SubmissionView:
    """Store a submission, tell a node about it, and return the response. A repeated request gets the status 200."""
    stored = await writer.submit(sent, package)
    if stored.position is not None:
        dispatcher.wake()
    else:
        response.status_code = status.HTTP_200_OK
    response.headers["Location"] = f"/api/submissions/{stored.submission.id}"
    return _view(dispatcher, stored.submission, stored.judging, stored.position)


def _view(dispatcher: Dispatcher, submission: Submission, row: Judging, place: int | None) -> SubmissionView:
    wait = Wait.model_validate(dispatcher.nodes.wait(place, row.device)) if place else None
    return views.view(submission, row, wait)
