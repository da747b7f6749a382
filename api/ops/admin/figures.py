"""Statistics about the site. They are counted from the tables at each request."""

from datetime import timedelta

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import candidates, guests
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging, Status, Submission
from api.kit.db.database import now
from api.kit.ids import first_id
from api.ops.admin.schemas import Day, Latency, Overview, VerdictNumber
from api.practice.feedback.models import Report
from api.practice.feedback.service import SUGGESTION

# Submissions and verdicts are counted over the last DAYS days, new accounts and latency over the last WEEK.
DAYS, WEEK = 30, timedelta(days=7)
# Latency is computed from the newest submissions, at most this many.
TIMED = 2000


async def overview(session: AsyncSession) -> Overview:
    people, reports = await _people(session), await _reports(session)
    verdicts = await _verdicts(session)
    judged = sum(verdicts.values())
    return Overview(
        accounts=people.accounts,
        new_accounts=people.fresh,
        admins=people.admins,
        guests=people.guests,
        banned=people.banned,
        days=await _days(session),
        verdicts=[
            VerdictNumber.model_validate({"verdict": name, "count": verdicts[name]}) for name in sorted(verdicts)
        ],
        judge_error_rate=verdicts.get("JE", 0) / judged if judged else None,
        latency=await _latency(session),
        open_reports=reports[0],
        open_suggestions=reports[1],
    )


async def _people(session: AsyncSession) -> Row[int, int, int, int, int]:
    member = Account.role.not_in(candidates.PASSING)
    query = select(
        func.count().filter(member).label("accounts"),
        func.count().filter(member, Account.id >= first_id(now() - WEEK)).label("fresh"),
        func.count().filter(Account.role == "admin").label("admins"),
        func.count().filter(Account.role == guests.ROLE).label("guests"),
        func.count().filter(Account.ban.is_not(None)).label("banned"),
    )
    return (await session.execute(query.select_from(Account))).one()


async def _reports(session: AsyncSession) -> tuple[int, int]:
    is_suggestion = Report.kind == SUGGESTION
    query = select(func.count().filter(~is_suggestion), func.count().filter(is_suggestion))
    errors, suggestions = (await session.execute(query.where(Report.state == "open"))).one()
    return errors, suggestions


async def _days(session: AsyncSession) -> list[Day]:
    """Return the number of submissions on each of the last 30 days (UTC). Ids begin with the time, so each day is a range
    of the primary key.
    """
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [midnight - timedelta(days=days) for days in reversed(range(DAYS))]
    counts = [
        select(func.count())
        .select_from(Submission)
        .where(Submission.id >= first_id(start), Submission.id < first_id(start + timedelta(days=1)))
        .scalar_subquery()
        for start in starts
    ]
    found = (await session.execute(select(*counts))).one()
    return [Day(day=start.date(), submissions=count) for start, count in zip(starts, found, strict=True)]


async def _verdicts(session: AsyncSession) -> dict[str, int]:
    since = Judging.submission_id >= first_id(now() - timedelta(days=DAYS))
    query = select(Judging.verdict, func.count()).where(~Judging.superseded, since, Judging.verdict.is_not(None))
    return {str(verdict): count for verdict, count in await session.execute(query.group_by(Judging.verdict))}


async def _latency(session: AsyncSession) -> Latency:
    """Return how long submissions take from entering the queue to the verdict. Rejudges are left out, because they have a low
    priority on purpose.
    """
    query = select(Judging.queued_at, Judging.ended_at).where(
        Judging.submission_id >= first_id(now() - WEEK), Judging.number == 1, Judging.status == Status.JUDGED
    )
    rows = await session.execute(query.order_by(Judging.submission_id.desc()).limit(TIMED))
    took = sorted((ended - queued).total_seconds() for queued, ended in rows if ended is not None)
    return Latency(judgings=len(took), p50_s=_quantile(took, 0.5), p95_s=_quantile(took, 0.95))


def _quantile(ordered: list[float], share: float) -> float | None:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) if ordered else None
