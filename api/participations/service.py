"""Rules of participations: whose it is, when it ends, what counts, what it came to.

Every look at a participation brings its clock up to date, and finishes it if its time is over; the sweeper does the same for
those at whom nobody looks. What arrived in time counts even if it is dealt with after that.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from api import db
from api.accounts import candidates
from api.assessments.models import AssessmentVersion
from api.assessments.plan import Plan, SectionPlan
from api.assessments.versions import plan_of
from api.errors import ApiError
from api.judging.models import Judging, Status
from api.participations import clock
from api.participations.clock import Lost, Terms
from api.participations.models import Outage, Participation, ParticipationDraft, ParticipationItem
from api.state import State
from api.submissions import intake
from api.submissions.intake import Sent
from api.submissions.models import Submission, SubmissionSource
from api.webhooks.events import About, happened
from grader.job import Kind, Verdict

PLANS = 500
_plans: dict[tuple[str, int], Plan] = {}

# Built once: hundreds of candidates ask these every few seconds, and building one costs more than asking it.
MINE = select(Participation).where(Participation.account_id == bindparam("account")).with_for_update()
ITEMS = (
    select(ParticipationItem)
    .where(ParticipationItem.participation_id == bindparam("participation"))
    .order_by(ParticipationItem.position)
)
OUTAGES = select(Outage.begins_at, Outage.ends_at).where(Outage.assessment_id == bindparam("assessment"))
WAITS = select(
    Judging.account_id, Judging.status, Judging.verdict, Judging.queued_at, Judging.started_at, Judging.ended_at
).where(Judging.account_id.in_(bindparam("accounts", expanding=True)), Judging.number == 1)


class ParticipationNotFound(ApiError):
    """No such participation in this assessment."""

    status, code = 404, "participation_not_found"


class ItemNotFound(ApiError):
    """The participation has no item at this position."""

    status, code = 404, "item_not_found"


class TakenOver(ApiError):
    """The assessment was opened on another device since."""

    status, code = 409, "taken_over"


class TimeIsOver(ApiError):
    """It arrived too late, or the participation was finished before."""

    status, code = 409, "time_is_over"


@dataclass(frozen=True)
class Run:
    """A participation with its plan and items."""

    row: Participation
    plan: Plan
    items: Sequence[ParticipationItem]

    @property
    def terms(self) -> Terms:
        """What decides on the deadline."""
        return terms_of(self.row, self.plan)

    @property
    def end(self) -> datetime:
        """The last moment at which something counts."""
        return clock.deadline(self.terms)

    @property
    def shows_verdicts(self) -> bool:
        """Whether the candidate may see verdicts."""
        return self.plan.verdicts == "at_once" or self.row.finished_at is not None

    def section(self, key: str) -> SectionPlan:
        """A section of the plan."""
        return next(section for section in self.plan.sections if section.key == key)

    def opened_at(self, key: str) -> datetime | None:
        """When a section was opened first."""
        return min((item.opened_at for item in self.items if item.section_key == key and item.opened_at), default=None)

    def end_of(self, key: str) -> datetime:
        """The last moment for a section."""
        return clock.section_deadline(self.terms, self.opened_at(key), self.section(key).minutes)

    def item(self, position: int) -> ParticipationItem:
        """An item. Raises `ItemNotFound`."""
        if 1 <= position <= len(self.items):
            return self.items[position - 1]
        raise ItemNotFound("Your assessment has no such item.")


def now() -> datetime:
    """The service's clock, of which the tests have one of their own."""
    return db.now()


def terms_of(row: Participation, plan: Plan) -> Terms:
    """What decides on the deadline of a participation."""
    return Terms(row.started_at, plan.minutes, plan.closes_at, row.extra_s, row.given_back_s)


def about(row: Participation) -> About:
    """Whom an event of a participation is about."""
    return About(row.assessment_id, row.invitation_id, row.id)


def terms_before(row: Participation, plan: Plan) -> Terms:
    """What decided on the deadline before any time was given back."""
    return Terms(row.started_at, plan.minutes, plan.closes_at, row.extra_s)


async def load(session: AsyncSession, row: Participation) -> Run:
    """A participation with all that belongs to it."""
    items = await session.scalars(ITEMS, {"participation": row.id})
    return Run(row, await _plan(session, row), list(items))


async def _plan(session: AsyncSession, row: Participation) -> Plan:
    """The plan of a participation. It is frozen, so it is read once."""
    key = row.assessment_id, row.version
    if key not in _plans:
        if len(_plans) >= PLANS:
            _plans.clear()
        _plans[key] = plan_of(await session.get_one(AssessmentVersion, key))
    return _plans[key]


