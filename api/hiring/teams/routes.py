"""Routes for teams: create and manage them, manage members and roles, invite people, and join."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, status

from api.hiring.teams import activity_log, invitations, service
from api.hiring.teams.membership import AsOwner, AsReviewer, RoleTooLow, TeamNotFound
from api.hiring.teams.models import TeamInvitation, TeamMember
from api.hiring.teams.schemas import (
    InvitationToken,
    MemberList,
    MemberView,
    NamedTeam,
    NewMemberRole,
    NewResultSharing,
    NewTeamInvitation,
    SentTeamInvitation,
    TeamInvitationPage,
    TeamInvitationView,
    TeamList,
    TeamOffer,
    TeamView,
)
from api.identity.accounts.models import Account
from api.identity.sessions.current_account import (
    AccountRequired,
    Browser,
    Caller,
    Member,
    RequestOrigin,
    SessionRequired,
)
from api.identity.sign_in.service import SignInLimitsDep
from api.kit.db.database import Database
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.settings import Settings

router = APIRouter(tags=["teams"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
OWN = (*READ, CrossSite, SessionRequired, RoleTooLow)
OF_A_MEMBER = (CrossSite, NotSignedIn, SessionRequired, AccountRequired)
INVITE = (*OWN, TooManyRequests, invitations.TooManyInvitations)


@router.post("/teams", status_code=201, responses=errors(*OF_A_MEMBER, service.TooManyTeams))
async def create_team(body: NamedTeam, caller: Member, db: DatabaseDep) -> TeamView:
    """Create a team. You become its owner."""
    async with db.write() as session:
        team = await service.create(session, caller.account.id, body.name)
    return TeamView(
        id=team.id, name=team.name, role="owner", members=1, created_at=team.created_at, shares_results=False
    )


@router.get("/teams", responses=errors(NotSignedIn))
async def list_teams(caller: Caller, db: DatabaseDep) -> TeamList:
    """List the teams that you are in."""
    return TeamList(items=await _teams(db, caller.account.id))


@router.get("/teams/{team_id}", responses=errors(*READ))
async def get_team(membership: AsReviewer, db: DatabaseDep) -> TeamView:
    """Return a team that you are in."""
    return await _team(db, membership.account.id, membership.team.id)


@router.put("/teams/{team_id}", responses=errors(*OWN))
async def rename_team(body: NamedTeam, _: Browser, membership: AsOwner, db: DatabaseDep) -> TeamView:
    """Rename a team."""
    async with db.write() as session:
        (await service.lock(session, membership.team.id)).name = body.name
        activity_log.record(session, membership, "team.rename", membership.team.id, body.name, membership.team.name)
    return await _team(db, membership.account.id, membership.team.id)


@router.put("/teams/{team_id}/result-sharing", responses=errors(*OWN))
async def set_result_sharing(body: NewResultSharing, _: Browser, membership: AsOwner, db: DatabaseDep) -> TeamView:
    """Start or stop sharing results. While a team shares, the points and times of its finished candidates count in comparisons
    with all teams that share theirs, and it sees these comparisons. No names and no code are shared. If it stops, its results no
    longer count at once.
    """
    async with db.write() as session:
        team = await service.lock(session, membership.team.id)
        if team.shares_results != body.shares_results:
            team.shares_results = body.shares_results
            detail = "on" if body.shares_results else "off"
            activity_log.record(session, membership, "team.result_sharing", team.id, team.name, detail)
    return await _team(db, membership.account.id, membership.team.id)


@router.delete("/teams/{team_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*OWN))
async def delete_team(_: Browser, membership: AsOwner, db: DatabaseDep) -> None:
    """Delete a team with everything in it, including assessments and candidates' work, immediately and permanently."""
    async with db.write() as session:
        await session.delete(await service.lock(session, membership.team.id))


@router.get("/teams/{team_id}/members", responses=errors(*READ))
async def list_members(membership: AsReviewer, db: DatabaseDep) -> MemberList:
    """List all members of the team."""
    async with db.read() as session:
        rows = (await session.execute(service.members(membership.team.id))).all()
    return MemberList(items=[_member(member, account) for member, account in rows])


@router.put(
    "/teams/{team_id}/members/{account_id}",
    responses=errors(*OWN, service.MemberNotFound, service.LastOwner),
)
async def set_member_role(
    account_id: Id, body: NewMemberRole, _: Browser, membership: AsOwner, db: DatabaseDep
) -> MemberView:
    """Change a member's role. The role of the last owner cannot be changed."""
    async with db.write() as session:
        member = await service.set_role(session, membership, account_id, body.role)
        activity_log.record(session, membership, "member.role", account_id, detail=body.role)
        return _member(member, await session.get_one(Account, account_id))


@router.delete(
    "/teams/{team_id}/members/{account_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*OWN, service.MemberNotFound, service.LastOwner),
)
async def remove_member(account_id: Id, _: Browser, membership: AsReviewer, db: DatabaseDep) -> None:
    """Remove a member from the team. An owner can remove any member; other members can only remove themselves. The last owner
    cannot leave.
    """
    async with db.write() as session:
        await service.remove(session, membership, account_id)
        activity_log.record(session, membership, "member.remove", account_id)


