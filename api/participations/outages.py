"""Outages: a team gives back the time in which nobody could work, and reads later what was given to whom."""

from collections import defaultdict
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.errors import ApiError
from api.ids import new_id
from api.participations import clock, service, watching
from api.participations.clock import Lost
from api.participations.models import Outage, Participation
from api.participations.watching_schemas import GivenBack, NewOutage, OutageView
from api.state import State

OUTAGES = 100
# So many of those whom an outage hit are named.
PEOPLE = 100


class TooManyOutages(ApiError):
    """As many as are kept."""

    status, code = 409, "too_many_outages"


class NotOverYet(ApiError):
    """An outage is reported when it is over."""

    status, code = 409, "not_over_yet"


async def report(
    session: AsyncSession, assessment_id: str, wanted: NewOutage, by: str, state: State, moment: datetime
) -> tuple[Outage, list[Participation]]:
    """Give everybody the time of an outage back; returns it, and who has more time now. Lock the assessment before.
    Raises `NotOverYet`, `TooManyOutages`.
    """
    if wanted.ends_at > moment:
        raise NotOverYet("Report an outage when it is over: then everybody gets back exactly what it took.")
    there = select(func.count()).where(Outage.assessment_id == assessment_id)
    if (await session.scalar(there) or 0) >= OUTAGES:
        raise TooManyOutages(f"An assessment has at most {OUTAGES} outages.")
    outage = Outage(
        id=new_id(),
        assessment_id=assessment_id,
        begins_at=wanted.begins_at,
        ends_at=wanted.ends_at,
        reported_by=by,
        created_at=moment,
    )
    session.add(outage)
    await session.flush()
    # Whoever ended it himself wants no time back; whoever started later had none of it.
    open_ones = or_(Participation.finished_by.is_(None), Participation.finished_by == "deadline")
    query = select(Participation).where(Participation.assessment_id == assessment_id, open_ones)
    affected = []
    for row in (await session.scalars(query.where(Participation.started_at < wanted.ends_at).with_for_update())).all():
        before = row.given_back_s
        await service.bring_up_to_date(session, await service.load(session, row), state, moment)
        if row.given_back_s > before:
            affected.append(row)
    return outage, affected


async def told(session: AsyncSession, assessment_id: str, moment: datetime) -> list[OutageView]:
    """All that were reported, newest first, each with what it cost everybody: what overlaps with a longer wait in our queue, or
    with another outage, is told once.
    """
    named = select(Outage, Account.name).outerjoin(Account, Account.id == Outage.reported_by)
    query = named.where(Outage.assessment_id == assessment_id).order_by(Outage.id.desc())
    reported = [(outage, name) for outage, name in await session.execute(query)]
    given = await _given(session, assessment_id, [outage for outage, _ in reversed(reported)], moment)
    return [
        OutageView(
            id=outage.id,
            begins_at=outage.begins_at,
            ends_at=outage.ends_at,
            reported_by=name,
            created_at=outage.created_at,
            affected=len(given[outage.id]),
            given_back_s=sum(one.seconds for one in given[outage.id]),
            people=given[outage.id][:PEOPLE],
        )
        for outage, name in reported
    ]


async def _given(
    session: AsyncSession, assessment_id: str, outages: list[Outage], moment: datetime
) -> dict[str, list[GivenBack]]:
    """By outage; of two that are the same the one that comes first gave the time back."""
    found: dict[str, list[GivenBack]] = defaultdict(list)
    if not outages:
        return found
    last = max(outage.ends_at for outage in outages)
    query = select(Participation).where(Participation.assessment_id == assessment_id, Participation.started_at < last)
    rows = list(await session.scalars(query.order_by(Participation.id)))
    plans = await watching.plans_of(session, rows)
    waits = await service.waits_of(session, [row.account_id for row in rows], moment)
    for row in rows:
        hit = [outage for outage in outages if not _ended_before(row, outage)]
        lost = [*(Lost(outage.begins_at, outage.ends_at) for outage in hit), *waits[row.account_id]]
        costs = clock.costs(service.terms_before(row, plans[row.version]), lost)
        for outage, seconds in zip(hit, costs, strict=False):
            if seconds:
                found[outage.id].append(GivenBack(id=row.id, name=row.name, seconds=round(seconds)))
    return found


def _ended_before(row: Participation, outage: Outage) -> bool:
    """Whether somebody had ended it for good when the outage was reported, and so got nothing."""
    for_good = row.finished_at is not None and row.finished_by != "deadline"
    return for_good and row.finished_at is not None and row.finished_at < outage.created_at
