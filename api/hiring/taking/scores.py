"""Computes the scores of a participation, item by item. A score is based on the best submission for a challenge or on the marks
of a quiz or a question, and on manual points. A text has no points until a reviewer gives some. All other code gets scores from
this module.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import BindParameter, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import ParticipationItem
from api.hiring.participations.text_answers import awaits_review, written_at
from api.hiring.review_records import latest
from api.hiring.taking.schemas import ScoredItem
from api.judging.submissions.models import UNFINISHED, Judging, Submission
from api.practice.quizzes.models import QuizAnswer, QuizAttempt
from grader.contract.job import Kind, Verdict

NONE: Mapping[str, Judging] = MappingProxyType({})

# These queries are built once, because they run whenever a participation is read.
_ACCOUNTS: BindParameter[str] = bindparam("accounts", expanding=True)
JUDGED = (
    select(
        Submission.id,
        Submission.account_id,
        Submission.slug,
        Judging.status,
        Judging.verdict,
        Judging.score,
        Judging.max_score,
    )
    .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    .where(Submission.account_id.in_(_ACCOUNTS), Submission.kind == Kind.SUBMIT)
    .order_by(Submission.id)
)
ANSWERED = (
    select(QuizAttempt.id, QuizAttempt.points, QuizAttempt.max_points, func.count(QuizAnswer.question).label("sent"))
    .outerjoin(QuizAnswer, QuizAnswer.attempt_id == QuizAttempt.id)
    .where(QuizAttempt.account_id.in_(_ACCOUNTS))
    .group_by(QuizAttempt.id, QuizAttempt.points, QuizAttempt.max_points)
)


async def scored(session: AsyncSession, account_id: str, items: Sequence[ParticipationItem]) -> list[ScoredItem]:
    """Return the scored items of one candidate."""
    return (await scored_of(session, {account_id: items}))[account_id]


async def scored_of(
    session: AsyncSession, items: Mapping[str, Sequence[ParticipationItem]], tried: Mapping[str, Judging] = NONE
) -> dict[str, list[ScoredItem]]:
    """Return the scored items of several candidates, by account. `tried` maps submission IDs to new judgings of a rejudge. The
    scores are computed as if these judgings already counted.
    """
    judged, answered = await _judged(session, list(items), tried), await _answered(session, list(items))
    by_hand = await latest.manual_of(session, {item.participation_id for each in items.values() for item in each})
    with_texts = {item.participation_id for each in items.values() for item in each if _is_text(item)}
    written = await written_at(session, with_texts) if with_texts else {}

    def one(account: str, item: ParticipationItem) -> ScoredItem:
        place = item.participation_id, item.position
        manual, saved_at = by_hand.get(place), written.get(place)
        if item.kind == "challenge":
            found = _challenge(judged[account, item.name], item)
        elif _is_text(item):
            found = {"sent": int(saved_at is not None), "unfinished": 0, "verdict": None, "score": 0.0}
        else:
            found = _quiz(answered.get(item.attempt_id or ""), item)
        to_review = item.points if saved_at is not None and awaits_review(saved_at, manual) else 0
        total = latest.adjusted(found["score"], item.points, manual)
        return ScoredItem(**_plain(item), **found, adjusted=total, to_review=to_review, manual=manual)

    return {account: [one(account, item) for item in of_one] for account, of_one in items.items()}


def _is_text(item: ParticipationItem) -> bool:
    """Return whether the item is a question that is answered with a text, or one that was not opened yet."""
    return item.kind == "question" and item.attempt_id is None


async def _judged(
    session: AsyncSession, accounts: list[str], tried: Mapping[str, Judging]
) -> dict[tuple[str, str], list[Any]]:
    found = defaultdict(list)
    for row in await session.execute(JUDGED, {"accounts": accounts}):
        found[row.account_id, row.slug].append(tried.get(row.id, row))
    return found


async def _answered(session: AsyncSession, accounts: list[str]) -> dict[str, Any]:
    return {row.id: row for row in await session.execute(ANSWERED, {"accounts": accounts})}


def _challenge(sent: list[Any], item: ParticipationItem) -> dict[str, Any]:
    counting = [row for row in sent if row.verdict not in (None, Verdict.JE)]
    best = max(counting, key=lambda row: (_share(row.score, row.max_score), row.verdict == Verdict.AC), default=None)
    return {
        "sent": len(sent),
        "unfinished": sum(row.status in UNFINISHED for row in sent),
        "verdict": best.verdict if best else None,
        "score": round(item.points * _share(best.score, best.max_score), 2) if best else 0.0,
        "status": sent[-1].status if sent else None,
    }


def _quiz(attempt: Any, item: ParticipationItem) -> dict[str, Any]:
    share = _share(attempt.points, attempt.max_points) if attempt else 0.0
    sent = attempt.sent if attempt else 0
    return {"sent": sent, "unfinished": 0, "verdict": None, "score": round(item.points * share, 2)}


def _share(score: int, most: int) -> float:
    return score / most if most else 0.0


def _plain(item: ParticipationItem) -> dict[str, Any]:
    names = ("position", "section_key", "kind", "name", "points", "opened_at", "is_follow_up", "handed_in_at")
    return {name: getattr(item, name) for name in names}
