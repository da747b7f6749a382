"""Stores outages, gives the lost time back to candidates, and lists how much time each candidate got back. The list also
contains the periods in which the queue was slow, which the service records itself.
"""

from collections import defaultdict
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.monitoring import service as watching
from api.hiring.monitoring.schemas import GivenBack, NewOutage, OutageView
from api.hiring.participations import deadlines, service
from api.hiring.participations.deadlines import LostTime
from api.hiring.participations.models import Outage, Participation
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.settings import Settings

OUTAGES = 100
# The maximum number of outages that are listed.
LISTED = 200
# The maximum number of affected candidates that are listed per outage.
PEOPLE = 100


class TooManyOutages(ApiError):
    """The assessment has reached the maximum number of outages."""

    status, code = 409, "too_many_outages"


class NotOverYet(ApiError):
    """The outage has not ended yet."""

    status, code = 409, "not_over_yet"


async def report(session: AsyncSession, assessment_id: str, wanted: NewOutage, by: str, moment: datetime) -> Outage:
    """Store an outage. The caller must have locked the assessment. Raises `NotOverYet`, `TooManyOutages`."""
    if wanted.ends_at > moment:
        raise NotOverYet(
            "Report an outage once it is over, so that everyone gets back exactly the time that they lost."
        )
    there = select(func.count()).where(Outage.assessment_id == assessment_id, Outage.source == "team")
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
    return outage


async def give_back(
    session: AsyncSession, outage: Outage, settings: Settings, store: CatalogueStore, moment: datetime
) -> list[Participation]:
    """Give the time of an outage back to all candidates whom it affected. Returns the participations that have more time now."""
    # A candidate gets no time back if the candidate or the team finished the participation, or if it started after the outage.
    can_continue = or_(Participation.finished_by.is_(None), Participation.finished_by == "deadline")
    query = select(Participation).where(Participation.assessment_id == outage.assessment_id, can_continue)
    query = query.where(~Participation.is_test)
    affected = []
    for row in (await session.scalars(query.where(Participation.started_at < outage.ends_at).with_for_update())).all():
        before = row.given_back_s
        await service.apply_given_time(session, await service.load(session, row), settings, store, moment)
        if row.given_back_s > before:
            affected.append(row)
    return affected


async def outage_views(session: AsyncSession, assessment_id: str, moment: datetime) -> list[OutageView]:
    """Return the newest outages, at most LISTED, with the time that each candidate got back. The newest outage comes first.
    Time that several outages cover counts once.
    """
    named = select(Outage, Account.name).outerjoin(Account, Account.id == Outage.reported_by)
    query = named.where(Outage.assessment_id == assessment_id).order_by(Outage.id.desc()).limit(LISTED)
    reported = [(outage, name) for outage, name in await session.execute(query)]
    given = await _given(session, assessment_id, [outage for outage, _ in reversed(reported)], moment)
    return [
        OutageView(
            id=outage.id,
            source="queue" if outage.source == "queue" else "team",
            begins_at=outage.begins_at,
            ends_at=None if outage.is_open else outage.ends_at,
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
    """Return the time that each outage gave back, by the outage's ID. If two reported outages overlap, the shared time is
    assigned to the one that began first. If a reported outage overlaps a slow queue, the shared time is assigned to the
    reported outage.
    """
    found: dict[str, list[GivenBack]] = defaultdict(list)
    if not outages:
        return found
    last = max(_lost(outage, moment).ends_at for outage in outages)
    query = select(Participation).where(Participation.assessment_id == assessment_id, ~Participation.is_test)
    query = query.where(Participation.started_at < last)
    rows = list(await session.scalars(query.order_by(Participation.id)))
    plans = await watching.plans_of(session, rows)
    for row in rows:
        allowance = deadlines.original_allowance(row, plans[row.version])
        hit = [outage for outage in outages if outage.source == "team" and not _ended_before(row, outage)]
        lost = [_lost(outage, moment) for outage in hit]
        slow = [outage for outage in outages if outage.source == "queue" and not _ended_before(row, outage)]
        waited = deadlines.seconds_waited(
            allowance, lost, [_lost(outage, row.finished_at or moment) for outage in slow]
        )
        for outage, seconds in zip([*hit, *slow], [*deadlines.seconds_lost(allowance, lost), *waited], strict=True):
            if round(seconds):
                found[outage.id].append(GivenBack(id=row.id, name=row.name, seconds=round(seconds)))
    return found


def _lost(outage: Outage, moment: datetime) -> LostTime:
    """Return the time span of an outage. The span of a slow queue that has not ended lasts until `moment`."""
    if outage.source == "team":
        return LostTime(outage.begins_at, outage.ends_at)
    ends = moment if outage.is_open else min(moment, outage.ends_at)
    return LostTime(outage.begins_at, max(outage.begins_at, ends))


def _ended_before(row: Participation, outage: Outage) -> bool:
    """Return whether the candidate or the team finished the participation before the outage was reported. Such a participation
    got no time back. The result is False if the participation ended at its deadline, because the time that is given back can
    reopen it.
    """
    for_good = row.finished_at is not None and row.finished_by != "deadline"
    return for_good and row.finished_at is not None and row.finished_at < outage.created_at
