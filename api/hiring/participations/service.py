"""Loads, updates and finishes participations. This module decides who may work on a participation, when the participation ends,
and which requests still count.

A request first gives back lost time, and finishes the participation if its time is over. Requests that are frequent, such as
saving, do this only if the time seems to be over (see `has_time`). The sweeper does the same for participations without
requests. A finished participation reopens only if the team gives it more time. A request that arrived in time counts even if it
is processed later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import AssessmentVersion
from api.hiring.assessments.versions import plan_of
from api.hiring.participations import deadlines, newest_code, submission_limits
from api.hiring.participations.deadlines import LostTime, TimeAllowance
from api.hiring.participations.models import Outage, Participation, ParticipationDraft, ParticipationItem
from api.hiring.participations.webhook_events import record
from api.hiring.plans.plan import ItemPlan, Plan, SectionPlan
from api.identity.accounts import candidates
from api.judging.intake import intake
from api.judging.intake.default_device import default_device
from api.kit.db import database
from api.kit.db.prepared import Prepared, tracked
from api.kit.errors import ApiError
from api.settings import Settings
from grader.contract.job import Kind

PLANS = 500
_plans: dict[tuple[str, int], Plan] = {}

MINE = Prepared(
    select(*Participation.__table__.columns).where(Participation.account_id == bindparam("account")).with_for_update()
)
ITEMS = Prepared(
    select(*ParticipationItem.__table__.columns)
    .where(ParticipationItem.participation_id == bindparam("participation"))
    .order_by(ParticipationItem.position)
)
OUTAGES = Prepared(
    select(Outage.begins_at, Outage.ends_at, Outage.source, Outage.is_open).where(
        Outage.assessment_id == bindparam("assessment")
    )
)


class ParticipationNotFound(ApiError):
    status, code = 404, "participation_not_found"


class ItemNotFound(ApiError):
    status, code = 404, "item_not_found"


class TakenOver(ApiError):
    """The assessment was opened on another device."""

    status, code = 409, "taken_over"


class HandedIn(ApiError):
    """The candidate has handed in the item, so it can no longer be changed."""

    status, code = 409, "handed_in"


class TimeIsOver(ApiError):
    """The request arrived too late, or the participation is already finished."""

    status, code = 409, "time_is_over"


@dataclass(frozen=True)
class LoadedParticipation:
    """A participation with its plan and items. `lost` contains outages, and `slow` contains the slow periods of the queue."""

    row: Participation
    plan: Plan
    items: Sequence[ParticipationItem]
    lost: Sequence[LostTime] = ()
    slow: Sequence[LostTime] = ()

    @property
    def allowance(self) -> TimeAllowance:
        return deadlines.allowance_of(self.row, self.plan)

    @property
    def end(self) -> datetime:
        """Return the last moment at which a submission or an answer counts."""
        return deadlines.deadline(self.allowance)

    @property
    def shows_verdicts(self) -> bool:
        """Return whether the candidate may see verdicts."""
        if self.plan.verdicts == "after":
            return self.row.finished_at is not None
        return self.plan.verdicts == "at_once"

    def section(self, key: str) -> SectionPlan:
        return next(section for section in self.plan.sections if section.key == key)

    def opened_at(self, key: str) -> datetime | None:
        """Return when the section was first opened, or None."""
        return min((item.opened_at for item in self.items if item.section_key == key and item.opened_at), default=None)

    def end_of(self, key: str) -> datetime:
        """Return the last moment at which a submission or an answer counts for a section."""
        return deadlines.section_deadline(
            self.allowance, self.opened_at(key), self.section(key).minutes, self.lost, self.slow
        )

    def plan_of(self, item: ParticipationItem) -> ItemPlan:
        """Return what the plan says about an item; a follow-up has the rules of the item that it follows. A plan contains each
        challenge, quiz and question at most once.
        """
        return next(each for each in self.section(item.section_key).items if each.offers(item.kind, item.name))

    def item(self, position: int) -> ParticipationItem:
        """Return the item at this position, counted from 1. Raises `ItemNotFound`."""
        if 1 <= position <= len(self.items):
            return self.items[position - 1]
        raise ItemNotFound("Your assessment has no such item.")

    def is_locked(self, position: int) -> bool:
        """Return whether the item is a follow-up of an item that is not handed in yet. Candidates learn nothing about it."""
        return self.items[position - 1].is_follow_up and self.items[position - 2].handed_in_at is None

    def item_for_candidate(self, position: int) -> ParticipationItem:
        """Return the item at this position. Raises `ItemNotFound`, also for an item that is locked."""
        item = self.item(position)
        if self.is_locked(position):
            raise ItemNotFound("Your assessment has no such item.")
        return item

    def has_follow_up(self, position: int) -> bool:
        """Return whether the next item is a follow-up of this one."""
        return position < len(self.items) and self.items[position].is_follow_up


def now() -> datetime:
    """Return the current time. Tests replace this function."""
    return database.now()


async def load(session: AsyncSession, row: Participation) -> LoadedParticipation:
    """Load a participation with its plan, items, and lost time."""
    items = [tracked(session, ParticipationItem, each) for each in await ITEMS.rows(session, participation=row.id)]
    lost, slow = await _lost(session, row)
    return LoadedParticipation(row, await _plan(session, row), items, lost, slow)


async def _lost(session: AsyncSession, row: Participation) -> tuple[list[LostTime], list[LostTime]]:
    """Return the outages of the assessment, and the periods in which its queue was slow. A period that has not ended lasts
    until now.
    """
    found: dict[str, list[LostTime]] = {"team": [], "queue": []}
    moment = now()
    for begins, ends, source, is_open in await OUTAGES.rows(session, assessment=row.assessment_id):
        found[source].append(LostTime(begins, max(begins, moment) if is_open else ends))
    return found["team"], found["queue"]


async def _plan(session: AsyncSession, row: Participation) -> Plan:
    """Return the plan of a participation. The plan no longer changes, so it can be cached."""
    key = row.assessment_id, row.version
    if key not in _plans:
        if len(_plans) >= PLANS:
            _plans.clear()
        _plans[key] = plan_of(await session.get_one(AssessmentVersion, key))
    return _plans[key]


async def find_for_account(session: AsyncSession, account_id: str, device: str) -> LoadedParticipation:
    """Return the candidate's participation, locked until the end of the transaction. Raises `ParticipationNotFound`,
    `TakenOver`.
    """
    return await load(session, require_current_device(await lock(session, account_id), device))


async def lock(session: AsyncSession, account_id: str) -> Participation | None:
    """Return the candidate's participation, locked until the end of the transaction."""
    rows = await MINE.rows(session, account=account_id)
    return tracked(session, Participation, rows[0]) if rows else None


