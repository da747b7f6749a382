"""Limits how often a candidate can submit an answer to an item, and how soon after the last one. Runs of the samples and
snippets are not limited. A submission that ended with a judge error, which is no fault of the candidate, does not count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.plans.plan import ItemPlan
from api.judging.submissions.models import Judging, Status, Submission
from api.kit.db.prepared import Prepared
from api.kit.errors import ApiError, TooManyRequests
from grader.contract.job import Kind, Verdict

# How many answers that count an account has submitted to each challenge, and when it submitted the last one.
SENT = Prepared(
    select(Submission.slug, func.count(), func.max(Submission.created_at))
    .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    .where(
        Submission.account_id == bindparam("account"),
        Submission.kind == Kind.SUBMIT,
        or_(Judging.verdict.is_(None), Judging.verdict != Verdict.JE),
        Judging.status != Status.CANCELLED,
    )
    .group_by(Submission.slug)
)


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


async def submissions_left(
    session: AsyncSession, account_id: str, plans: Mapping[str, ItemPlan]
) -> dict[str, SubmissionsLeft]:
    """Return what is left of each item with a limit, by the slug of its challenge. `plans` has the plan of each item by slug."""
    limited = {slug: plan for slug, plan in plans.items() if plan.submissions is not None or plan.pause_s is not None}
    if not limited:
        return {}
    sent = {slug: (count, last) for slug, count, last in await SENT.rows(session, account=account_id)}
    return {slug: _left_of(plan, *sent.get(slug, (0, None))) for slug, plan in limited.items()}


def _left_of(plan: ItemPlan, count: int, last: datetime | None) -> SubmissionsLeft:
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