@router.get("/teams/{team_id}/invitations", responses=errors(*READ, RoleTooLow, BadCursor))
async def list_team_invitations(
    membership: AsOwner,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> TeamInvitationPage:
    """List the invitations to the team, newest first. Used, revoked and expired invitations are deleted some time later."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.execute(invitations.listing(membership.team.id, before).limit(limit + 1))).all()
    items = [_invitation(*row) for row in rows[:limit]]
    return TeamInvitationPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/teams/{team_id}/invitations",
    status_code=201,
    responses=errors(*INVITE, service.AlreadyMember, invitations.AlreadyInvited),
)
async def create_team_invitation(
    body: NewTeamInvitation,
    _: Browser,
    membership: AsOwner,
    db: DatabaseDep,
    settings: SettingsDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
) -> SentTeamInvitation:
    """Invite a person by email. The response also contains the link, which is shown only once. The invitation can be used
    once, within two weeks.
    """
    async with db.write() as session:
        made, token = await invitations.create(session, membership, body.email, body.role)
        activity_log.record(session, membership, "member.invite", made.id, detail=body.role)
        limits.count_mail(origin, body.email)
    return _sent(settings, made, membership.account.name, token)


@router.post(
    "/teams/{team_id}/invitations/{invitation_id}/resend",
    responses=errors(*INVITE, invitations.InvitationNotFound, invitations.InvitationEnded),
)
async def resend_team_invitation(
    invitation_id: Id,
    _: Browser,
    membership: AsOwner,
    db: DatabaseDep,
    settings: SettingsDep,
    limits: SignInLimitsDep,
    origin: RequestOrigin,
) -> SentTeamInvitation:
    """Send an invitation again, for two more weeks. The earlier link and email stop working."""
    async with db.write() as session:
        found, token = await invitations.resend(session, membership, invitation_id)
        limits.count_mail(origin, found.email)
        inviting = await session.get(Account, found.invited_by) if found.invited_by else None
    return _sent(settings, found, inviting.name if inviting else None, token)


@router.delete(
    "/teams/{team_id}/invitations/{invitation_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*OWN, invitations.InvitationNotFound, invitations.InvitationEnded),
)
async def revoke_team_invitation(invitation_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> None:
    """Revoke an invitation."""
    async with db.write() as session:
        await invitations.revoke(session, membership, invitation_id)


@router.post("/team-invitations/read", responses=errors(CrossSite, invitations.BadInvitation))
async def read_team_invitation(body: InvitationToken, db: DatabaseDep) -> TeamOffer:
    """Return the team and the role that an invitation offers. You need not be signed in. Reading does not use up the
    invitation.
    """
    async with db.read() as session:
        found, team = await invitations.read(session, body.token)
    return TeamOffer.model_validate(
        {"team": team.name, "role": found.role, "email": found.email, "expires_at": found.expires_at}
    )


@router.post(
    "/team-invitations/accept",
    responses=errors(
        *OF_A_MEMBER,
        TeamNotFound,
        invitations.BadInvitation,
        service.AlreadyMember,
        service.TeamFull,
        service.TooManyTeams,
    ),
)
async def accept_team_invitation(body: InvitationToken, caller: Member, db: DatabaseDep) -> TeamView:
    """Join the team to which the invitation belongs."""
    async with db.write() as session:
        team_id = await invitations.accept(session, caller.account.id, body.token)
    return await _team(db, caller.account.id, team_id)


async def _teams(db: Database, account_id: str) -> list[TeamView]:
    async with db.read() as session:
        rows = (await session.execute(service.listing(account_id))).all()
    return [
        TeamView.model_validate(
            {
                "id": team.id,
                "name": team.name,
                "role": role,
                "members": count,
                "created_at": team.created_at,
                "shares_results": team.shares_results,
            }
        )
        for team, role, count in rows
    ]


async def _team(db: Database, account_id: str, team_id: str) -> TeamView:
    """Return one of the account's teams. Raises `TeamNotFound` if the account has just been removed from it."""
    for team in await _teams(db, account_id):
        if team.id == team_id:
            return team
    raise TeamNotFound


def _member(member: TeamMember, account: Account) -> MemberView:
    return MemberView.model_validate(
        {
            "account_id": account.id,
            "name": account.name,
            "email": account.email,
            "role": member.role,
            "joined_at": member.joined_at,
        }
    )


def _invitation(row: TeamInvitation, invited_by: str | None, accepted_by: str | None) -> TeamInvitationView:
    return TeamInvitationView.model_validate(
        {
            "id": row.id,
            "email": row.email,
            "role": row.role,
            "state": invitations.state_of(row),
            "invited_by": invited_by,
            "accepted_by": accepted_by,
            "created_at": row.created_at,
            "expires_at": row.expires_at,
        }
    )


def _sent(settings: Settings, row: TeamInvitation, invited_by: str | None, token: str) -> SentTeamInvitation:
    by: Literal["email", "console"] = "email" if settings.sends_mail else "console"
    shown = _invitation(row, invited_by, None).model_dump()
    return SentTeamInvitation(**shown, link=invitations.link_of(settings.url, token), by=by)
