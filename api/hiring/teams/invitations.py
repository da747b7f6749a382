"""Invites people to a team by an email and a link. An invitation can be used once, through either of the two, within two
weeks, unless it is revoked.
"""

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Select, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.hiring.teams import service
from api.hiring.teams.membership import Membership
from api.hiring.teams.models import Team, TeamInvitation, TeamMember
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.accounts.models import Account
from api.identity.mail import outbox
from api.kit.db.database import changed, now
from api.kit.errors import ApiError
from api.kit.ids import new_id

if TYPE_CHECKING:
    from api.hiring.teams.schemas import InvitationState

OPEN, LASTS = 200, timedelta(days=14)
PREFIX = "team_"
MAIL_KIND = "team"
OVER = {
    "accepted": "This invitation was used already: it works only once. Ask for another one.",
    "revoked": "The team has revoked this invitation. Ask for another one.",
    "expired": "This invitation has expired. It was valid for two weeks. Ask for another one.",
}
UNKNOWN = "This link is not valid. A newer email may contain the current one."


class BadInvitation(ApiError):
    """The invitation does not exist, was used or revoked, or has expired. The message says which."""

    status, code = 410, "bad_invitation"

    def __init__(self, state: str = "") -> None:
        super().__init__(OVER.get(state, UNKNOWN))


class InvitationNotFound(ApiError):
    status, code = 404, "invitation_not_found"


class InvitationEnded(ApiError):
    """The invitation was used or revoked."""

    status, code = 409, "invitation_ended"


class AlreadyInvited(ApiError):
    """This address already has an open invitation."""

    status, code = 409, "already_invited"


class TooManyInvitations(ApiError):
    """The team has reached the maximum number of open invitations."""

    status, code = 409, "too_many_invitations"


def link_of(url: str, token: str) -> str:
    """Return the address of an invitation's page. The token is in the fragment, after «#», so that no server logs it."""
    return f"{url}/join#{token}"


def state_of(invitation: TeamInvitation) -> "InvitationState":
    if invitation.accepted_at is not None:
        return "accepted"
    if invitation.revoked_at is not None:
        return "revoked"
    return "open" if invitation.expires_at > now() else "expired"


async def create(session: AsyncSession, membership: Membership, email: str, role: str) -> tuple[TeamInvitation, str]:
    """Invite an address. Returns the invitation with its token, which is not stored. Raises `TeamNotFound`, `AlreadyMember`,
    `AlreadyInvited`, `TooManyInvitations`.
    """
    await service.lock(session, membership.team.id)
    await _require_new(session, membership.team.id, email)
    invitation = TeamInvitation(
        id=new_id(),
        team_id=membership.team.id,
        email=email,
        role=role,
        invited_by=membership.account.id,
        created_at=now(),
    )
    session.add(invitation)
    return invitation, await _send(session, invitation)


async def resend(session: AsyncSession, membership: Membership, invitation_id: str) -> tuple[TeamInvitation, str]:
    """Send another email and create another link for an invitation. The earlier email and link stop working. Raises
    `TeamNotFound`, `InvitationNotFound`, `InvitationEnded`, `TooManyInvitations`.
    """
    await service.lock(session, membership.team.id)
    invitation = await find(session, membership, invitation_id)
    if state_of(invitation) in ("accepted", "revoked"):
        raise InvitationEnded(f"This invitation is {state_of(invitation)}. Create a new one.")
    return invitation, await _send(session, invitation)


async def revoke(session: AsyncSession, membership: Membership, invitation_id: str) -> None:
    """Revoke an invitation. Raises `InvitationNotFound`, `InvitationEnded`."""
    invitation = await find(session, membership, invitation_id)
    taken = update(TeamInvitation).where(TeamInvitation.id == invitation.id, TeamInvitation.accepted_at.is_(None))
    if not changed(await session.execute(taken.values(revoked_at=invitation.revoked_at or now()))):
        raise InvitationEnded("A member has joined with this invitation. Remove the member from the team instead.")


async def find(session: AsyncSession, membership: Membership, invitation_id: str) -> TeamInvitation:
    """Return an invitation of the team. Raises `InvitationNotFound`."""
    found: TeamInvitation | None = await session.get(TeamInvitation, invitation_id)
    if found is None or found.team_id != membership.team.id:
        raise InvitationNotFound("This team has no invitation with this ID.")
    return found


def listing(team_id: str, before: str) -> Select[TeamInvitation, str | None, str | None]:
    """Return a query for a team's invitations, newest first, each with the name of the member who invited and the email
    address of the account that joined.
    """
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
    """Return the open invitation with this token, and its team. Raises `BadInvitation`."""
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
    """Join the team of an invitation. Returns the team's ID. Raises `BadInvitation`, `TeamNotFound`, `AlreadyMember`,
    `TeamFull`, `TooManyTeams`.
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
    await outbox.put(session, MAIL_KIND, invitation.email, invitation=invitation.id)
    return token


async def _require_new(session: AsyncSession, team_id: str, email: str) -> None:
    member = select(TeamMember.role).join(Account, Account.id == TeamMember.account_id)
    if await session.scalar(member.where(TeamMember.team_id == team_id, Account.email == email)):
        raise service.AlreadyMember("An account with this address is already in the team.")
    same = TeamInvitation.team_id == team_id, TeamInvitation.email == email
    if await session.scalar(select(TeamInvitation.id).where(*same, _is_open()).limit(1)):
        raise AlreadyInvited("This address has an open invitation. Send it again instead.")


def _is_open() -> ColumnElement[bool]:
    unused = TeamInvitation.accepted_at.is_(None) & TeamInvitation.revoked_at.is_(None)
    return unused & (TeamInvitation.expires_at > now())
