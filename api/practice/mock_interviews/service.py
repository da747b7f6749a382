"""Starts and ends mock interviews. An account has one running interview at a time, and the server's clock decides when it
ends.
"""

import json
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import new_id
from api.practice.mock_interviews.draw import DrawnItem, PracticeHistory, Preferences
from api.practice.quizzes import service as quizzes
from api.practice.running_interviews.models import Interview, InterviewItem
from grader.contract.job import Verdict

INTERVIEWS_A_DAY = 20
LATELY = timedelta(days=60)


class InterviewNotFound(ApiError):
    """The interview does not exist, or it belongs to another account."""

    status, code = 404, "interview_not_found"


class InterviewRunning(ApiError):
    """Another interview of the account is running."""

    status, code = 409, "interview_running"


class NothingToAsk(ApiError):
    """No question and no challenge matches the preferences."""

    status, code = 422, "nothing_to_ask"


async def practice_history(session: AsyncSession, account_id: str) -> PracticeHistory:
    """Return what the account has practised: the challenges that it submitted within the last 60 days, and all quiz questions
    that it ever answered.
    """
    verdicts = (
        select(Submission.slug, Judging.verdict)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Submission.account_id == account_id, Submission.kind == "submit", Submission.created_at > now() - LATELY)
        .distinct()
    )
    sent: dict[str, bool] = {}
    for slug, verdict in await session.execute(verdicts):
        sent[slug] = sent.get(slug, False) or verdict == Verdict.AC
    return PracticeHistory(sent, await quizzes.last_marks(session, account_id))


async def begin(
    session: AsyncSession,
    account_id: str,
    preferences: Preferences,
    seed: int,
    items: Sequence[DrawnItem],
    catalogue: Catalogue,
) -> Interview:
    """Store a drawn interview and start its time. Raises `InterviewRunning`, `NothingToAsk`, `TooManyRequests`."""
    if not items:
        raise NothingToAsk("Nothing in the catalogue matches this choice. Choose a wider focus.")
    # Requests of one account run one after the other, so that the second one sees the interview that the first one created.
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())
    if await running(session, account_id):
        raise InterviewRunning("You have a running interview. Continue it, or finish it first.")
    await _require_below_limit(session, account_id)
    moment = now()
    made = Interview(
        id=new_id(),
        account_id=account_id,
        level=preferences.level,
        minutes=preferences.minutes,
        sections=json.dumps(preferences.sections),
        track=preferences.track,
        seed=seed,
        started_at=moment,
        deadline=moment + timedelta(minutes=preferences.minutes),
        ended_at=None,
    )
    session.add(made)
    attempts = await _attempts(session, account_id, items, catalogue)
    await session.flush()
    for position, item in enumerate(items, start=1):
        session.add(
            InterviewItem(
                interview_id=made.id,
                position=position,
                kind=item.kind,
                name=item.name,
                topic=item.topic,
                attempt_id=attempts.get(item.topic),
                minutes=item.minutes,
            )
        )
    return made


async def running(session: AsyncSession, account_id: str) -> Interview | None:
    """Return the account's running interview, or None."""
    own = listing(account_id, "").where(Interview.ended_at.is_(None), Interview.deadline > now())
    found: Interview | None = await session.scalar(own.limit(1))
    return found


async def find(session: AsyncSession, interview_id: str, account_id: str) -> Interview:
    """Return an interview of this account. Raises `InterviewNotFound`."""
    found = await session.get(Interview, interview_id)
    if found is None or found.account_id != account_id:
        raise InterviewNotFound("You have no interview with this ID.")
    return found


def listing(account_id: str, before: str) -> Select[Interview]:
    """Return a query for an account's interviews, newest first."""
    query = select(Interview).where(Interview.account_id == account_id).order_by(Interview.id.desc())
    return query.where(Interview.id < before) if before else query


def finish(interview: Interview) -> None:
    """End the interview now. An interview that was already finished is left unchanged."""
    interview.ended_at = interview.ended_at or min(now(), interview.deadline)


async def _attempts(
    session: AsyncSession, account_id: str, items: Sequence[DrawnItem], catalogue: Catalogue
) -> dict[str, str]:
    """Create a quiz attempt for each topic that has a question in the interview. Returns the ids of the attempts by topic."""
    topics = dict.fromkeys(item.topic for item in items if item.topic)
    made = {}
    for topic in topics:
        attempt = await quizzes.create_attempt(session, account_id, topic, quizzes.quiz_of(catalogue, topic))
        made[topic] = attempt.id
    return made


async def _require_below_limit(session: AsyncSession, account_id: str) -> None:
    day = timedelta(days=1)
    recent = select(Interview.started_at).where(Interview.account_id == account_id, Interview.started_at > now() - day)
    blocking = await session.scalar(recent.order_by(Interview.id.desc()).offset(INTERVIEWS_A_DAY - 1).limit(1))
    if blocking is not None:
        wait = (blocking + day - now()).total_seconds()
        raise TooManyRequests(
            f"You can start {INTERVIEWS_A_DAY} interviews a day. Try again later.", retry_after_s=wait
        )
