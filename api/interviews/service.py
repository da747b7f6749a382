"""Rules of mock interviews: one at a time, the server's clock, what was done lately is drawn seldom."""

import json
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.catalogue.service import Catalogue
from api.db import now
from api.errors import ApiError, TooManyRequests
from api.ids import new_id
from api.interviews.draw import Drawn, Past, Wish
from api.interviews.models import Interview, InterviewItem
from api.judging.models import Judging
from api.quizzes import service as quizzes
from api.submissions.models import Submission
from grader.job import Verdict

INTERVIEWS_A_DAY = 20
LATELY = timedelta(days=60)


class InterviewNotFound(ApiError):
    """No such interview, or it is somebody else's."""

    status, code = 404, "interview_not_found"


class InterviewRunning(ApiError):
    """One interview at a time."""

    status, code = 409, "interview_running"


class NothingToAsk(ApiError):
    """No question and no challenge fits the choice."""

    status, code = 422, "nothing_to_ask"


async def past(session: AsyncSession, account_id: str) -> Past:
    """What an account did lately."""
    verdicts = (
        select(Submission.slug, Judging.verdict)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Submission.account_id == account_id, Submission.kind == "submit", Submission.created_at > now() - LATELY)
        .distinct()
    )
    sent: dict[str, bool] = {}
    for slug, verdict in await session.execute(verdicts):
        sent[slug] = sent.get(slug, False) or verdict == Verdict.AC
    return Past(sent, await quizzes.last_marks(session, account_id))


async def begin(
    session: AsyncSession, account_id: str, wish: Wish, seed: int, items: Sequence[Drawn], catalogue: Catalogue
) -> Interview:
    """Store a drawn interview; its time runs. Raises `InterviewRunning`, `NothingToAsk`, `TooManyRequests`."""
    if not items:
        raise NothingToAsk("Nothing in the catalogue fits this choice. Take a wider focus.")
    # One at a time: whoever begins twice at once waits here for himself.
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())
    if await running(session, account_id):
        raise InterviewRunning("An interview of yours is running. Go on with it, or finish it.")
    await _not_too_many(session, account_id)
    moment = now()
    made = Interview(
        id=new_id(),
        account_id=account_id,
        level=wish.level,
        minutes=wish.minutes,
        sections=json.dumps(wish.sections),
        track=wish.track,
        seed=seed,
        started_at=moment,
        deadline=moment + timedelta(minutes=wish.minutes),
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
    """The account's interview whose time is not over."""
    own = listing(account_id, "").where(Interview.ended_at.is_(None), Interview.deadline > now())
    found: Interview | None = await session.scalar(own.limit(1))
    return found


async def find(session: AsyncSession, interview_id: str, account_id: str) -> Interview:
    """An interview of the account's. Raises `InterviewNotFound`."""
    found = await session.get(Interview, interview_id)
    if found is None or found.account_id != account_id:
        raise InterviewNotFound("You have no interview with this id.")
    return found


def listing(account_id: str, before: str) -> Select[Interview]:
    """An account's interviews, newest first."""
    query = select(Interview).where(Interview.account_id == account_id).order_by(Interview.id.desc())
    return query.where(Interview.id < before) if before else query


def finish(interview: Interview) -> None:
    """End it now; an interview that has ended stays as it is."""
    interview.ended_at = interview.ended_at or min(now(), interview.deadline)


async def _attempts(
    session: AsyncSession, account_id: str, items: Sequence[Drawn], catalogue: Catalogue
) -> dict[str, str]:
    """A fresh quiz attempt for each topic that is asked about."""
    topics = dict.fromkeys(item.topic for item in items if item.topic)
    made = {}
    for topic in topics:
        attempt = await quizzes.begin_anew(session, account_id, topic, quizzes.quiz_of(catalogue, topic))
        made[topic] = attempt.id
    return made


async def _not_too_many(session: AsyncSession, account_id: str) -> None:
    day = timedelta(days=1)
    recent = select(Interview.started_at).where(Interview.account_id == account_id, Interview.started_at > now() - day)
    blocking = await session.scalar(recent.order_by(Interview.id.desc()).offset(INTERVIEWS_A_DAY - 1).limit(1))
    if blocking is not None:
        wait = (blocking + day - now()).total_seconds()
        raise TooManyRequests(f"You may begin {INTERVIEWS_A_DAY} interviews a day.", retry_after_s=wait)
