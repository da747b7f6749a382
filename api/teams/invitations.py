"""Inviting people to a team: a letter and a link, each good once, for two weeks, until it is revoked."""

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Select, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.accounts.models import Account
from api.accounts.secrets import new_token, token_hash
from api.db import changed, now
from api.errors import ApiError
from api.ids import new_id
from api.letters import outbox
from api.teams import service
from api.teams.models import Team, TeamInvitation, TeamMember
from api.teams.seats import Seat

if TYPE_CHECKING:
    from api.teams.schemas import InvitationState

OPEN, LASTS = 200, timedelta(days=14)
PREFIX = "team_"
LETTER = "team"
OVER = {
    "accepted": "Somebody joined the team with this invitation already. It works once.",
    "revoked": "The team took this invitation back. Ask for another one.",
    "expired": "This invitation has expired: it worked for two weeks. Ask for another one.",
}
UNKNOWN = "This link leads to no invitation. Perhaps a newer letter has the one that works."


class BadInvitation(ApiError):
    """An invitation that was used, revoked, has expired or never was; whoever has its link is told which."""

    status, code = 410, "bad_invitation"

    def __init__(self, state: str = "") -> None:
        super().__init__(OVER.get(state, UNKNOWN))


class InvitationNotFound(ApiError):
    """The team has no such invitation."""

    status, code = 404, "invitation_not_found"


class InvitationEnded(ApiError):
    """Somebody joined with it, or it was revoked."""

    status, code = 409, "invitation_ended"


class AlreadyInvited(ApiError):
    """There is an open invitation for this address."""

    status, code = 409, "already_invited"


class TooManyInvitations(ApiError):
    """The team has as many open invitations as are allowed."""

    status, code = 409, "too_many_invitations"


def link_of(url: str, token: str) -> str:
    """Where an invitation is opened. The token stands behind «#»: no server ever logs it."""
    return f"{url}/join#{token}"


def state_of(invitation: TeamInvitation) -> "InvitationState":
    """Where an invitation stands now."""
    if invitation.accepted_at is not None:
        return "accepted"
    if invitation.revoked_at is not None:
        return "revoked"
    return "open" if invitation.expires_at > now() else "expired"


async def create(session: AsyncSession, seat: Seat, email: str, role: str) -> tuple[TeamInvitation, str]:
    """Invite an address; returns the invitation with its token, which is never known again. Raises `TeamNotFound`,
    `AlreadyMember`, `AlreadyInvited`, `TooManyInvitations`.
    """
    await service.lock(session, seat.team.id)
    await _require_new(session, seat.team.id, email)
    invitation = TeamInvitation(
        id=new_id(), team_id=seat.team.id, email=email, role=role, invited_by=seat.account.id, created_at=now()
    )
    session.add(invitation)
    return invitation, await _send(session, invitation)


async def resend(session: AsyncSession, seat: Seat, invitation_id: str) -> tuple[TeamInvitation, str]:
    """Another letter and link; those before are worthless. Raises `TeamNotFound`, `InvitationNotFound`, `InvitationEnded`,
    `TooManyInvitations`.
    """
    await service.lock(session, seat.team.id)
    invitation = await find(session, seat, invitation_id)
    if state_of(invitation) in ("accepted", "revoked"):
        raise InvitationEnded(f"This invitation is {state_of(invitation)}. Make a new one.")
    return invitation, await _send(session, invitation)


async def revoke(session: AsyncSession, seat: Seat, invitation_id: str) -> None:
    """Make an invitation worthless. Raises `InvitationNotFound`, `InvitationEnded`."""
    invitation = await find(session, seat, invitation_id)
    taken = update(TeamInvitation).where(TeamInvitation.id == invitation.id, TeamInvitation.accepted_at.is_(None))
    if not changed(await session.execute(taken.values(revoked_at=invitation.revoked_at or now()))):
        raise InvitationEnded("Somebody joined with this invitation. Take the member out of the team instead.")


async def find(session: AsyncSession, seat: Seat, invitation_id: str) -> TeamInvitation:
    """An invitation of the team's. Raises `InvitationNotFound`."""
    found: TeamInvitation | None = await session.get(TeamInvitation, invitation_id)
    if found is None or found.team_id != seat.team.id:
        raise InvitationNotFound("This team has no invitation with this id.")
    return found


def listing(team_id: str, before: str) -> Select[TeamInvitation, str | None, str | None]:
    """A team's invitations, newest first, each with the name of who invited and the address of who joined."""
    inviting, joining = aliased(Account), aliased(Account)
    query = (
        select(TeamInvitation, inviting.name, joining.email)
        .outerjoin(inviting, inviting.id == TeamInvitation.invited_by)
        .outerjoin(joining, joining.id == TeamInvitation.accepted_by)
        .where(TeamInvitation.team_id == team_id)
        .order_by(TeamInvitation.id.desc())
    )
    return query.where(TeamInvitation.id < before) if before else query


async def read(session: AsyncSession, token: str) -> tuple[TeamInvitation, Team]:
    """The open invitation of a token, and its team. Raises `BadInvitation`."""
    known = token_hash(token)
    query = select(TeamInvitation, Team).join(Team, Team.id == TeamInvitation.team_id)
    query = query.where(or_(TeamInvitation.token_hash == known, TeamInvitation.letter_hash == known))
    row = (await session.execute(query)).one_or_none()
    if row is None:
        raise BadInvitation
    invitation, team = row
    if (state := state_of(invitation)) != "open":
        raise BadInvitation(state)
    return invitation, team


async def accept(session: AsyncSession, account_id: str, token: str) -> str:
    """Join the team of an invitation; returns its id. Raises `BadInvitation`, `TeamNotFound`, `AlreadyMember`, `TeamFull`,
    `TooManyTeams`.
    """
    invitation, team = await read(session, token)
    await service.join(session, team.id, account_id, invitation.role)
    used = update(TeamInvitation).where(TeamInvitation.id == invitation.id, _is_open())
    if not changed(await session.execute(used.values(accepted_at=now(), accepted_by=account_id))):
        raise BadInvitation("accepted")
    return team.id


async def _send(session: AsyncSession, invitation: TeamInvitation) -> str:
    token = new_token(PREFIX)
    invitation.token_hash, invitation.letter_hash, invitation.expires_at = token_hash(token), None, now() + LASTS
    await session.flush()
    count = select(func.count()).select_from(TeamInvitation).where(TeamInvitation.team_id == invitation.team_id)
    if (await session.scalar(count.where(_is_open())) or 0) > OPEN:
        raise TooManyInvitations(f"This team has {OPEN} open invitations. Revoke one first.")
    await outbox.put(session, LETTER, invitation.email, invitation=invitation.id)
    return token


async def _require_new(session: AsyncSession, team_id: str, email: str) -> None:
    member = select(TeamMember.role).join(Account, Account.id == TeamMember.account_id)
    if await session.scalar(member.where(TeamMember.team_id == team_id, Account.email == email)):
        raise service.AlreadyMember("An account with this address is in the team already.")
    same = TeamInvitation.team_id == team_id, TeamInvitation.email == email
    if await session.scalar(select(TeamInvitation.id).where(*same, _is_open()).limit(1)):
        raise AlreadyInvited("This address has an open invitation. Send it again instead.")


def _is_open() -> ColumnElement[bool]:
    unused = TeamInvitation.accepted_at.is_(None) & TeamInvitation.revoked_at.is_(None)
    return unused & (TeamInvitation.expires_at > now())
