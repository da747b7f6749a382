"""Starts assessments: returns the information before the start, and creates the participation. If a participation is already
running, starting continues it on the newer device.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments import versions
from api.hiring.assessments.models import Assessment
from api.hiring.assessments.versions import PinnedPlan
from api.hiring.candidate_mails.logo import data_url_of
from api.hiring.candidate_mails.service import logo_of
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.service import InvitationNotFound
from api.hiring.participations import deadlines, service, webhook_events
from api.hiring.participations.models import CandidateAccount, Participation, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.plans.plan import Plan
from api.hiring.plans.random_items import draw, drawn_digest
from api.hiring.plans.totals import follow_up_counts, item_counts
from api.hiring.taking.start.schemas import NewStart, SectionOutline, TakeView
from api.hiring.team_catalogue.service import catalogue_of
from api.hiring.teams.models import Team
from api.identity.accounts import candidates
from api.identity.accounts.hashing import token_hash
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.settings import Settings

# These queries are built once, because building a statement costs more than running it, and hundreds of candidates may start
# in the same minute.
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


class InvitationOver(ApiError):
    """The invitation can no longer be used."""

    status, code = 410, "invitation_over"


class NotOpenYet(ApiError):
    """The assessment cannot be taken yet."""

    status, code = 409, "not_open_yet"


class HonourRequired(ApiError):
    """The honour statement was not accepted."""

    status, code = 422, "honour_required"


@dataclass(frozen=True)
class ResolvedInvitation:
    """An invitation with its assessment and plan. `taken` is the number of participations that were started with the
    invitation. `run` is the one of them that is still running, or None.
    """

    invitation: Invitation
    assessment: Assessment
    plan: Plan
    taken: int
    run: LoadedParticipation | None

    @property
    def extra_minutes(self) -> int:
        """Return the extra minutes of a participation that starts now. `time_percent` is the share of the plan's minutes that
        the candidate gets, so the part above 100 percent is extra time; it is rounded up to whole minutes. The invitation's own
        `extra_minutes` are added.
        """
        return -(-self.plan.minutes * (self.invitation.time_percent - 100) // 100) + self.invitation.extra_minutes

    @property
    def extra_s(self) -> int:
        return self.extra_minutes * 60


async def resolve_invitation(session: AsyncSession, token: str) -> ResolvedInvitation:
    """Return the invitation with this token, locked until the end of the transaction. Raises `InvitationNotFound`,
    `InvitationOver`.
    """
    found = (await session.execute(INVITED, {"token": token_hash(token)})).one_or_none()
    if found is None:
        raise InvitationNotFound("This link is not valid. It may be mistyped, or replaced by a newer one.")
    invitation, assessment = found
    taken = list(await session.scalars(TAKEN, {"invitation": invitation.id}))
    if taken and taken[-1].finished_at is None:
        run = await service.load(session, taken[-1])
        return ResolvedInvitation(invitation, assessment, run.plan, len(taken), run)
    version = await versions.newest(session, assessment.id)
    if version is None:
        raise InvitationOver("This assessment is not ready. Ask the team that invited you.")
    return ResolvedInvitation(invitation, assessment, versions.plan_of(version), len(taken), None)


def require_startable(resolved: ResolvedInvitation, moment: datetime) -> None:
    """Raise `InvitationOver` or `NotOpenYet` if no participation can be started."""
    invitation, plan = resolved.invitation, resolved.plan
    if invitation.revoked_at is not None:
        raise InvitationOver("This invitation was revoked. Ask the team that invited you.")
    if invitation.is_test:
        _require_untaken(resolved, moment)
        return
    if resolved.taken >= plan.attempts:
        raise InvitationOver("You have completed this assessment. There is nothing more to do.")
    if resolved.assessment.state != "open":
        raise InvitationOver("This assessment is closed. Ask the team that invited you.")
    if plan.closes_at is not None and not deadlines.is_in_time(
        moment, deadlines.last_start(plan.closes_at, resolved.extra_s)
    ):
        raise InvitationOver("The time in which this assessment could be taken is over. Ask the team that invited you.")
    if not deadlines.is_in_time(moment, invitation.expires_at):
        raise InvitationOver("This invitation has expired. Ask the team that invited you for another one.")
    if plan.opens_at is not None and moment < plan.opens_at:
        raise NotOpenYet(f"This assessment opens on {plan.opens_at:%d %B %Y at %H:%M} UTC. Come back then.")


def _require_untaken(resolved: ResolvedInvitation, moment: datetime) -> None:
    """Raise `InvitationOver` if a test drive can no longer be started. It can be started once, also while the assessment is a
    draft and outside its window.
    """
    if resolved.taken:
        raise InvitationOver("This test drive is finished. Start another one on the assessment's Preview page.")
    if not deadlines.is_in_time(moment, resolved.invitation.expires_at):
        raise InvitationOver("This link has expired. Start another test drive on the assessment's Preview page.")


async def describe(session: AsyncSession, resolved: ResolvedInvitation, moment: datetime) -> TakeView:
    """Return what the candidate sees before the time starts."""
    is_test = resolved.invitation.is_test
    team, plan = await session.get_one(Team, resolved.assessment.team_id), resolved.plan
    logo = await logo_of(session, team.id)
    return TakeView(
        team=team.name,
        logo=data_url_of(logo) if logo else None,
        assessment=resolved.assessment.name,
        name=resolved.run.row.name if resolved.run else resolved.invitation.name,
        minutes=plan.minutes,
        extra_minutes=resolved.extra_minutes,
        opens_at=None if is_test else plan.opens_at,
        closes_at=None if is_test else plan.closes_at,
        expires_at=resolved.invitation.expires_at,
        attempts=plan.attempts,
        attempts_left=max(0, plan.attempts - resolved.taken),
        running=resolved.run is not None,
        participation_id=resolved.run.row.id if resolved.run else None,
        server_time=moment,
        verdicts=plan.verdicts,
        instructions=plan.instructions,
        honour=plan.honour,
        allowed=plan.allowed,
        recorded=plan.recorded,
        practice=plan.practice,
        retention_days=plan.retention_days,
        sections=[
            SectionOutline(
                title=part.title, minutes=part.minutes, assistant=part.assistant, items=items, follow_ups=more
            )
            for part, items, more in zip(plan.sections, item_counts(plan), follow_up_counts(plan), strict=True)
        ],
        is_test=is_test,
    )


async def start(
    session: AsyncSession,
    resolved: ResolvedInvitation,
    request: NewStart,
    store: CatalogueStore,
    moment: datetime,
    signed_in_account_id: str | None = None,
) -> Account:
    """Start a participation, or continue the running one. Returns the candidate's account. `signed_in_account_id` is the
    account that is signed in in the same browser.

    Raises `InvitationOver`, `NotOpenYet`, `HonourRequired`, `PlanUnusable`.
    """
    if resolved.run is not None:
        if not resolved.invitation.is_test:
            await _link_accounts(session, resolved.run.row, {signed_in_account_id})
        return await session.get_one(Account, resolved.run.row.account_id)
    require_startable(resolved, moment)
    pinned = await _pinned_plan(session, resolved, store)
    if pinned.plan.honour and not request.honour:
        raise HonourRequired("Agree to the honour statement to start.")
    account = candidates.make(session, request.name)
    await session.flush()
    row = Participation(
        id=new_id(),
        assessment_id=resolved.assessment.id,
        version=pinned.number,
        invitation_id=resolved.invitation.id,
        account_id=account.id,
        number=resolved.taken + 1,
        name=request.name,
        seed=secrets.randbits(62),
        started_at=moment,
        extra_s=resolved.extra_s,
        given_back_s=0,
        finished_at=None,
        finished_by=None,
        device="",
        is_test=resolved.invitation.is_test,
    )
    session.add(row)
    await session.flush()
    if not row.is_test:
        await _link_accounts(
            session, row, {signed_in_account_id, await _account_of(session, resolved.invitation.email)}
        )
    _draw(session, row, pinned)
    resolved.invitation.used_at = resolved.invitation.used_at or moment
    await webhook_events.record(session, "participation.started", row)
    return account


async def _pinned_plan(session: AsyncSession, resolved: ResolvedInvitation, store: CatalogueStore) -> PinnedPlan:
    """Return the plan with which a participation starts now. Only candidates freeze it; test drives do not."""
    team_id = resolved.assessment.team_id
    if resolved.invitation.is_test:
        return await versions.try_out(session, resolved.assessment, await catalogue_of(session, store, team_id), store)
    frozen = await versions.freeze(session, resolved.assessment, lambda: catalogue_of(session, store, team_id), store)
    return PinnedPlan(frozen.number, versions.plan_of(frozen), versions.digests_of(frozen))


async def _link_accounts(session: AsyncSession, row: Participation, accounts: set[str | None]) -> None:
    """Record that these accounts on this site probably belong to the candidate."""
    for account_id in sorted(filter(None, accounts)):
        if await session.get(CandidateAccount, (row.id, account_id)) is None:
            session.add(CandidateAccount(participation_id=row.id, account_id=account_id))


async def _account_of(session: AsyncSession, email: str) -> str | None:
    """Return the ID of the account with the invited address, or None."""
    found: str | None = await session.scalar(select(Account.id).where(Account.email == email)) if email else None
    return found


def _draw(session: AsyncSession, row: Participation, pinned: PinnedPlan) -> None:
    for position, item in enumerate(draw(pinned.plan, row.seed), start=1):
        session.add(
            ParticipationItem(
                participation_id=row.id,
                position=position,
                section_key=item.section_key,
                kind=item.kind,
                name=item.name,
                digest=drawn_digest(item, pinned.digests, row.seed),
                points=item.points,
                attempt_id=None,
                opened_at=None,
                is_follow_up=item.is_follow_up,
            )
        )


async def resolve_up_to_date(
    session: AsyncSession, token: str, settings: Settings, store: CatalogueStore, moment: datetime
) -> ResolvedInvitation:
    """Return the invitation with this token. If a participation of the invitation is running, lost time is given back first,
    and the participation is finished if its time is over.
    """
    resolved = await resolve_invitation(session, token)
    if resolved.run is None:
        return resolved
    await service.bring_up_to_date(session, resolved.run, settings, store, moment)
    return await resolve_invitation(session, token) if resolved.run.row.finished_at else resolved
