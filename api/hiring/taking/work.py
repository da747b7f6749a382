"""Implements work on an assessment: opening an item, saving, submitting, and answering questions. The caller must have locked
the participation. After that, the caller must either have called `bring_up_to_date`, or have checked with `has_time` that the
item's time is not over.
"""

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.participations import service
from api.hiring.participations.models import (
    ParticipationDraft,
    ParticipationEdit,
    ParticipationItem,
    ParticipationSignal,
)
from api.hiring.participations.service import LoadedParticipation
from api.hiring.plans import questions
from api.hiring.plans.plan import question_of
from api.hiring.plans.questions import TextAnswer
from api.hiring.taking.schemas import BATCH_KB, Autosave, NewAttempt, NewSnippet, Signal
from api.identity.sessions.credentials import Identity
from api.judging.intake import intake
from api.judging.intake.default_device import default_device
from api.judging.intake.intake import SourceTooLarge, Stored, SubmissionData
from api.kit.db.database import Moment
from api.kit.db.prepared import Prepared, detached
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.practice.quizzes import service as quizzes
from api.practice.quizzes.models import QuizAttempt
from api.practice.quizzes.schemas import MarkView, NewAnswer
from api.settings import Settings
from grader.content.quizzes.quiz import Quiz
from grader.contract.job import Kind

SIGNALS = 5000
DRAFT = Prepared(
    select(*ParticipationDraft.__table__.columns).where(
        ParticipationDraft.participation_id == bindparam("participation_id"),
        ParticipationDraft.position == bindparam("position"),
    )
)
SAVE = Prepared(
    text("""
    INSERT INTO participation_draft (participation_id, position, source, revision, saved_at)
        VALUES (:participation_id, :position, :source, :revision, :saved_at)
    ON CONFLICT (participation_id, position) DO UPDATE
        SET source = excluded.source, revision = excluded.revision, saved_at = excluded.saved_at
""").bindparams(bindparam("saved_at", type_=Moment))
)
EDIT = Prepared(
    select(ParticipationEdit.sequence).where(
        ParticipationEdit.participation_id == bindparam("participation_id"),
        ParticipationEdit.position == bindparam("position"),
        ParticipationEdit.sequence == bindparam("sequence"),
    )
)
EDITS = ParticipationEdit.metadata.tables["participation_edit"]
ADD_EDIT = Prepared(insert(EDITS), *EDITS.columns.keys())
# Maps each kind of signal to the entry that the plan's `recorded` must contain, so that signals of this kind are stored.
RECORDED = {"paste": "pastes", "blur": "focus", "focus": "focus"}


class BatchTooLarge(ApiError):
    """The edits in the batch exceed the maximum size."""

    status, code = 413, "batch_too_large"


class DraftMovedOn(ApiError):
    """Another browser page has already saved a batch of edits with this sequence number."""

    status, code = 409, "draft_moved_on"


class NotOpened(ApiError):
    """The item was not opened yet. Opening it starts the time of its section."""

    status, code = 409, "item_not_opened"


class WrongItemKind(ApiError):
    """The item is of another kind than the request needs, for example a quiz instead of a challenge."""

    status, code = 409, "other_kind"


class Submitted(ApiError):
    """A submitted answer counts, so it cannot be cancelled."""

    status, code = 409, "submitted"


class ItemWithdrawn(ApiError):
    """The challenge or quiz is no longer available, or the quiz has changed since the candidate opened it."""

    status, code = 409, "item_withdrawn"

    def __init__(self) -> None:
        super().__init__("This item was removed from the catalogue. Continue with the others, and tell the team.")


async def open_item(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, store: CatalogueStore, moment: datetime
) -> None:
    """Store when the item was first opened, and begin an attempt if the item is marked like a quiz. Opening an item again
    changes nothing, and is possible after the end. Raises `TimeIsOver`, `ItemWithdrawn`.
    """
    if item.opened_at is not None:
        return
    service.require_time(run, item, moment)
    if item.kind == "challenge":
        if store.pinned(item.name, item.digest) is None:
            raise ItemWithdrawn
    elif quiz := quiz_of(run, item, store):
        item.attempt_id = (await quizzes.add_attempt(session, run.row.account_id, item.name, quiz)).id
    item.opened_at = moment


def quiz_of(run: LoadedParticipation, item: ParticipationItem, store: CatalogueStore) -> Quiz | None:
    """Return the quiz of an item, or None for a question that is answered with a text. Raises `ItemWithdrawn`."""
    if question := question_of(run.plan, item.kind, item.name):
        return questions.quiz_of(item.name, question)
    topic = store.catalogue.topics.get(item.name)
    if topic is None or topic.quiz is None:
        raise ItemWithdrawn
    return topic.quiz


