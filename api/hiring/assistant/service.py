"""Decides whether a candidate may ask the assistant, keeps the budget, and reads conversations. A candidate has one running
question at a time, so that the budget cannot be overdrawn by asking several at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.schemas import view as challenge_view
from api.external_service_settings import AssistantEndpoint
from api.hiring.assistant import prompt
from api.hiring.assistant.chat_completions import FAILURES
from api.hiring.assistant.models import AssistantDeclaration, AssistantMessage
from api.hiring.assistant.prompt import Message
from api.hiring.assistant.schemas import Declaration, MessageView, NewQuestion, Transcript
from api.hiring.participations.models import ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.taking import views
from api.hiring.taking.candidate_request import CandidateRequest
from api.hiring.taking.work import ItemWithdrawn
from api.judging.intake import views as submission_views
from api.judging.intake.schemas import SubmissionView
from api.judging.intake.service import listing
from api.judging.submissions.models import Judging, Submission
from api.kit.errors import ApiError
from api.kit.ids import new_id
from grader.contract.job import Kind

# After the longest time for a reply and this many seconds, nobody writes a running reply any more: the service was killed.
LOST_AFTER_S = 60
# Results that are looked at to find the newest one that the candidate can see.
RESULTS = 5


class AssistantNotAllowed(ApiError):
    """The section of the item does not provide an assistant."""

    status, code = 409, "assistant_not_allowed"


class AssistantMissing(ApiError):
    """The operator has set up no assistant."""

    status, code = 409, "assistant_missing"


class AssistantBusy(ApiError):
    """The assistant is still replying to this candidate."""

    status, code = 409, "assistant_busy"


class AssistantBudgetSpent(ApiError):
    """The message would cost more tokens than are left."""

    status, code = 409, "assistant_budget_spent"


@dataclass(frozen=True)
class AskedQuestion:
    """A stored question, what to send to the endpoint, and the longest reply in tokens."""

    row: AssistantMessage
    messages: list[Message]
    most_tokens: int


def require_assistant(endpoint: AssistantEndpoint | None) -> AssistantEndpoint:
    """Return the endpoint. Raises `AssistantMissing`."""
    if endpoint is None:
        raise AssistantMissing("This site has no assistant at the moment. Tell the team; you can go on without it.")
    return endpoint


async def ask(
    session: AsyncSession,
    run: LoadedParticipation,
    item: ParticipationItem,
    asked: NewQuestion,
    endpoint: AssistantEndpoint,
    request: CandidateRequest,
) -> AskedQuestion:
    """Store a question. Before the call, lock the participation and check that its time is not over. Raises `ItemWithdrawn` and
    the errors of this module.
    """
    if run.section(item.section_key).assistant != "provided":
        raise AssistantNotAllowed("This section provides no assistant.")
    moment, challenge = request.moment, request.store.pinned(item.name, item.digest)
    if challenge is None:
        raise ItemWithdrawn
    rows = await messages_of(session, run.row.id)
    if any(_state(row, endpoint, moment) == "running" for row in rows):
        raise AssistantBusy("The assistant is still replying to your last question. Wait until it has ended.")
    here = [row for row in rows if row.position == item.position and row.state in ("answered", "cut")]
    result = await _visible_result(session, run, item, moment)
    sent = prompt.messages(challenge_view(challenge), asked.source, result, here, asked.question)
    cost, left = prompt.estimated_tokens(*(each["content"] for each in sent)), endpoint.tokens - used_tokens(rows)
    if left <= cost:
        raise AssistantBudgetSpent(
            f"This message would cost about {cost:,} tokens, and you have {max(0, left):,} left. The statement, your code and "
            "the conversation are sent along and count."
        )
    row = AssistantMessage(
        id=new_id(),
        participation_id=run.row.id,
        position=item.position,
        asked_at=moment,
        ended_at=None,
        question=asked.question,
        reply="",
        state="running",
        failure="",
        tokens=cost,
        model=endpoint.model,
    )
    session.add(row)
    return AskedQuestion(row, sent, min(endpoint.reply_tokens, left - cost))


async def _visible_result(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, moment: datetime
) -> SubmissionView | None:
    """Return the newest result of the item whose verdict the candidate can see, as they see it."""
    query = listing(run.row.account_id, item.name, "", "").where(Submission.kind.in_([Kind.RUN, Kind.SUBMIT]))
    for found, row in await session.execute(query.options(undefer(Judging.judgement)).limit(RESULTS)):
        shown = views.submission(run, submission_views.view(found, row, None), moment)
        if shown.verdict is not None:
            return shown
    return None


async def messages_of(session: AsyncSession, participation_id: str) -> Sequence[AssistantMessage]:
    """Return all messages of a participation, in order."""
    query = select(AssistantMessage).where(AssistantMessage.participation_id == participation_id)
    return (await session.scalars(query.order_by(AssistantMessage.id))).all()


def used_tokens(rows: Sequence[AssistantMessage]) -> int:
    return sum(row.tokens for row in rows)


def message_view(row: AssistantMessage, endpoint: AssistantEndpoint | None, moment: datetime) -> MessageView:
    state = _state(row, endpoint, moment)
    failure = FAILURES[row.failure or "interrupted"] if state == "failed" else None
    return MessageView.model_validate(
        {
            "id": row.id,
            "position": row.position,
            "asked_at": row.asked_at,
            "ended_at": row.ended_at,
            "question": row.question,
            "reply": row.reply,
            "state": state,
            "failure": failure,
            "tokens": row.tokens,
            "model": row.model,
        }
    )


def _state(row: AssistantMessage, endpoint: AssistantEndpoint | None, moment: datetime) -> str:
    """Return the state of a message. One that no process writes any more has failed."""
    longest = timedelta(seconds=(endpoint.reply_s if endpoint else 0) + LOST_AFTER_S)
    return "failed" if row.state == "running" and moment - row.asked_at > longest else row.state


def asks_for_declaration(run: LoadedParticipation) -> bool:
    """Return whether the candidate is asked how they used an assistant of their own."""
    given = {item.section_key for item in run.items}
    return any(section.assistant == "own" and section.key in given for section in run.plan.sections)


async def declaration_of(session: AsyncSession, run: LoadedParticipation) -> Declaration | None:
    """Return what the candidate said about an assistant of their own, or None if they are not asked."""
    if not asks_for_declaration(run):
        return None
    row = await session.get(AssistantDeclaration, run.row.id)
    return Declaration(text=row.text if row else "", written_at=row.written_at if row else None)


async def declare(session: AsyncSession, run: LoadedParticipation, text: str, moment: datetime) -> Declaration:
    """Store what the candidate says about an assistant of their own. Raises `AssistantNotAllowed`."""
    if not asks_for_declaration(run):
        raise AssistantNotAllowed("This assessment does not ask about an assistant of your own.")
    text = text.strip()
    row = await session.get(AssistantDeclaration, run.row.id)
    if not text:
        if row is not None:
            await session.delete(row)
        return Declaration(text="", written_at=None)
    if row is None:
        session.add(AssistantDeclaration(participation_id=run.row.id, text=text, written_at=moment))
    else:
        row.text, row.written_at = text, moment
    return Declaration(text=text, written_at=moment)


async def transcript(
    session: AsyncSession, run: LoadedParticipation, endpoint: AssistantEndpoint | None, moment: datetime
) -> Transcript:
    """Return all conversations of a participation, for the team."""
    rows = await messages_of(session, run.row.id)
    return Transcript(
        messages=[message_view(row, endpoint, moment) for row in rows],
        declaration=await declaration_of(session, run),
        tokens=used_tokens(rows),
    )
