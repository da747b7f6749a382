"""From rows to what a candidate is shown: verdicts when the plan says so, nothing of what is not drawn."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.catalogue.schemas import view as challenge_view
from api.participations import clock, scores, work
from api.participations.models import ParticipationDraft, ParticipationItem
from api.participations.schemas import (
    ItemCard,
    KeptDraft,
    OpenedItem,
    ParticipationView,
    QuizItem,
    ScoredItem,
    SectionView,
)
from api.participations.service import Run
from api.quizzes.models import QuizAnswer
from api.quizzes.schemas import MarkView, question_view
from api.state import State
from api.submissions import views as submissions
from api.submissions.models import Submission
from api.submissions.schemas import SubmissionCard, SubmissionView
from api.submissions.service import listing
from api.teams.models import Team
from grader.job import Kind

SENT = 20


class Named(Protocol):
    """Whatever names an item: a challenge or a quiz."""

    @property
    def kind(self) -> str:
        """challenge or quiz."""

    @property
    def name(self) -> str:
        """A slug, or the topic of a quiz."""

    @property
    def digest(self) -> str:
        """The version that was pinned."""


async def participation(session: AsyncSession, run: Run, state: State, moment: datetime) -> ParticipationView:
    """Where a participation stands."""
    assessment = await session.get_one(Assessment, run.row.assessment_id)
    team = await session.get_one(Team, assessment.team_id)
    found = await scores.scored(session, run.row.account_id, run.items)
    return ParticipationView.model_validate(
        {
            "id": run.row.id,
            "team": team.name,
            "assessment": assessment.name,
            "name": run.row.name,
            "number": run.row.number,
            "server_time": moment,
            "started_at": run.row.started_at,
            "deadline": run.end,
            "left_s": 0 if run.row.finished_at else clock.left_s(moment, run.end),
            "extra_s": run.row.extra_s,
            "given_back_s": run.row.given_back_s,
            "finished_at": run.row.finished_at,
            "finished_by": run.row.finished_by,
            "verdicts": run.plan.verdicts,
            "instructions": run.plan.instructions,
            "allowed": run.plan.allowed,
            "recorded": run.plan.recorded,
            "sections": _sections(run, found, state),
        }
    )


def _sections(run: Run, found: Sequence[ScoredItem], state: State) -> list[SectionView]:
    return [
        SectionView(
            key=section.key,
            title=section.title,
            minutes=section.minutes,
            opened_at=run.opened_at(section.key),
            deadline=run.end_of(section.key),
            items=[_card(run, item, state) for item in found if item.section_key == section.key],
        )
        for section in run.plan.sections
    ]


def _card(run: Run, item: ScoredItem, state: State) -> ItemCard:
    shown = run.shows_verdicts and item.sent > 0
    return ItemCard(
        position=item.position,
        kind=item.kind,
        title=title_of(run.item(item.position), state),
        points=item.points,
        opened_at=item.opened_at,
        sent=item.sent,
        unfinished=item.unfinished,
        verdict=item.verdict if shown else None,
        score=item.score if shown else None,
    )


def title_of(item: Named, state: State) -> str:
    """What an item is called; its name, if it is not served any more."""
    if item.kind == "challenge":
        challenge = state.shelf.pinned(item.name, item.digest)
        return challenge.package.info.title if challenge else item.name
    topic = state.shelf.catalogue.topics.get(item.name)
    return topic.info.title if topic else item.name


def starter_of(item: Named, state: State) -> str:
    """What the editor of an item opens with; empty for a quiz, and for what is not served any more."""
    challenge = state.shelf.pinned(item.name, item.digest) if item.kind == "challenge" else None
    return challenge.package.starter if challenge else ""


async def item_view(session: AsyncSession, run: Run, item: ParticipationItem, state: State) -> OpenedItem:
    """An item that is opened. Raises `ItemWithdrawn`."""
    common = {
        "position": item.position, "kind": item.kind, "points": item.points, "deadline": run.end_of(item.section_key),
    }  # fmt: skip
    if item.kind == "quiz":
        return OpenedItem.model_validate({**common, "quiz": await quiz_view(session, run, item, state)})
    challenge = state.shelf.pinned(item.name, item.digest)
    if challenge is None:
        raise work.ItemWithdrawn
    # Hints cost something in practice; in an assessment there are none.
    shown = challenge_view(challenge).model_copy(update={"hints_count": 0})
    draft = await session.get(ParticipationDraft, (run.row.id, item.position))
    kept = KeptDraft(source=draft.source, revision=draft.revision, saved_at=draft.saved_at) if draft else None
    answers = listing(run.row.account_id, item.name, "", "").where(Submission.kind != Kind.SCRATCH)
    sent = await session.execute(answers.limit(SENT))
    cards = [card(run, submissions.card(submission, row)) for submission, row in sent]
    nothing = KeptDraft(source="", revision=0, saved_at=None)
    return OpenedItem.model_validate({**common, "challenge": shown, "draft": kept or nothing, "sent": cards})


async def quiz_view(
    session: AsyncSession, run: Run, item: ParticipationItem, state: State, *, marked: bool = False
) -> QuizItem:
    """The questions of an item, with marks if the candidate may see them or they are asked for. Raises `ItemWithdrawn`."""
    quiz, attempt_id = work.quiz_of(item, state), item.attempt_id or ""
    rows = (await session.scalars(select(QuizAnswer).where(QuizAnswer.attempt_id == attempt_id))).all()
    marks = {row.question: MarkView.model_validate_json(row.mark) for row in rows}
    shown = marks if marked or run.shows_verdicts else {}
    questions = [question_view(question, attempt_id, shown.get(question.id)) for question in quiz.questions]
    return QuizItem(topic=item.name, questions=questions, answered=sorted(row.question for row in rows))


def card(run: Run, shown: SubmissionCard) -> SubmissionCard:
    """A submission in a list, without what it came to while that is not shown."""
    if _is_shown(run, shown):
        return shown
    return shown.model_copy(update={"verdict": None, "score": 0, "cpu_s": None, "memory_mb": None})


def submission(run: Run, shown: SubmissionView) -> SubmissionView:
    """A submission, without what it came to while that is not shown."""
    if _is_shown(run, shown):
        return shown
    hidden: dict[str, Any] = {"tests": [], "compile_error": None, "message": "", "wall_s": None, "output": ""}
    return shown.model_copy(update={**hidden, "verdict": None, "score": 0, "cpu_s": None, "memory_mb": None})


def _is_shown(run: Run, shown: SubmissionCard) -> bool:
    """Samples are public, and a snippet is one's own, so what they say is shown at once."""
    return run.shows_verdicts or shown.kind != "submit"
