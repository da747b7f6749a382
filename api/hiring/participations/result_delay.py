"""Delays what a candidate sees while verdicts are hidden. An answer appears as judged only at a whole number of minutes after
its submission, so that the judging time reveals nothing about the result.
"""

import math
from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.service import LoadedParticipation
from api.judging.submissions.models import IS_UNFINISHED, Judging, Status, Submission
from api.kit.db.database import Moment
from api.kit.db.prepared import Prepared
from api.kit.errors import TooManyRequests
from grader.contract.job import Kind

STEP_S = 60
# The answers that may look unjudged: those that are not judged, and those that were sent or judged since `since`.
RECENT = Prepared(
    select(Submission.slug, Submission.created_at, Judging.ended_at)
    .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    .where(
        Submission.account_id == bindparam("account"),
        Submission.kind == Kind.SUBMIT,
        Judging.status != Status.CANCELLED,
        or_(
            Judging.ended_at.is_(None),
            Judging.ended_at > bindparam("since", type_=Moment),
            Submission.created_at > bindparam("since", type_=Moment),
        ),
    )
)
# How many runs and scratch runs are not judged.
TRIALS = Prepared(
    select(func.count())
    .select_from(Judging)
    .join(Submission, Submission.id == Judging.submission_id)
    .where(
        Judging.account_id == bindparam("account"), IS_UNFINISHED, Judging.number == 1, Submission.kind != Kind.SUBMIT
    )
)


def visible_at(sent_at: datetime, ended_at: datetime) -> datetime:
    """Return when an answer may appear as judged: at the first full minute after `sent_at` at which the judging has ended. Full
    minutes are counted from `sent_at`, starting with one.
    """
    steps = max(1, math.ceil((ended_at - sent_at).total_seconds() / STEP_S))
    return sent_at + timedelta(seconds=steps * STEP_S)


def is_visible(sent_at: datetime, ended_at: datetime | None, moment: datetime) -> bool:
    """Return whether the candidate can already see that the answer was judged."""
    return ended_at is not None and visible_at(sent_at, ended_at) <= moment


async def count_pending(session: AsyncSession, account_id: str, moment: datetime) -> Counter[str]:
    """Return, for each challenge, how many answers still look unjudged to the candidate."""
    rows = await RECENT.rows(session, account=account_id, since=moment - timedelta(seconds=STEP_S))
    return Counter(slug for slug, sent_at, ended_at in rows if not is_visible(sent_at, ended_at, moment))


async def require_room(session: AsyncSession, run: LoadedParticipation, most: int, moment: datetime) -> None:
    """Raise `TooManyRequests` if the candidate already has `most` answers in the queue. Answers that still look unjudged to the
    candidate count as queued. Otherwise, a free place in the queue would reveal that an answer was judged.
    """
    if run.shows_verdicts:
        return
    account_id = run.row.account_id
    [(trials,)] = await TRIALS.rows(session, account=account_id)
    count = (await count_pending(session, account_id, moment)).total() + trials
    if count >= most:
        raise TooManyRequests(
            f"You have {count} answers in the queue. While verdicts are held back, an answer counts as judged from the "
            "next full minute after it was submitted. What you wrote is saved.",
            retry_after_s=5,
        )
