"""Working on an assessment: opening an item, keeping what is written, sending it, answering questions. Who calls has locked the
participation and brought its clock up to date.
"""

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.credentials import Identity
from api.errors import ApiError
from api.ids import new_id
from api.participations import service
from api.participations.models import ParticipationDraft, ParticipationEdit, ParticipationItem, ParticipationSignal
from api.participations.schemas import BATCH_KB, Autosave, NewAttempt, NewSnippet, Signal
from api.participations.service import Run
from api.quizzes import service as quizzes
from api.quizzes.models import QuizAttempt
from api.quizzes.schemas import MarkView, NewAnswer
from api.state import State
from api.submissions import intake
from api.submissions.intake import Sent, SourceTooLarge, Stored
from grader.job import Kind
from grader.quiz import Quiz

SIGNALS = 5000
# Which signal is recorded only if the plan says what.
RECORDED = {"paste": "pastes", "blur": "focus", "focus": "focus"}


class BatchTooLarge(ApiError):
    """More edits than one batch may have."""

    status, code = 413, "batch_too_large"


class DraftMovedOn(ApiError):
    """Another page saved this draft meanwhile, so this batch is not the next one."""

    status, code = 409, "draft_moved_on"


class NotOpened(ApiError):
    """An item is worked on after it was opened: a section's time runs from there."""

    status, code = 409, "item_not_opened"


class OtherKind(ApiError):
    """A challenge is sent, a quiz is answered."""

    status, code = 409, "other_kind"


class Submitted(ApiError):
    """What was submitted counts, so it is judged."""

    status, code = 409, "submitted"


class ItemWithdrawn(ApiError):
    """What was drawn is not served any more."""

    status, code = 409, "item_withdrawn"

    def __init__(self) -> None:
        super().__init__("This item was withdrawn from the catalogue. Go on with the others, and tell the team.")


async def open_item(session: AsyncSession, run: Run, item: ParticipationItem, state: State, moment: datetime) -> None:
    """The first opening is remembered, and begins a quiz. Opening again changes nothing, and can be done after the end. Raises
    `TimeIsOver`, `ItemWithdrawn`.
    """
    if item.opened_at is not None:
        return
    service.require_time(run, item, moment)
    if item.kind == "quiz":
        attempt = await quizzes.begin_anew(session, run.row.account_id, item.name, quiz_of(item, state))
        item.attempt_id = attempt.id
    elif state.shelf.pinned(item.name, item.digest) is None:
        raise ItemWithdrawn
    item.opened_at = moment


def quiz_of(item: ParticipationItem, state: State) -> Quiz:
    """The questions of an item. Raises `ItemWithdrawn`."""
    topic = state.shelf.catalogue.topics.get(item.name)
    if topic is None or topic.quiz is None:
        raise ItemWithdrawn
    return topic.quiz


async def save(
    session: AsyncSession, run: Run, item: ParticipationItem, batch: Autosave, moment: datetime
) -> ParticipationDraft:
    """Keep a draft and the edits that led to it. A batch that is there already changes nothing, and one that comes late takes
    the place of nothing newer. Raises `DraftMovedOn` if another batch has its number.
    """
    key = (run.row.id, item.position)
    draft = await session.get(ParticipationDraft, key)
    if draft is None:
        draft = ParticipationDraft(participation_id=key[0], position=key[1], source="", revision=0, saved_at=moment)
        session.add(draft)
    if batch.sequence == draft.revision and batch.source != draft.source:
        raise DraftMovedOn("Another page of yours saved this draft meanwhile. Open the item again to see both.")
    keeps_edits = "edits" in run.plan.recorded
    is_newer = batch.sequence > draft.revision
    if keeps_edits and not is_newer and await session.get(ParticipationEdit, (*key, batch.sequence)) is not None:
        return draft
    if batch.sequence == draft.revision or (batch.sequence < draft.revision and not keeps_edits):
        return draft
    if is_newer:
        draft.source, draft.revision, draft.saved_at = batch.source, batch.sequence, moment
    if keeps_edits:
        events = json.dumps([edit.model_dump(by_alias=True) for edit in batch.edits], ensure_ascii=False)
        session.add(
            ParticipationEdit(
                participation_id=key[0], position=key[1], sequence=batch.sequence, at=moment, events=events
            )
        )
    await note(session, run, item, batch.signals, moment)
    return draft


