"""What happens by itself: who is over is finished every few seconds, and told of once everything is judged; once an hour
reminders leave, and what was kept long enough is erased, a little at a time.
"""

import asyncio
import time
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import candidates
from api.accounts.models import Account
from api.assessments.models import AssessmentVersion
from api.assessments.plan import Plan
from api.assessments.versions import digests_of, plan_of
from api.background import Keeper
from api.db import delete_some
from api.invitations.models import Invitation
from api.invitations.service import remind_those_whose_time_runs_out
from api.judging.models import IS_UNFINISHED, UNFINISHED, Judging
from api.own.models import OwnVersion
from api.participations import clock, service
from api.participations.models import Participation, ParticipationItem
from api.state import State
from api.webhooks.events import happened
from api.webhooks.models import IS_UNSETTLED, TeamEvent

AT_ONCE = 100
HOUR_S = 3600


class Timekeeper(Keeper):
    """Looks after every participation at which nobody looks."""

    def __init__(self, state: State) -> None:
        super().__init__(self._round)
        self._state = state
        self._hourly_at = 0.0

    async def _round(self) -> None:
        await finish_overdue(self._state)
        await settle(self._state)
        if time.monotonic() >= self._hourly_at:
            await self._hourly()
            self._hourly_at = time.monotonic() + HOUR_S
        await asyncio.sleep(self._state.settings.sweep_s)

    async def _hourly(self) -> None:
        for work in (remind, erase_old):
            while await work(self._state) >= AT_ONCE:
                await asyncio.sleep(0)
        await sweep_versions(self._state)


async def finish_overdue(state: State) -> None:
    """Finish who is over. Those who are not are only read, so that nobody who saves or sends waits for it."""
    moment = service.now()
    overdue = await _overdue(state, moment)
    for first in range(0, len(overdue), AT_ONCE):
        async with state.db.write() as session:
            some = select(Participation).where(Participation.id.in_(overdue[first : first + AT_ONCE]))
            rows = (await session.scalars(some.with_for_update(skip_locked=True))).all()
            queued = [
                await service.bring_up_to_date(session, await service.load(session, row), state, moment) for row in rows
            ]
        if any(queued):
            state.dispatcher.wake()
        for row in rows:
            state.hub.stir(row.account_id)


async def settle(state: State) -> None:
    """Tell of everybody who has finished and whose answers are all judged now."""
    waiting = select(TeamEvent.id, TeamEvent.participation_id).where(IS_UNSETTLED).order_by(TeamEvent.id)
    async with state.db.read() as session:
        found = (await session.execute(waiting.limit(AT_ONCE * 10))).all()
        unjudged = select(Participation.id).join(Judging, Judging.account_id == Participation.account_id)
        of_these = Participation.id.in_([row.participation_id for row in found])
        # What is tried on another version counts for nobody yet.
        counting = Judging.status.in_(UNFINISHED), ~Judging.superseded
        busy = set(await session.scalars(unjudged.where(of_these, *counting))) if found else set()
    ready = [row.id for row in found if row.participation_id not in busy]
    if not ready:
        return
    async with state.db.write() as session:
        query = select(TeamEvent, Participation).join(Participation, Participation.id == TeamEvent.participation_id)
        for event, row in (await session.execute(query.where(TeamEvent.id.in_(ready[:AT_ONCE])))).all():
            event.unsettled = False
            # Whoever got time again goes on, and finishes once more.
            if row.finished_at is not None:
                await happened(session, "participation.judged", service.about(row))


async def _overdue(state: State, moment: datetime) -> list[str]:
    plans: dict[tuple[str, int], Plan] = {}
    overdue = []
    async with state.db.read() as session:
        running = select(Participation).where(Participation.finished_at.is_(None))
        for row in (await session.scalars(running)).all():
            key = row.assessment_id, row.version
            if key not in plans:
                plans[key] = plan_of(await session.get_one(AssessmentVersion, key))
            if not clock.counts(moment, clock.deadline(service.terms_of(row, plans[key]))):
                overdue.append(row.id)
    return overdue


async def remind(state: State) -> int:
    """Remind people whose invitation ends within a day; returns how many."""
    async with state.db.write() as session:
        return await remind_those_whose_time_runs_out(session, AT_ONCE)


async def sweep_versions(state: State, older_than_s: float = HOUR_S) -> int:
    """Remove versions of challenges that are not served, not pinned, and wait for no judging; returns how many."""
    async with state.db.read() as session:
        needed = set(await session.scalars(select(ParticipationItem.digest).distinct()))
        needed |= set(await session.scalars(select(Judging.digest).where(IS_UNFINISHED).distinct()))
        frozen = select(AssessmentVersion).where(AssessmentVersion.frozen_at.is_not(None))
        for version in await session.scalars(frozen):
            needed |= set(digests_of(version).values())
        needed |= {challenge.package.digest for challenge in state.shelf.catalogue.challenges}
        needed |= set(await session.scalars(select(OwnVersion.digest)))
    return await asyncio.to_thread(state.shelf.kept.sweep, needed, older_than_s)


async def erase_old(state: State) -> int:
    """Erase, some at a time, who was kept long enough; returns the most that went of one kind."""
    moment = service.now()
    async with state.db.read() as session:
        versions = (await session.scalars(select(AssessmentVersion).order_by(AssessmentVersion.created_at))).all()
    gone = [await _erase_orphans(state, moment)]
    for version in versions:
        before = moment - timedelta(days=plan_of(version).retention_days)
        async with state.db.write() as session:
            gone += [
                await _erase_candidates(session, version, before),
                await _erase_invitations(session, version.assessment_id, before),
            ]
    return max(gone)


async def _erase_orphans(state: State, moment: datetime) -> int:
    """Candidates whose participation is gone with its assessment; not those whose is being made at this moment."""
    kept = select(Participation.id).where(Participation.account_id == Account.id).exists()
    alone = (Account.role == candidates.ROLE) & (Account.created_at < moment - timedelta(hours=1)) & ~kept
    async with state.db.write() as session:
        return await delete_some(session, Account, alone, AT_ONCE)


async def _erase_candidates(session: AsyncSession, version: AssessmentVersion, before: datetime) -> int:
    over = select(Participation.account_id).where(
        Participation.assessment_id == version.assessment_id,
        Participation.version == version.number,
        Participation.finished_at < before,
    )
    return await delete_some(session, Account, Account.id.in_(over), AT_ONCE)


async def _erase_invitations(session: AsyncSession, assessment_id: str, before: datetime) -> int:
    taken = select(Participation.id).where(Participation.invitation_id == Invitation.id).exists()
    old = (Invitation.assessment_id == assessment_id) & (Invitation.expires_at < before) & ~taken
    return await delete_some(session, Invitation, old, AT_ONCE)
