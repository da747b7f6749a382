"""Detects a slow queue, so that all candidates of the assessment get the lost time back.

The web pages explain this rule to candidates: the queue of an assessment is slow while an answer of one of its candidates has
waited more than ten seconds. An answer waits while it is queued, and while it must be judged again because of a fault of the
service. Its waiting time starts when it was submitted or, if that is later, when the candidate's previous answer was judged. So
candidates cannot gain time by submitting more.

Only the part of a slow period between a candidate's start and deadline counts. A period begins and ends at times at which the
service checks the queue. These times are stored, so that every process computes the same deadline.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.hiring.participations import service
from api.hiring.participations.models import IS_OPEN, Outage, Participation
from api.judging.submissions.events import EventHub
from api.judging.submissions.models import UNFINISHED, Judging, Status
from api.kit.db.database import Database
from api.kit.ids import new_id

# Limits of the waiting time in seconds. The queue becomes slow when an answer waits longer than SLOW_FROM_S. It stays slow
# until no answer waits longer than SLOW_UNTIL_S.
SLOW_FROM_S = 10.0
SLOW_UNTIL_S = 5.0


async def watch_queue(db: Database, hub: EventHub) -> None:
    """Record for which assessments the queue became slow, and for which it is no longer slow. The candidates of these
    assessments are notified.
    """
    async with db.read() as session:
        noticed = set(await session.scalars(select(Outage.assessment_id).where(IS_OPEN)))
        waits = await _longest_waits(session, service.now())
    slowed = {each for each, seconds in waits.items() if seconds > SLOW_FROM_S} - noticed
    recovered = {each for each in noticed if waits.get(each, 0.0) <= SLOW_UNTIL_S}
    if not slowed and not recovered:
        return
    async with db.write() as session:
        # The period begins or ends at the time of this transaction, not at the time when the waits were read. Requests between
        # these two times have computed deadlines without the period, and these deadlines must stay valid.
        moment = service.now()
        ended = update(Outage).where(IS_OPEN, Outage.assessment_id.in_(recovered))
        await session.execute(ended.values(is_open=False, ends_at=moment))
        for assessment_id in sorted(slowed):
            session.add(_outage(assessment_id, moment))
        running = Participation.assessment_id.in_(slowed | recovered), Participation.finished_at.is_(None)
        accounts = list(await session.scalars(select(Participation.account_id).where(*running)))
    for account_id in accounts:
        hub.notify(account_id)


async def _longest_waits(session: AsyncSession, moment: datetime) -> dict[str, float]:
    """Return the longest wait of an answer in seconds, by assessment. Time in which the candidate's earlier answers were
    being judged is not counted.
    """
    own = aliased(Judging)
    find_for_account = own.account_id == Judging.account_id, own.number == 1, own.id != Judging.id
    busy = select(own.id).where(*find_for_account, own.status.in_(UNFINISHED), own.id < Judging.id).exists()
    judged = select(func.max(own.ended_at)).where(*find_for_account).scalar_subquery()
    waiting = Judging.status.in_(UNFINISHED) & ((Judging.status == Status.QUEUED) | (Judging.infra_faults > 0))
    first = waiting, Judging.number == 1, Judging.queued_at < moment - timedelta(seconds=SLOW_UNTIL_S), ~busy
    query = select(Participation.assessment_id, Judging.queued_at, judged)
    query = query.join(Judging, Judging.account_id == Participation.account_id).where(~Participation.is_test)
    waits: dict[str, float] = {}
    for assessment_id, queued_at, judged_at in await session.execute(query.where(*first)):
        since = max(queued_at, judged_at or queued_at)
        waits[assessment_id] = max(waits.get(assessment_id, 0.0), (moment - since).total_seconds())
    return waits


def _outage(assessment_id: str, moment: datetime) -> Outage:
    return Outage(
        id=new_id(),
        assessment_id=assessment_id,
        begins_at=moment,
        ends_at=moment,
        reported_by=None,
        created_at=moment,
        source="queue",
        is_open=True,
    )