def check(batch: Autosave, source_kb: int) -> None:
    """Refuse what is too large. Raises `SourceTooLarge`, `BatchTooLarge`."""
    if (size := len(batch.source.encode())) > source_kb * 1024:
        raise SourceTooLarge(f"The source has {size:,} bytes; at most {source_kb} KiB are kept.")
    if (size := sum(len(edit.text.encode()) + 60 for edit in batch.edits)) > BATCH_KB * 1024:
        raise BatchTooLarge(
            f"The edits have {size:,} bytes; at most {BATCH_KB} KiB are kept at once. Send them in parts."
        )


async def send(
    session: AsyncSession, item: ParticipationItem, attempt: NewAttempt | NewSnippet, state: State, caller: Identity
) -> Stored:
    """Queue an answer to a challenge, or a snippet that runs after one. Raises what `intake` raises, `ItemWithdrawn`."""
    challenge = state.shelf.pinned(item.name, item.digest)
    if challenge is None:
        raise ItemWithdrawn
    account = caller.account
    snippet = attempt.snippet if isinstance(attempt, NewSnippet) else ""
    kind = Kind.SCRATCH if isinstance(attempt, NewSnippet) else Kind(attempt.kind)
    sent = Sent(account.id, kind, attempt.device, attempt.source, snippet, None, account.role)
    intake.check(sent, challenge.package, state.settings)
    return await intake.submit(session, sent, challenge.package, state.settings)


async def answer(session: AsyncSession, item: ParticipationItem, given: NewAnswer, state: State) -> MarkView:
    """Keep an answer to a question; it counts once. Raises what `quizzes` raises, `ItemWithdrawn`."""
    quiz = quiz_of(item, state)
    attempt = await session.get(QuizAttempt, item.attempt_id or "")
    if attempt is None or attempt.digest != quiz.digest:
        raise ItemWithdrawn
    mark = quizzes.marked(quiz, given.question, given.answer)
    return await quizzes.store(session, attempt, quiz, given.question, mark)


def require_kind(item: ParticipationItem, kind: str) -> None:
    """Nothing, if an item is of this kind. Raises `OtherKind`."""
    if item.kind != kind:
        raise OtherKind(f"This item is a {item.kind}, not a {kind}.")


def require(item: ParticipationItem, kind: str) -> None:
    """Nothing, if an item is opened and of this kind. Raises `OtherKind`, `NotOpened`."""
    require_kind(item, kind)
    if item.opened_at is None:
        raise NotOpened("Open this item first.")


async def note(
    session: AsyncSession, run: Run, item: ParticipationItem, signals: Sequence[Signal], moment: datetime
) -> None:
    """Write signals down, as far as the plan says and there is room."""
    told = [signal for signal in signals if RECORDED[signal.kind] in run.plan.recorded]
    if not (wanted := await _not_yet_there(session, run, told)):
        return
    there = select(func.count()).where(ParticipationSignal.participation_id == run.row.id)
    room = max(0, SIGNALS - (await session.scalar(there) or 0))
    for signal in wanted[:room]:
        session.add(
            ParticipationSignal(
                id=new_id(),
                participation_id=run.row.id,
                position=item.position,
                kind=signal.kind,
                at=moment,
                size=signal.size,
                detail=signal.detail,
                key=signal.key,
            )
        )


async def _not_yet_there(session: AsyncSession, run: Run, signals: Sequence[Signal]) -> list[Signal]:
    """Without those whose key is there already: they were sent again because no reply had come."""
    keys = {signal.key for signal in signals if signal.key}
    if not keys:
        return list(signals)
    own = ParticipationSignal.participation_id == run.row.id
    seen = set(await session.scalars(select(ParticipationSignal.key).where(own, ParticipationSignal.key.in_(keys))))
    new = []
    for signal in signals:
        if signal.key is None or signal.key not in seen:
            new.append(signal)
            seen.add(signal.key)
    return new