def require_current_device(row: Participation | None, device: str) -> Participation:
    """Return the participation if it still exists and this device may work on it. Raises `ParticipationNotFound`,
    `TakenOver`.
    """
    if row is None:
        raise ParticipationNotFound("This participation has been deleted.")
    if row.device != device:
        raise TakenOver(
            "Your assessment was opened on another device and continues there. To work here, open the link again."
        )
    return row


async def bring_up_to_date(
    session: AsyncSession, run: LoadedParticipation, settings: Settings, store: CatalogueStore, moment: datetime
) -> bool:
    """Give back lost time, and finish the participation if its time is over. Returns whether an answer was queued for judging.

    A participation that is already finished is left unchanged.
    """
    if run.row.finished_at is not None:
        return False
    credit_lost_time(run)
    if deadlines.is_in_time(moment, run.end):
        return False
    return await finish(session, run, settings, store, "deadline", run.end)


def credit_lost_time(run: LoadedParticipation) -> None:
    """Store how much time outages and a slow queue cost the candidate. The stored value never decreases."""
    given_back_s = deadlines.given_back_s(deadlines.original_allowance(run.row, run.plan), run.lost, run.slow)
    run.row.given_back_s = max(run.row.given_back_s, given_back_s)


async def apply_given_time(
    session: AsyncSession, run: LoadedParticipation, settings: Settings, store: CatalogueStore, moment: datetime
) -> None:
    """Update the deadline after the team gave extra time or reported an outage. If the participation already ended at its
    deadline, it reopens when the new deadline is in the future.
    """
    credit_lost_time(run)
    if run.row.finished_by == "deadline" and deadlines.is_in_time(moment, run.end):
        run.row.finished_at = run.row.finished_by = None
    await bring_up_to_date(session, run, settings, store, moment)