async def of_account(session: AsyncSession, account_id: str, device: str) -> Run:
    """The candidate's participation, locked until the end of the transaction. Raises `ParticipationNotFound`, `TakenOver`."""
    return await load(session, require_here(await session.scalar(MINE, {"account": account_id}), device))


def require_here(row: Participation | None, device: str) -> Participation:
    """The participation, if it is still kept and goes on on this device. Raises `ParticipationNotFound`, `TakenOver`."""
    if row is None:
        raise ParticipationNotFound("This participation is not kept any more.")
    if row.device != device:
        raise TakenOver(
            "Your assessment was opened on another device, and goes on there. Open the link again to work here."
        )
    return row


async def bring_up_to_date(session: AsyncSession, run: Run, state: State, moment: datetime) -> bool:
    """Give back lost time, and finish what is over; returns whether something was put into the queue."""
    waits = await waits_of(session, [run.row.account_id], moment)
    lost = [*await _outages(session, run), *waits[run.row.account_id]]
    given_back_s = clock.given_back_s(terms_before(run.row, run.plan), lost)
    run.row.given_back_s = max(run.row.given_back_s, given_back_s)
    # Time was given, or this arrived in time and was overtaken by the end: it goes on, until it is over once more.
    if run.row.finished_by == "deadline" and clock.counts(moment, run.end):
        run.row.finished_at = run.row.finished_by = None
    if run.row.finished_at is None and not clock.counts(moment, run.end):
        return await finish(session, run, state, "deadline", run.end)
    return False


def has_time(run: Run, position: int, received_at: datetime) -> bool:
    """Whether what arrived at this moment for an item counts, whatever time is still to be given back."""
    if run.row.finished_at is not None or not 1 <= position <= len(run.items):
        return False
    return clock.counts(received_at, min(run.end, run.end_of(run.items[position - 1].section_key)))


def require_time(run: Run, item: ParticipationItem, received_at: datetime) -> None:
    """Nothing if what arrived at this moment counts. Raises `TimeIsOver`."""
    if run.row.finished_by in ("candidate", "team"):
        raise TimeIsOver("This assessment is finished; nothing more can be sent.")
    if not clock.counts(received_at, run.end):
        raise TimeIsOver("The time of this assessment is over. What you had written by then counts.")
    if not clock.counts(received_at, run.end_of(item.section_key)):
        raise TimeIsOver("The time of this section is over. What you had written by then counts.")


async def finish(session: AsyncSession, run: Run, state: State, by: str, moment: datetime) -> bool:
    """End a participation that runs: what was written last is sent. Returns whether something was put into the queue."""
    run.row.finished_at, run.row.finished_by = moment, by
    drafts = select(ParticipationDraft).where(ParticipationDraft.participation_id == run.row.id)
    sent = [await send_last(session, run, state, draft) for draft in (await session.scalars(drafts)).all()]
    await happened(session, "participation.finished", about(run.row), unsettled=True)
    return any(sent)


async def send_last(session: AsyncSession, run: Run, state: State, draft: ParticipationDraft) -> bool:
    """Send a draft as an answer, unless it was sent last, or is what everybody starts with."""
    item = run.item(draft.position)
    challenge = state.shelf.pinned(item.name, item.digest)
    if challenge is None or not draft.source.strip() or draft.source == challenge.package.starter:
        return False
    if draft.source == await _last_source(session, run.row.account_id, item.name):
        return False
    device = "cpu" if "cpu" in challenge.package.info.devices else challenge.package.info.devices[0]
    sent = Sent(run.row.account_id, Kind.SUBMIT, device, draft.source, "", None, candidates.ROLE, last=True)
    await intake.submit(session, sent, challenge.package, state.settings)
    return True


async def _last_source(session: AsyncSession, account_id: str, slug: str) -> str | None:
    mine = Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.SUBMIT
    query = select(SubmissionSource.source).join(Submission, Submission.id == SubmissionSource.submission_id)
    source: str | None = await session.scalar(query.where(*mine).order_by(Submission.id.desc()).limit(1))
    return source


async def _outages(session: AsyncSession, run: Run) -> list[Lost]:
    rows = await session.execute(OUTAGES, {"assessment": run.row.assessment_id})
    return [Lost(begins, ends) for begins, ends in rows]


async def waits_of(session: AsyncSession, accounts: Sequence[str], moment: datetime) -> dict[str, list[Lost]]:
    """What our queue and our faults cost each of these, of what was judged for the first time."""
    lost: dict[str, list[Lost]] = defaultdict(list)
    rows = await session.execute(WAITS, {"accounts": accounts})
    for account_id, status, verdict, queued_at, started_at, ended_at in rows:
        if verdict == Verdict.JE and ended_at:
            lost[account_id].append(Lost(queued_at, ended_at))
        elif status != Status.CANCELLED and (one := clock.wait(queued_at, started_at or moment)):
            lost[account_id].append(one)
    return lost
