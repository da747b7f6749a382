"""Builds the response bodies for candidates. They contain verdicts only if the plan allows it, and nothing about items that
were not drawn.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.schemas import view as challenge_view
from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import Assessment
from api.hiring.participations import deadlines, newest_code, result_delay, submission_limits
from api.hiring.participations.models import ParticipationDraft, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.participations.submission_limits import SubmissionsLeft
from api.hiring.plans.pinned_items import title_in
from api.hiring.plans.plan import Feedback
from api.hiring.taking import feedback, question_items, scores, work
from api.hiring.taking.question_items import QuizItem
from api.hiring.taking.schemas import (
    ItemCard,
    KeptDraft,
    OpenedItem,
    ParticipationView,
    ScoredItem,
    SectionView,
    SubmissionRules,
    TestDriveOf,
)
from api.hiring.teams.models import Team
from api.judging.intake import views as submissions
from api.judging.intake.schemas import SubmissionCard, SubmissionView
from api.judging.intake.service import listing
from api.judging.submissions.models import Submission
from api.practice.quizzes.models import QuizAnswer
from api.practice.quizzes.schemas import MarkView, question_view
from grader.contract.job import Kind

SENT = 20


async def participation(
    session: AsyncSession, run: LoadedParticipation, store: CatalogueStore, moment: datetime
) -> ParticipationView:
    assessment = await session.get_one(Assessment, run.row.assessment_id)
    team = await session.get_one(Team, assessment.team_id)
    found = await scores.scored(session, run.row.account_id, run.items)
    if not run.shows_verdicts:
        # While verdicts are hidden, the number of unjudged answers changes only at full minutes after each submission.
        waiting = await result_delay.count_pending(session, run.row.account_id, moment)
        found = [
            one.model_copy(update={"unfinished": waiting[one.name]}) if one.kind == "challenge" else one
            for one in found
        ]
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
            "left_s": 0 if run.row.finished_at else deadlines.left_s(moment, run.end),
            "extra_s": run.row.extra_s,
            "given_back_s": run.row.given_back_s,
            "finished_at": run.row.finished_at,
            "finished_by": run.row.finished_by,
            "verdicts": run.plan.verdicts,
            "instructions": run.plan.instructions,
            "allowed": run.plan.allowed,
            "recorded": run.plan.recorded,
            "sections": _sections(run, found, store, await attempts_of(session, run)),
            "test_drive": TestDriveOf(team_id=team.id, assessment_id=assessment.id) if run.row.is_test else None,
        }
    )


async def attempts_of(session: AsyncSession, run: LoadedParticipation) -> dict[int, SubmissionsLeft]:
    """Return what is left of each item that limits submissions, by position."""
    coded = {item.name: item for item in run.items if item.kind == "challenge"}
    plans = {slug: run.plan_of(item) for slug, item in coded.items()}
    left = await submission_limits.submissions_left(session, run.row.account_id, plans)
    return {coded[slug].position: each for slug, each in left.items()}


def _sections(
    run: LoadedParticipation, found: Sequence[ScoredItem], store: CatalogueStore, left: Mapping[int, SubmissionsLeft]
) -> list[SectionView]:
    return [
        SectionView(
            key=section.key,
            title=section.title,
            minutes=section.minutes,
            assistant=section.assistant,
            opened_at=run.opened_at(section.key),
            deadline=run.end_of(section.key),
            items=[
                _card(run, item, store, left.get(item.position))
                for item in found
                if item.section_key == section.key and not run.is_locked(item.position)
            ],
        )
        for section in run.plan.sections
    ]


def _card(run: LoadedParticipation, item: ScoredItem, store: CatalogueStore, left: SubmissionsLeft | None) -> ItemCard:
    shown = run.shows_verdicts and item.sent > 0
    scored = shown and (item.kind == "quiz" or run.plan_of(run.item(item.position)).feedback != "verdict")
    return ItemCard(
        position=item.position,
        kind=item.kind,
        title=title_in(run.plan, run.item(item.position), store),
        points=item.points,
        opened_at=item.opened_at,
        asked=_asked(item, store),
        sent=item.sent,
        unfinished=item.unfinished,
        verdict=item.verdict if shown else None,
        score=(item.adjusted if item.kind == "question" else item.score) if scored and not item.to_review else None,
        awaits_review=shown and item.to_review > 0,
        submissions_left=left.left if left else None,
        is_follow_up=item.is_follow_up,
        has_follow_up=run.has_follow_up(item.position),
        handed_in_at=item.handed_in_at,
    )


def _asked(item: ScoredItem, store: CatalogueStore) -> int:
    """Return how many answers an item expects: the number of questions of a quiz, and otherwise 1."""
    topic = store.catalogue.topics.get(item.name) if item.kind == "quiz" else None
    return len(topic.quiz.questions) if topic and topic.quiz else 1


async def item_view(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, store: CatalogueStore, moment: datetime
) -> OpenedItem:
    """Build the view of an opened item. Raises `ItemWithdrawn`."""
    common = {
        "position": item.position, "kind": item.kind, "points": item.points, "deadline": run.end_of(item.section_key),
    }  # fmt: skip
    if item.kind != "challenge":
        return OpenedItem.model_validate({**common, **await _questions(session, run, item, store)})
    challenge = store.pinned(item.name, item.digest)
    if challenge is None:
        raise work.ItemWithdrawn
    # Assessments show no hints, and name no follow-ups that are not asked yet.
    hidden = {"hints_count": 0, "follow_ups": [], "follow_up_to": None}
    shown = challenge_view(challenge).model_copy(update=hidden)
    draft = await session.get(ParticipationDraft, (run.row.id, item.position))
    answers = listing(run.row.account_id, item.name, "", "").where(Submission.kind != Kind.SCRATCH)
    sent = await session.execute(answers.limit(SENT))
    cards = [card(run, submissions.card(submission, row), row.ended_at, moment) for submission, row in sent]
    plan, left = run.plan_of(item), (await attempts_of(session, run)).get(item.position)
    rules = SubmissionRules(
        feedback=plan.feedback,
        submissions=plan.submissions,
        pause_s=plan.pause_s,
        left=left.left if left else None,
        next_at=left.next_at if left else None,
    )
    before = await newest_code.of_item(session, run.row, run.item(item.position - 1)) if item.is_follow_up else None
    own_answer = before.written if before else None
    answered = {"draft": _kept(draft), "sent": cards, "rules": rules, "own_answer": own_answer}
    return OpenedItem.model_validate({**common, "challenge": shown, **answered})


def _kept(draft: ParticipationDraft | None) -> KeptDraft:
    if draft is None:
        return KeptDraft(source="", revision=0, saved_at=None)
    return KeptDraft(source=draft.source, revision=draft.revision, saved_at=draft.saved_at)


async def _questions(
    session: AsyncSession, run: LoadedParticipation, item: ParticipationItem, store: CatalogueStore
) -> dict[str, Any]:
    """Return what an opened item contains that is no challenge."""
    draft = await session.get(ParticipationDraft, (run.row.id, item.position), populate_existing=True)
    if question := await question_items.text_question(session, run, item, draft, store):
        return {"question": question, "draft": _kept(draft)}
    return {"quiz": await quiz_view(session, run, item, store)}


async def quiz_view(
    session: AsyncSession,
    run: LoadedParticipation,
    item: ParticipationItem,
    store: CatalogueStore,
    *,
    marked: bool = False,
) -> QuizItem:
    """Return the questions of a quiz, with marks if the candidate may see them or `marked` is set. Raises `ItemWithdrawn`,
    `WrongItemKind`.
    """
    quiz, attempt_id = work.quiz_of(run, item, store), item.attempt_id or ""
    if quiz is None:
        raise work.WrongItemKind("This question is answered with a text. It has no marks.")
    rows = (await session.scalars(select(QuizAnswer).where(QuizAnswer.attempt_id == attempt_id))).all()
    marks = {row.question: MarkView.model_validate_json(row.mark) for row in rows}
    shown = marks if marked else {key: feedback.mark(run, item, mark) for key, mark in marks.items()}
    questions = [question_view(question, attempt_id, shown.get(question.id)) for question in quiz.questions]
    return QuizItem(topic=item.name, questions=questions, answered=sorted(row.question for row in rows))


def card(
    run: LoadedParticipation, shown: SubmissionCard, ended_at: datetime | None, moment: datetime
) -> SubmissionCard:
    """Return a submission for a list, without its result and timing while these are hidden."""
    if _is_shown(run, shown):
        return feedback.card(shown, _feedback_of(run, shown))
    return shown.model_copy(update=_hidden(shown, ended_at, moment))


def submission(run: LoadedParticipation, shown: SubmissionView, moment: datetime) -> SubmissionView:
    """Return a submission, without its result and timing while these are hidden, and otherwise as the plan's feedback allows."""
    if _is_shown(run, shown):
        return feedback.submission(shown, _feedback_of(run, shown))
    visible = result_delay.is_visible(shown.created_at, shown.ended_at, moment)
    times: dict[str, Any] = {"started_at": None, "ended_at": None, "attempt": 0, "queue": None, "environment": {}}
    if visible and shown.ended_at is not None:
        ended_at = result_delay.visible_at(shown.created_at, shown.ended_at)
        times |= {"started_at": shown.created_at, "ended_at": ended_at, "attempt": 1}
    results: dict[str, Any] = {
        "tests": [],
        "compile_error": None,
        "message": "",
        "wall_s": None,
        "output": "",
        "output_truncated": False,
    }
    return shown.model_copy(update={**_hidden(shown, shown.ended_at, moment), **times, **results})


def _hidden(shown: SubmissionCard, ended_at: datetime | None, moment: datetime) -> dict[str, Any]:
    """Return the replacement values for a hidden submission. The submission looks queued until the candidate may see that it
    was judged.
    """
    visible = result_delay.is_visible(shown.created_at, ended_at, moment)
    status = "judged" if visible else "queued"
    return {"status": status, "verdict": None, "score": 0, "cpu_s": None, "memory_mb": None}


def _feedback_of(run: LoadedParticipation, shown: SubmissionCard) -> Feedback:
    """Return how much of a result is shown. Runs of the samples and snippets are always shown completely."""
    item = next((each for each in run.items if each.kind == "challenge" and each.name == shown.slug), None)
    return run.plan_of(item).feedback if item and shown.kind == "submit" else "everything"


def _is_shown(run: LoadedParticipation, shown: SubmissionCard) -> bool:
    """Return whether the result may be shown. Results of sample tests and snippets are always shown, because samples are public
    and a snippet is the candidate's own code.
    """
    return run.shows_verdicts or shown.kind != "submit"
