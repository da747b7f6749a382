"""Computes the results of mock interviews: which answers and submissions belong to which item, how much each item earns, and
how much time was spent on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.submissions.models import UNFINISHED, Judging, Submission
from api.practice.quizzes.models import QuizAnswer, QuizAttempt
from api.practice.quizzes.schemas import MarkView
from api.practice.running_interviews.models import Interview, InterviewItem
from grader.contract.job import Verdict

State = Literal["open", "judging", "wrong", "right"]
SUBMIT = "submit"


@dataclass(frozen=True)
class Result:
    """An item and its result. `share` is the earned part of the full mark, from 0 to 1.

    `seconds` is the time spent on the item. The time between two answers or submissions is counted for the item of the later
    one. The time before the first is counted from the start of the interview.
    """

    item: InterviewItem
    state: State = "open"
    share: float = 0.0
    seconds: float = 0.0
    tries: int = 0
    verdict: str | None = None
    mark: MarkView | None = None
    attempt: QuizAttempt | None = None


@dataclass(frozen=True)
class _Event:
    """An answer to a question, or a submission for a challenge. `place` is the index of the item in the interview."""

    at: datetime
    place: int
    sent: tuple[Submission, Judging] | None = None
    answer: QuizAnswer | None = None


def percent(results: Sequence[Result]) -> int:
    """Return the earned part of the full mark of an interview, in percent. Items are weighted by their planned minutes."""
    whole = sum(result.item.minutes for result in results)
    return round(100 * sum(result.share * result.item.minutes for result in results) / whole) if whole else 0


async def results_of(session: AsyncSession, interviews: Sequence[Interview]) -> dict[str, list[Result]]:
    """Return the results of several interviews of one account, by interview id. The results of an interview are in the order
    of its items.
    """
    if not interviews:
        return {}
    ids = [interview.id for interview in interviews]
    wanted = select(InterviewItem).where(InterviewItem.interview_id.in_(ids)).order_by(InterviewItem.position)
    items: dict[str, list[InterviewItem]] = {name: [] for name in ids}
    for item in await session.scalars(wanted):
        items[item.interview_id].append(item)
    everything = [item for some in items.values() for item in some]
    attempts = await _attempts(session, everything)
    answers = await _answers(session, everything)
    sent = await _submissions(session, interviews, everything)
    return {
        interview.id: _results(
            items[interview.id], _events(interview, items[interview.id], answers, sent), attempts, interview
        )
        for interview in interviews
    }


def _events(
    interview: Interview,
    items: Sequence[InterviewItem],
    answers: dict[tuple[str | None, str], QuizAnswer],
    sent: Sequence[tuple[Submission, Judging]],
) -> list[_Event]:
    """Return the answers and submissions that were received during the interview, in order of time."""
    places = {item.name: place for place, item in enumerate(items) if item.kind == "challenge"}
    found = [_Event(row[0].created_at, places[row[0].slug], sent=row) for row in sent if row[0].slug in places]
    for place, item in enumerate(items):
        if answer := answers.get((item.attempt_id, item.name)):
            found.append(_Event(answer.answered_at, place, answer=answer))
    in_time = (event for event in found if interview.started_at <= event.at <= interview.end)
    return sorted(in_time, key=lambda event: event.at)


def _results(
    items: Sequence[InterviewItem], events: Sequence[_Event], attempts: dict[str, QuizAttempt], interview: Interview
) -> list[Result]:
    results = [Result(item, attempt=attempts.get(item.attempt_id or "")) for item in items]
    before = interview.started_at
    for event in events:
        known = results[event.place]
        known = replace(known, seconds=known.seconds + (event.at - before).total_seconds(), tries=known.tries + 1)
        results[event.place] = _answered(known, event.answer) if event.answer else _judged(known, event.sent)
        before = event.at
    return results


def _answered(known: Result, answer: QuizAnswer) -> Result:
    mark = MarkView.model_validate_json(answer.mark)
    return replace(known, state="right" if mark.right else "wrong", share=float(mark.right), mark=mark)


def _judged(known: Result, sent: tuple[Submission, Judging] | None) -> Result:
    """Return an item's result after a further submission. The best submission counts. A run of the samples adds to the time,
    but earns nothing.
    """
    if sent is None or sent[0].kind != SUBMIT or known.state == "right":
        return known
    row = sent[1]
    if row.status in UNFINISHED:
        return replace(known, state="judging")
    if row.verdict is None or row.verdict == Verdict.JE:
        return known
    share = row.score / row.max_score if row.max_score else 0.0
    if row.verdict == Verdict.AC:
        return replace(known, state="right", share=1.0, verdict=row.verdict)
    better = share >= known.share
    return replace(
        known, state="wrong", share=max(share, known.share), verdict=row.verdict if better else known.verdict
    )


async def _attempts(session: AsyncSession, items: Sequence[InterviewItem]) -> dict[str, QuizAttempt]:
    found = await session.scalars(select(QuizAttempt).where(QuizAttempt.id.in_(_attempt_ids(items))))
    return {attempt.id: attempt for attempt in found}


async def _answers(session: AsyncSession, items: Sequence[InterviewItem]) -> dict[tuple[str | None, str], QuizAnswer]:
    found = await session.scalars(select(QuizAnswer).where(QuizAnswer.attempt_id.in_(_attempt_ids(items))))
    return {(answer.attempt_id, answer.question): answer for answer in found}


async def _submissions(
    session: AsyncSession, interviews: Sequence[Interview], items: Sequence[InterviewItem]
) -> list[tuple[Submission, Judging]]:
    slugs = {item.name for item in items if item.kind == "challenge"}
    query = (
        select(Submission, Judging)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(
            Submission.account_id == interviews[0].account_id,
            Submission.slug.in_(slugs),
            Submission.created_at >= min(interview.started_at for interview in interviews),
            Submission.created_at <= max(interview.end for interview in interviews),
        )
    )
    return [(row[0], row[1]) for row in await session.execute(query)]


def _attempt_ids(items: Sequence[InterviewItem]) -> set[str]:
    return {item.attempt_id for item in items if item.attempt_id}