def has_time(run: LoadedParticipation, position: int, received_at: datetime) -> bool:
    """Return whether a submission or an answer for this item counts if it arrived at `received_at`. Lost time that was not
    given back yet is ignored. So if the result is False, the caller must give lost time back and check again.
    """
    if run.row.finished_at is not None or not 1 <= position <= len(run.items):
        return False
    return deadlines.is_in_time(received_at, min(run.end, run.end_of(run.items[position - 1].section_key)))


def require_time(run: LoadedParticipation, item: ParticipationItem, received_at: datetime) -> None:
    """Raise `TimeIsOver` or `HandedIn` if a submission or an answer that arrived at `received_at` does not count."""
    if run.row.finished_by in ("candidate", "team"):
        raise TimeIsOver("This assessment is finished. You can no longer submit anything.")
    if not deadlines.is_in_time(received_at, run.end):
        raise TimeIsOver("The time for this assessment is over. What you had written by then counts.")
    if not deadlines.is_in_time(received_at, run.end_of(item.section_key)):
        raise TimeIsOver("The time for this section is over. What you had written by then counts.")
    if item.handed_in_at is not None:
        raise HandedIn("You have handed in this task, so it can no longer be changed. Continue with its follow-up.")


async def finish(
    session: AsyncSession,
    run: LoadedParticipation,
    settings: Settings,
    store: CatalogueStore,
    by: str,
    moment: datetime,
) -> bool:
    """Finish a running participation and submit its last drafts. Returns whether an answer was queued for judging."""
    run.row.finished_at, run.row.finished_by = moment, by
    drafts = select(ParticipationDraft).where(ParticipationDraft.participation_id == run.row.id)
    sent = [await send_last(session, run, settings, store, draft) for draft in (await session.scalars(drafts)).all()]
    await record(session, "participation.finished", run.row, unsettled=True)
    return any(sent)


async def send_last(
    session: AsyncSession,
    run: LoadedParticipation,
    settings: Settings,
    store: CatalogueStore,
    draft: ParticipationDraft,
) -> bool:
    """Submit a draft of code unless it is empty, equals the last submission or the code that the item starts with, the item is
    handed in, or no submission is left. Returns whether it was submitted. The draft of a text is the answer itself.
    """
    item = run.item(draft.position)
    if item.handed_in_at is not None or item.kind != "challenge":
        return False
    challenge = store.pinned(item.name, item.digest)
    if challenge is None or not draft.source.strip() or draft.source == challenge.package.starter:
        return False
    start = await newest_code.of_item(session, run.row, run.item(item.position - 1)) if item.is_follow_up else None
    sent = await newest_code.last_submission(session, run.row.account_id, item.name)
    if any(each is not None and each.source == draft.source for each in (start, sent)):
        return False
    left = await submission_limits.submissions_left(session, run.row.account_id, {item.name: run.plan_of(item)})
    if item.name in left and left[item.name].left == 0:
        return False
    account_id, device = run.row.account_id, default_device(challenge.package)
    last = intake.SubmissionData(account_id, Kind.SUBMIT, device, draft.source, "", None, candidates.ROLE, last=True)
    await intake.submit(session, last, challenge.package, settings)
    return True
