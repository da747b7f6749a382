"""Limits how often a candidate can submit an answer to an item, and how soon after the last one. Runs of the samples and
snippets are not limited. A submission that ended with a judge error, which is no fault of the candidate, does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.plans.plan import ItemPlan
from api.judging.submissions.models import Judging, Status, Submission
from api.kit.errors import ApiError, TooManyRequests
from grader.contract.job import Kind, Verdict


class NoSubmissionsLeft(ApiError):
    """The candidate has used all submissions of the item."""

    status, code = 409, "no_submissions_left"


@dataclass(frozen=True)
class SubmissionsLeft:
    """What is left for an item. `left` is None if the plan sets no limit. `next_at` is when the next answer can be submitted,
    or None if there is no pause between two of them or none was submitted yet.
    """

    left: int | None
    next_at: datetime | None


async def count_submissions(
    session: AsyncSession, account_id: str, slugs: Sequence[str]
) -> dict[str, tuple[int, datetime]]:
    """Return how many answers that count the account has submitted to each challenge, and when it submitted the last one."""
    query = select(Submission.slug, func.count(), func.max(Submission.created_at))
    query = query.join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    counts = or_(Judging.verdict.is_(None), Judging.verdict != Verdict.JE), Judging.status != Status.CANCELLED
    mine = Submission.account_id == account_id, Submission.slug.in_(slugs), Submission.kind == Kind.SUBMIT
    rows = await session.execute(query.where(*mine, *counts).group_by(Submission.slug))
    return {row[0]: (row[1], row[2]) for row in rows}


def left_of(plan: ItemPlan, sent: tuple[int, datetime] | None) -> SubmissionsLeft:
    """Return what is left of an item."""
    count, last = sent or (0, None)
    left = None if plan.submissions is None else max(0, plan.submissions - count)
    pause = timedelta(seconds=plan.pause_s) if plan.pause_s and last and left != 0 else None
    return SubmissionsLeft(left, last + pause if last and pause else None)


def require_submission_left(found: SubmissionsLeft, moment: datetime) -> None:
    """Raise `NoSubmissionsLeft` or `TooManyRequests` if no answer can be submitted now."""
    if found.left == 0:
        raise NoSubmissionsLeft("You have used all submissions of this item. Your best answer counts.")
    if found.next_at is not None and moment < found.next_at:
        wait = (found.next_at - moment).total_seconds()
        raise TooManyRequests(
            f"You can submit the next answer to this item in {wait:.0f} seconds. Until then, you can run the samples.",
            retry_after_s=wait,
        )
