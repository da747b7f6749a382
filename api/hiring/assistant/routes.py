"""Routes for candidates: ask the assistant, read the conversation, and declare how they used their own assistant."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT

from api.external_service_settings import AssistantEndpoint
from api.hiring.assistant import service
from api.hiring.assistant.models import AssistantMessage
from api.hiring.assistant.replies import AssistantRepliesDep, LiveReply
from api.hiring.assistant.schemas import Budget, Conversation, Declaration, NewDeclaration, NewQuestion
from api.hiring.participations.service import ItemNotFound, require_time
from api.hiring.taking.candidate_request import FromCandidate, Position
from api.hiring.taking.routes import READ, WORK, item_of
from api.hiring.taking.work import require_source_size
from api.judging.intake import intake, stream
from api.judging.submissions.events import make_event
from api.kit.db.database import Database
from api.kit.errors import CrossSite, errors
from api.kit.http.json_body import JsonRoute

router = APIRouter(tags=["participations"], route_class=JsonRoute, prefix="/participation")
ASK = (
    *WORK,
    intake.SourceTooLarge,
    service.AssistantNotAllowed,
    service.AssistantMissing,
    service.AssistantBusy,
    service.AssistantBudgetSpent,
)
EVENT = {
    "type": "object",
    "description": "One event; `data` is JSON.",
    "properties": {"event": {"enum": ["text", "end"]}, "data": {"type": "string"}},
    "required": ["event", "data"],
}
STREAMED = {"description": "Server-sent events", "content": {"text/event-stream": {"schema": EVENT}}}


@router.post("/items/{position}/assistant", response_class=StreamingResponse, responses={**errors(*ASK), 200: STREAMED})
async def ask_assistant(
    position: Position, body: NewQuestion, work_request: FromCandidate, replies: AssistantRepliesDep
) -> StreamingResponse:
    """Ask the assistant about a challenge. The events `text` have the parts of the reply (`text`) as they arrive. The event
    `end` has the whole message and the budget. The reply is written to its end even if this connection is lost; read the
    conversation then.
    """
    endpoint = service.require_assistant(work_request.settings.assistant)
    require_source_size(body.source, work_request.settings.source_kb)
    async with work_request.in_time(position) as (session, run):
        item = item_of(run, position, "challenge")
        require_time(run, item, work_request.moment)
        asked = await service.ask(session, run, item, body, endpoint, work_request)
    live = replies.write(work_request.db, endpoint, asked.row, asked.messages, asked.most_tokens)
    frames = _frames(work_request.db, live, asked.row, endpoint, work_request.settings.keep_alive_s)
    return await stream.answer(frames)


async def _frames(
    db: Database, live: LiveReply, row: AssistantMessage, endpoint: AssistantEndpoint, keep_alive_s: float
) -> AsyncIterator[bytes]:
    yield KEEPALIVE_COMMENT
    async for part in live.parts(keep_alive_s):
        yield make_event("text", None, {"text": part}).frame if part else KEEPALIVE_COMMENT
    async with db.read() as session:
        rows = await service.messages_of(session, row.participation_id)
    message = next((each for each in rows if each.id == row.id), None)
    if message is not None:
        shown = service.message_view(message, endpoint, row.asked_at).model_dump(mode="json")
        yield make_event("end", None, {"message": shown, "used": service.used_tokens(rows)}).frame


@router.get("/items/{position}/assistant", responses=errors(*READ, ItemNotFound))
async def get_conversation(position: Position, work_request: FromCandidate) -> Conversation:
    """Return the conversation about an item, and the budget. It can be read after the end, too."""
    endpoint = work_request.settings.assistant
    async with work_request.run() as (session, run):
        run.item_for_candidate(position)
        rows = await service.messages_of(session, run.row.id)
    return Conversation(
        messages=[service.message_view(row, endpoint, work_request.moment) for row in rows if row.position == position],
        budget=Budget(used=service.used_tokens(rows), tokens=endpoint.tokens) if endpoint else None,
    )


@router.get("/assistant-declaration", responses=errors(*READ))
async def get_declaration(work_request: FromCandidate) -> Declaration | None:
    """Return what you said about an assistant of your own, or null if no section of the assessment allows one."""
    async with work_request.run() as (session, run):
        return await service.declaration_of(session, run)


@router.put("/assistant-declaration", responses=errors(CrossSite, *READ, service.AssistantNotAllowed))
async def declare_assistant(body: NewDeclaration, work_request: FromCandidate) -> Declaration:
    """Say how you used an assistant of your own. It can be said and changed after the end, too."""
    async with work_request.run() as (session, run):
        return await service.declare(session, run, body.text, work_request.moment)
