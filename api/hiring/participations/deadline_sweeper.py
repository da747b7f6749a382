"""Runs background work on participations. Every few seconds, the sweeper finishes participations whose time is over, and
records an event for each participation whose answers are all judged. Once an hour, it sends reminders and erases expired data
in small batches.
"""

import asyncio
import time
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import AssessmentVersion
from api.hiring.assessments.versions import digests_of, plan_of
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.service import send_due_reminders
from api.hiring.participations import deadlines, service, webhook_events
from api.hiring.participations.models import IS_RUNNING, Participation, ParticipationItem
from api.hiring.participations.slow_queue import watch_queue
from api.hiring.participations.text_answers import awaiting_review
from api.hiring.room_records.models import Room, RoomChallenge
from api.hiring.room_records.retention import AT_ONCE as ROOMS_AT_ONCE
from api.hiring.room_records.retention import erase_old_rooms
from api.hiring.team_catalogue.models import OwnVersion
from api.hiring.webhooks.models import IS_UNSETTLED, TeamEvent
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.submissions.events import EventHub
from api.judging.submissions.models import IS_UNFINISHED, UNFINISHED, Judging
from api.kit.db.database import Database, delete_some
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings

AT_ONCE = 100
HOUR_S = 3600


class DeadlineSweeper(SupervisedTask):
    """Runs the background work that this module describes. With it, a participation ends on time even if its candidate sends no
    more requests.
    """

    def __init__(
        self, db: Database, settings: Settings, store: CatalogueStore, dispatcher: Dispatcher, hub: EventHub
    ) -> None:
        super().__init__(self._round)
        self._db, self._settings, self._store, self._dispatcher, self._hub = db, settings, store, dispatcher, hub
        self._hourly_at = 0.0

    async def _round(self) -> None:
        await watch_queue(self._db, self._hub)
        await self.finish_overdue()
        await record_judged(self._db)
        if time.monotonic() >= self._hourly_at:
            await self._hourly()
            self._hourly_at = time.monotonic() + HOUR_S
        await pause(self._settings.sweep_s)

    async def finish_overdue(self) -> None:
        """Finish participations whose time is over. Only these are locked, so that requests of other candidates do not wait
        for the sweep.
        """
        moment = service.now()
        overdue = await _overdue(self._db, moment)
        for first in range(0, len(overdue), AT_ONCE):
            async with self._db.write() as session:
                some = select(Participation).where(Participation.id.in_(overdue[first : first + AT_ONCE]))
                rows = (await session.scalars(some.with_for_update(skip_locked=True))).all()
                queued = [
                    await service.bring_up_to_date(
                        session, await service.load(session, row), self._settings, self._store, moment
                    )
                    for row in rows
                ]
            if any(queued):
                self._dispatcher.wake()
            for row in rows:
                self._hub.notify(row.account_id)

    async def _hourly(self) -> None:
        for work in (remind, erase_old) if self._settings.sends_mail else (erase_old,):
            while await work(self._db) >= AT_ONCE:
                await asyncio.sleep(0)
        while await erase_old_rooms(self._db, self._settings.room_days) >= ROOMS_AT_ONCE:
            await asyncio.sleep(0)
        await sweep_versions(self._db, self._store)


async def record_judged(db: Database) -> None:
    """Record the event `participation.judged` for each finished participation whose answers are all judged, unless it was
    already recorded. If a text of it awaits its review, the event is recorded with the review instead.
    """
    waiting = select(TeamEvent.id, TeamEvent.participation_id).where(IS_UNSETTLED).order_by(TeamEvent.id)
    async with db.read() as session:
        found = (await session.execute(waiting.limit(AT_ONCE * 10))).all()
        unjudged = select(Participation.id).join(Judging, Judging.account_id == Participation.account_id)
        of_these = Participation.id.in_([row.participation_id for row in found])
        # Superseded judgings, for example of a rejudge that was not applied, do not count.
        counting = Judging.status.in_(UNFINISHED), ~Judging.superseded
        busy = set(await session.scalars(unjudged.where(of_these, *counting))) if found else set()
    ready = [row.id for row in found if row.participation_id not in busy]
    if not ready:
        return
    async with db.write() as session:
        query = select(TeamEvent, Participation).join(Participation, Participation.id == TeamEvent.participation_id)
        rows = (await session.execute(query.where(TeamEvent.id.in_(ready[:AT_ONCE])))).all()
        ungraded = await awaiting_review(session, [row.id for _, row in rows])
        for event, row in rows:
            event.unsettled = False
            # A participation that was reopened with more time is not finished. Its event is recorded after it finishes again.
            if row.finished_at is not None and row.id not in ungraded:
                await webhook_events.record(session, "participation.judged", row)