async def save(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, batch: Autosave, moment: datetime
) -> ParticipationDraft:
    """Save a draft and the edits that led to it. Saving a batch that is already stored changes nothing. A batch that arrives
    after a newer one does not replace the draft.

    Raises `DraftMovedOn` if the newest stored batch has the same number but another source.
    """
    key = {"participation_id": run.row.id, "position": item.position}
    stored = await DRAFT.rows(session, **key)
    draft = ParticipationDraft(**key, source="", revision=0, saved_at=moment)
    if stored:
        draft = detached(ParticipationDraft, stored[0])
    if batch.sequence == draft.revision and batch.source != draft.source:
        raise DraftMovedOn("Another page of yours saved this draft in the meantime. Open the item again to see both.")
    keeps_edits = "edits" in run.plan.recorded
    is_newer = batch.sequence > draft.revision
    if keeps_edits and not is_newer and await EDIT.rows(session, **key, sequence=batch.sequence):
        return draft
    if batch.sequence == draft.revision or (batch.sequence < draft.revision and not keeps_edits):
        return draft
    if is_newer:
        draft.source, draft.revision, draft.saved_at = batch.source, batch.sequence, moment
        await SAVE.rows(session, **key, source=draft.source, revision=draft.revision, saved_at=moment)
    if keeps_edits:
        events = json.dumps([edit.model_dump(by_alias=True) for edit in batch.edits], ensure_ascii=False)
        await ADD_EDIT.rows(session, **key, sequence=batch.sequence, at=moment, events=events)
    await record_signals(session, run, item, batch.signals, moment)
    return draft


def require_size(batch: Autosave, source_kb: int) -> None:
    """Raise `SourceTooLarge` or `BatchTooLarge` if the source or the edits are too large."""
    require_source_size(batch.source, source_kb)
    if (size := sum(len(edit.text.encode()) + 60 for edit in batch.edits)) > BATCH_KB * 1024:
        raise BatchTooLarge(
            f"The edits have {size:,} bytes; at most {BATCH_KB} KiB are allowed in one batch. Send them in parts."
        )


def require_source_size(source: str, source_kb: int) -> None:
    """Raise `SourceTooLarge` if the source is too large."""
    if (size := len(source.encode())) > source_kb * 1024:
        raise SourceTooLarge(f"The source has {size:,} bytes; at most {source_kb} KiB are allowed.")


def require_text_fits(run: LoadedParticipation, item: ParticipationItem, text: str) -> None:
    """Raise `SourceTooLarge` if a text is longer than its question allows, or `WrongItemKind` if the question asks for none."""
    question = question_of(run.plan, item.kind, item.name)
    if question is None:
        return
    if not isinstance(question.answer, TextAnswer):
        raise WrongItemKind("This question is not answered with a text. Submit an answer instead.")
    if len(text) > question.answer.max_length:
        raise SourceTooLarge(
            f"The text has {len(text):,} characters; at most {question.answer.max_length:,} are allowed. Shorten it."
        )


async def send(
    session: AsyncSession,
    item: ParticipationItem,
    attempt: NewAttempt | NewSnippet,
    settings: Settings,
    store: CatalogueStore,
    caller: Identity,
) -> Stored:
    """Queue an answer to a challenge, or a snippet. Raises `ItemWithdrawn`, and what `intake` raises."""
    challenge = store.pinned(item.name, item.digest)
    if challenge is None:
        raise ItemWithdrawn
    account = caller.account
    snippet = attempt.snippet if isinstance(attempt, NewSnippet) else ""
    kind = Kind.SCRATCH if isinstance(attempt, NewSnippet) else Kind(attempt.kind)
    device = attempt.device or default_device(challenge.package)
    sent = SubmissionData(account.id, kind, device, attempt.source, snippet, None, account.role)
    intake.check(sent, challenge.package, settings)
    return await intake.submit(session, sent, challenge.package, settings)


async def answer(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, given: NewAnswer, store: CatalogueStore
) -> MarkView:
    """Store an answer to a question, which can be answered once. Raises `WrongItemKind`, `ItemWithdrawn`, and what `quizzes`
    raises.
    """
    quiz = quiz_of(run, item, store)
    if quiz is None:
        raise WrongItemKind("This question is answered with a text. Save it as the draft of the item.")
    attempt = await session.get(QuizAttempt, item.attempt_id or "")
    if attempt is None or attempt.digest != quiz.digest:
        raise ItemWithdrawn
    mark = quizzes.marked(quiz, given.question, given.answer)
    return await quizzes.store(session, attempt, quiz, given.question, mark)


def require_kind(item: ParticipationItem, *kinds: str) -> None:
    """Raise `WrongItemKind` unless the item is of one of these kinds."""
    if item.kind not in kinds:
        wanted = " or a ".join(kinds)
        raise WrongItemKind(f"This item is a {item.kind}, not a {wanted}.")


def require_open_item(item: ParticipationItem, *kinds: str) -> None:
    """Raise `WrongItemKind` or `NotOpened` unless the item is of one of these kinds and was opened."""
    require_kind(item, *kinds)
    if item.opened_at is None:
        raise NotOpened("Open this item first.")


async def record_signals(
    session: AsyncSession,
    run: LoadedParticipation,
    item: ParticipationItem,
    signals: Sequence[Signal],
    moment: datetime,
) -> None:
    """Store the signals that the plan records. A participation can have at most SIGNALS signals; further ones are discarded."""
    recorded = [signal for signal in signals if RECORDED[signal.kind] in run.plan.recorded]
    if not (wanted := await _not_yet_there(session, run, recorded)):
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


async def _not_yet_there(session: AsyncSession, run: LoadedParticipation, signals: Sequence[Signal]) -> list[Signal]:
    """Return the signals that are not stored yet. A signal whose key is already stored was sent again because its response was
    lost.
    """
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
