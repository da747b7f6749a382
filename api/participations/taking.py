"""Starting: what somebody with an invitation is told, and the beginning of a participation. Whoever starts again while it runs
goes on with it, on the newer device.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import candidates
from api.accounts.models import Account, AccountSession
from api.accounts.secrets import token_hash
from api.assessments import versions
from api.assessments.models import Assessment, AssessmentVersion
from api.assessments.plan import Plan, draw
from api.catalogue.service import Shelf
from api.errors import ApiError
from api.ids import new_id
from api.invitations.models import Invitation
from api.invitations.service import InvitationNotFound
from api.own.service import catalogue_of
from api.participations import clock, service
from api.participations.models import Participation, ParticipationItem, ParticipationSignal
from api.participations.schemas import NewStart, TakeView
from api.participations.service import Run, about
from api.state import State
from api.teams.models import Team
from api.webhooks.events import happened

# Built once: building one costs more than asking it, and hundreds may start in the same minute.
_HASH: BindParameter[str] = bindparam("token")
INVITED = (
    select(Invitation, Assessment)
    .join(Assessment, Assessment.id == Invitation.assessment_id)
    .where(or_(Invitation.token_hash == _HASH, Invitation.letter_hash == _HASH, Invitation.reminder_hash == _HASH))
    .with_for_update(of=Invitation)
)
TAKEN = (
    select(Participation)
    .where(Participation.invitation_id == bindparam("invitation"))
    .order_by(Participation.number)
    .with_for_update()
)
NEWEST_SESSION = select(func.max(AccountSession.id)).where(AccountSession.account_id == bindparam("account"))


class InvitationOver(ApiError):
    """It opens nothing any more."""

    status, code = 410, "invitation_over"


class NotYet(ApiError):
    """The window has not begun."""

    status, code = 409, "not_open_yet"


class HonourRequired(ApiError):
    """Without the statement there is no start."""

    status, code = 422, "honour_required"


@dataclass(frozen=True)
class Door:
    """An invitation that somebody holds, with what it opens. `run` is the participation that runs."""

    invitation: Invitation
    assessment: Assessment
    plan: Plan
    taken: int
    run: Run | None

    @property
    def extra_s(self) -> int:
        """Extra time of whoever starts now."""
        return self.invitation.extra_minutes * 60


async def knock(session: AsyncSession, token: str) -> Door:
    """What a token opens, locked until the end of the transaction. Raises `InvitationNotFound`, `InvitationOver`."""
    found = (await session.execute(INVITED, {"token": token_hash(token)})).one_or_none()
    if found is None:
        raise InvitationNotFound("This link opens nothing: it was mistyped, or a newer one took its place.")
    invitation, assessment = found
    taken = list(await session.scalars(TAKEN, {"invitation": invitation.id}))
    if taken and taken[-1].finished_at is None:
        run = await service.load(session, taken[-1])
        return Door(invitation, assessment, run.plan, len(taken), run)
    version = await versions.newest(session, assessment.id)
    if version is None:
        raise InvitationOver("This assessment is not ready. Ask the team that invited you.")
    return Door(invitation, assessment, versions.plan_of(version), len(taken), None)


def require_startable(door: Door, moment: datetime) -> None:
    """Nothing if another participation may begin. Raises `InvitationOver`, `NotYet`."""
    invitation, plan = door.invitation, door.plan
    if invitation.revoked_at is not None:
        raise InvitationOver("This invitation was taken back. Ask the team that invited you.")
    if door.taken >= plan.attempts:
        raise InvitationOver("You have taken this assessment. There is nothing more to do.")
    if door.assessment.state != "open":
        raise InvitationOver("This assessment is closed. Ask the team that invited you.")
    if plan.closes_at is not None and not clock.counts(moment, clock.last_start(plan.closes_at, door.extra_s)):
        raise InvitationOver("The time in which this assessment could be taken is over. Ask the team that invited you.")
    if not clock.counts(moment, invitation.expires_at):
        raise InvitationOver("This invitation has expired. Ask the team that invited you for another one.")
    if plan.opens_at is not None and moment < plan.opens_at:
        raise NotYet(f"This assessment opens on {plan.opens_at:%d %B %Y at %H:%M} UTC. Come back then.")


async def tell(session: AsyncSession, door: Door, moment: datetime) -> TakeView:
    """What somebody is told before the time runs."""
    team, plan = await session.get_one(Team, door.assessment.team_id), door.plan
    return TakeView(
        team=team.name,
        assessment=door.assessment.name,
        name=door.run.row.name if door.run else door.invitation.name,
        minutes=plan.minutes,
        extra_minutes=door.invitation.extra_minutes,
        opens_at=plan.opens_at,
        closes_at=plan.closes_at,
        expires_at=door.invitation.expires_at,
        attempts_left=max(0, plan.attempts - door.taken),
        running=door.run is not None,
        participation_id=door.run.row.id if door.run else None,
        server_time=moment,
        verdicts=plan.verdicts,
        instructions=plan.instructions,
        honour=plan.honour,
        allowed=plan.allowed,
        recorded=plan.recorded,
        practice=plan.practice,
        retention_days=plan.retention_days,
    )


async def start(session: AsyncSession, door: Door, wish: NewStart, shelf: Shelf, moment: datetime) -> Account:
    """Begin, or go on with what runs; returns the candidate. Raises `InvitationOver`, `NotYet`, `HonourRequired`,
    `PlanUnusable`.
    """
    if door.run is not None:
        return await session.get_one(Account, door.run.row.account_id)
    require_startable(door, moment)
    version = await versions.freeze(
        session, door.assessment, lambda: catalogue_of(session, shelf, door.assessment.team_id)
    )
    plan = versions.plan_of(version)
    if plan.honour and not wish.honour:
        raise HonourRequired("Agree to the honour statement first; without it there is no start.")
    account = candidates.make(session, wish.name)
    await session.flush()
    row = Participation(
        id=new_id(),
        assessment_id=door.assessment.id,
        version=version.number,
        invitation_id=door.invitation.id,
        account_id=account.id,
        number=door.taken + 1,
        name=wish.name,
        seed=secrets.randbits(62),
        started_at=moment,
        extra_s=door.extra_s,
        given_back_s=0,
        finished_at=None,
        finished_by=None,
        device="",
    )
    session.add(row)
    await session.flush()
    _draw(session, row, plan, version)
    door.invitation.used_at = door.invitation.used_at or moment
    await happened(session, "participation.started", about(row))
    return account


async def take_over(session: AsyncSession, account_id: str, agent: str, moment: datetime) -> Run:
    """From now on the newest session works on the participation."""
    row = (await session.scalars(service.MINE, {"account": account_id})).one()
    before, row.device = row.device, await session.scalar(NEWEST_SESSION, {"account": account_id}) or ""
    run = await service.load(session, row)
    if before not in ("", row.device) and "devices" in run.plan.recorded:
        signal = {"participation_id": row.id, "position": 0, "kind": "device", "at": moment, "size": 0}
        session.add(ParticipationSignal(id=new_id(), detail=agent[:200], **signal))
    return run


def _draw(session: AsyncSession, row: Participation, plan: Plan, version: AssessmentVersion) -> None:
    pinned = versions.digests_of(version)
    for position, item in enumerate(draw(plan, row.seed), start=1):
        session.add(
            ParticipationItem(
                participation_id=row.id,
                position=position,
                section_key=item.section_key,
                kind=item.kind,
                name=item.name,
                digest=pinned.get(f"{item.kind}:{item.name}", ""),
                points=item.points,
                attempt_id=None,
                opened_at=None,
            )
        )


async def knock_up_to_date(session: AsyncSession, token: str, state: State, moment: datetime) -> Door:
    """What a token opens, after what runs was brought up to date."""
    door = await knock(session, token)
    if door.run is None:
        return door
    await service.bring_up_to_date(session, door.run, state, moment)
    return await knock(session, token) if door.run.row.finished_at else door