async def _overdue(db: Database, moment: datetime) -> list[str]:
    """Return the IDs of participations whose time is over. While the window is open, participations that started less than the
    plan's minutes ago are skipped without being read: extra time and time given back only move a deadline later, so these
    participations still have time.
    """
    versions = select(Participation.assessment_id, Participation.version).where(IS_RUNNING).distinct()
    overdue = []
    async with db.read() as session:
        for key in (await session.execute(versions)).all():
            plan = plan_of(await session.get_one(AssessmentVersion, tuple(key)))
            of_this = (Participation.assessment_id == key.assessment_id) & (Participation.version == key.version)
            rows = select(Participation).where(IS_RUNNING, of_this)
            if plan.closes_at is None or deadlines.is_in_time(moment, plan.closes_at):
                rows = rows.where(Participation.started_at < moment - timedelta(minutes=plan.minutes))
            for row in await session.scalars(rows):
                if not deadlines.is_in_time(moment, deadlines.deadline(deadlines.allowance_of(row, plan))):
                    overdue.append(row.id)
    return overdue


async def remind(db: Database) -> int:
    """Send reminders for a batch of invitations that expire within a day. Returns how many were sent."""
    async with db.write() as session:
        return await send_due_reminders(session, AT_ONCE)


async def sweep_versions(db: Database, store: CatalogueStore, older_than_s: float = HOUR_S) -> int:
    """Remove stored versions of challenges that nothing needs any more. A version is kept if it is in the catalogue, pinned by
    an assessment, a version of a team's own challenge, or used by a participation or an unfinished judging. Versions that were
    stored less than `older_than_s` seconds ago are kept too. Returns how many were removed.
    """
    async with db.read() as session:
        needed = set(await session.scalars(select(ParticipationItem.digest).distinct()))
        needed |= set(await session.scalars(select(RoomChallenge.digest).distinct()))
        needed |= set(await session.scalars(select(Judging.digest).where(IS_UNFINISHED).distinct()))
        for version in await session.scalars(select(AssessmentVersion).where(AssessmentVersion.digests != "{}")):
            needed |= set(digests_of(version).values())
        catalogue = store.catalogue
        served = (*catalogue.challenges, *catalogue.reserved.values())
        needed |= {each.package.digest for each in served}
        needed |= {variant.digest for each in served for variant in each.variants}
        needed |= set(await session.scalars(select(OwnVersion.digest)))
    return await asyncio.to_thread(store.kept.sweep, needed, older_than_s)


async def erase_old(db: Database) -> int:
    """Erase a batch of data whose retention period is over. The work consists of several steps, each of which erases at most
    AT_ONCE rows. Returns the largest number of rows that one step erased. If it is smaller than AT_ONCE, nothing is left to
    erase.
    """
    moment = service.now()
    async with db.read() as session:
        versions = (await session.scalars(select(AssessmentVersion).order_by(AssessmentVersion.created_at))).all()
    gone = [await _erase_orphans(db, moment)]
    for version in versions:
        before = moment - timedelta(days=plan_of(version).retention_days)
        async with db.write() as session:
            gone += [
                await _erase_candidates(session, version, before),
                await _erase_invitations(session, version.assessment_id, before),
            ]
    return max(gone)


async def _erase_orphans(db: Database, moment: datetime) -> int:
    """Erase accounts of candidates whose participation or room was deleted together with its assessment or team. Accounts
    younger than an hour are kept, because their participation or room may not be stored yet.
    """
    kept = or_(
        select(Participation.id).where(Participation.account_id == Account.id).exists(),
        select(Room.id).where(Room.account_id == Account.id).exists(),
    )
    alone = (Account.role == candidates.ROLE) & (Account.created_at < moment - timedelta(hours=1)) & ~kept
    async with db.write() as session:
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
