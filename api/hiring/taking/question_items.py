"""Implements items that consist of questions: their bodies for candidates and reviewers, and the lines of their own code that
candidates mark.

Marked code is stored with the answer, so that reviewers see the lines that the candidate meant, even if the code changes
afterwards.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.participations import newest_code
from api.hiring.participations.models import ParticipationDraft, ParticipationItem
from api.hiring.participations.newest_code import NewestCode
from api.hiring.participations.service import LoadedParticipation
from api.hiring.plans.pinned_items import title_of
from api.hiring.plans.plan import question_of
from api.hiring.plans.questions import TeamQuestion, TextAnswer
from api.kit.errors import ApiError
from api.practice.quizzes.schemas import MarkView, QuestionView

# The most ranges of lines in one answer.
RANGES = 50
LineNumber = Annotated[int, Field(strict=True, ge=1, le=100_000)]


class NotAboutCode(ApiError):
    """The item is no question about code, so no lines can be marked."""

    status, code = 409, "not_about_code"


class CodeChanged(ApiError):
    """The code is no longer the one that the candidate was shown."""

    status, code = 409, "code_changed"


class NoSuchLines(ApiError):
    """The code does not have all of the lines."""

    status, code = 422, "no_such_lines"


class QuizItem(BaseModel):
    """The questions of a quiz. Marks are included if the candidate may see them. `answered` lists the IDs of the answered
    questions.
    """

    topic: str
    questions: list[QuestionView]
    answered: list[str]


class Answered(BaseModel):
    """A stored answer. `mark` is included if the candidate may see it."""

    question: str
    mark: MarkView | None


class NewMarkedLines(BaseModel):
    """The marked lines, which replace those that were marked before. A range consists of its first and its last line, counted
    from 1. `digest` is the digest of the code that you were shown.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"digest": "0" * 64, "lines": [[3, 5]]}})
    digest: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    lines: Annotated[list[tuple[LineNumber, LineNumber]], Field(max_length=RANGES)]


class MarkedCode(BaseModel):
    """Code with marked lines. `lines` are ranges: the first and the last line, counted from 1. `submission_id` is the submission
    that contained the code, or null if it was a draft.
    """

    source: str
    digest: str
    submission_id: str | None
    lines: list[list[int]]


class AboutCode(BaseModel):
    """The code that a question is about. `position` and `title` are those of the challenge. `source` is the candidate's newest
    submission or, if there is none, the draft; it is empty if nothing was written. `marked` is the code whose lines the candidate
    marked. If `changed` is true, the code has changed since then.
    """

    position: int
    title: str
    source: str
    digest: str
    marked: MarkedCode | None
    changed: bool


class TextQuestion(BaseModel):
    """A question that you answer with a text of at most `max_length` characters. Your draft is the answer. If the question is
    about your own code, `about` is this code: mark the lines that you write about.
    """

    prompt: str
    max_length: int
    about: AboutCode | None


class WrittenAnswer(BaseModel):
    """A text with which a candidate answered a question. `about` is the code that the question is about, with the lines that the
    candidate marked, or null. `saved_at` is null if nothing was written.
    """

    prompt: str
    text: str
    saved_at: datetime | None
    about: AboutCode | None


class ReviewedAnswer(WrittenAnswer):
    """A text for the reviewers who grade it. `guide` is what a good answer says."""

    guide: str


def item_about(run: LoadedParticipation, question: TeamQuestion) -> ParticipationItem | None:
    """Return the item that the question is about, or None if it is about none."""
    about = question.about
    return next((item for item in run.items if about is not None and run.plan_of(item).key == about), None)


def marked_in(draft: ParticipationDraft | None) -> MarkedCode | None:
    """Return the code that was marked for an answer, or None."""
    return MarkedCode.model_validate_json(draft.marked) if draft and draft.marked else None


def is_answered_with_text(run: LoadedParticipation, item: ParticipationItem) -> bool:
    """Return whether the item is a question that is answered with a text."""
    question = question_of(run.plan, item.kind, item.name)
    return question is not None and isinstance(question.answer, TextAnswer)


async def text_question(
    session: AsyncSession,
    run: LoadedParticipation,
    item: ParticipationItem,
    draft: ParticipationDraft | None,
    store: CatalogueStore,
) -> TextQuestion | None:
    """Return a question as candidates see it, or None if the item is not answered with a text."""
    question = question_of(run.plan, item.kind, item.name)
    if question is None or not isinstance(question.answer, TextAnswer):
        return None
    about = await _about(session, run, question, draft, store)
    return TextQuestion(prompt=question.prompt, max_length=question.answer.max_length, about=about)


async def reviewed_answer(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, store: CatalogueStore
) -> ReviewedAnswer | None:
    """Return the text with which an item was answered, or None if the item is not answered with a text."""
    question = question_of(run.plan, item.kind, item.name)
    if question is None or not isinstance(question.answer, TextAnswer):
        return None
    draft = await session.get(ParticipationDraft, (run.row.id, item.position))
    return ReviewedAnswer(
        prompt=question.prompt,
        text=draft.source if draft else "",
        saved_at=draft.saved_at if draft and draft.source else None,
        about=await _about(session, run, question, draft, store),
        guide=question.answer.guide,
    )


async def _about(
    session: AsyncSession,
    run: LoadedParticipation,
    question: TeamQuestion,
    draft: ParticipationDraft | None,
    store: CatalogueStore,
) -> AboutCode | None:
    """Return the code that a question is about, or None if it is about none."""
    item = item_about(run, question)
    if item is None:
        return None
    code, marked = await newest_code.of_item(session, run.row, item), marked_in(draft)
    return AboutCode(
        position=item.position,
        title=title_of(item, store),
        source=code.source,
        digest=code.digest,
        marked=marked,
        changed=marked is not None and marked.digest != code.digest,
    )


async def mark(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, wanted: NewMarkedLines, moment: datetime
) -> None:
    """Store the marked lines of an answer. Raises `NotAboutCode`, `CodeChanged`, `NoSuchLines`."""
    question = question_of(run.plan, item.kind, item.name)
    target = item_about(run, question) if question else None
    if target is None:
        raise NotAboutCode("This item is not a question about your code, so there are no lines to mark.")
    draft = await session.get(ParticipationDraft, (run.row.id, item.position), populate_existing=True)
    if draft is None:
        draft = ParticipationDraft(
            participation_id=run.row.id, position=item.position, source="", revision=0, saved_at=moment, marked=None
        )
        session.add(draft)
    before = marked_in(draft)
    if before is None or before.digest != wanted.digest:
        before = _marked_first(await newest_code.of_item(session, run.row, target), wanted.digest)
    lines = _joined(before.source, wanted.lines)
    draft.marked = before.model_copy(update={"lines": lines}).model_dump_json() if lines else None
    draft.saved_at = moment


def _marked_first(code: NewestCode, digest: str) -> MarkedCode:
    if code.digest != digest:
        raise CodeChanged("Your code has changed since it was shown here. Check it and mark the lines again.")
    return MarkedCode(source=code.source, digest=digest, submission_id=code.submission_id, lines=[])


def _joined(source: str, lines: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the ranges in order. Ranges that touch or overlap become one. Raises `NoSuchLines`."""
    last_line = source.rstrip("\n").count("\n") + 1
    joined: list[list[int]] = []
    for first, last in sorted(lines):
        if not first <= last <= last_line:
            raise NoSuchLines(f"Mark lines from 1 to {last_line}, first line first.")
        if joined and first <= joined[-1][1] + 1:
            joined[-1][1] = max(last, joined[-1][1])
        else:
            joined.append([first, last])
    return joined
