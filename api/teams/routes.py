"""Teams: making one, its members and their roles, inviting people and joining."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, status

from api.accounts.identity import AccountRequired, Browser, Caller, Member, RequestOrigin, SessionRequired
from api.accounts.models import Account
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.pagination import decode_cursor, encode_cursor
from api.state import State, StateOf
from api.teams import invitations, service
from api.teams.models import TeamInvitation, TeamMember
from api.teams.schemas import (
    InvitationToken,
    MemberList,
    MemberView,
    NamedTeam,
    NewMemberRole,
    NewTeamInvitation,
    SentTeamInvitation,
    TeamInvitationPage,
    TeamInvitationView,
    TeamList,
    TeamOffer,
    TeamView,
)
from api.teams.seats import Owning, Reviewing, RoleTooLow, TeamNotFound
from api.text import CleanText

router = APIRouter(tags=["teams"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
OWN = (*READ, CrossSite, SessionRequired, RoleTooLow)
OF_A_MEMBER = (CrossSite, NotSignedIn, SessionRequired, AccountRequired)
INVITE = (*OWN, TooManyRequests, invitations.TooManyInvitations)


@router.post("/teams", status_code=201, responses=errors(*OF_A_MEMBER, service.TooManyTeams))
async def create_team(body: NamedTeam, caller: Member, state: StateOf) -> TeamView:
    """Make a team. You own it."""
    async with state.db.write() as session:
        team = await service.create(session, caller.account.id, body.name)
    return TeamView(id=team.id, name=team.name, role="owner", members=1, created_at=team.created_at)


@router.get("/teams", responses=errors(NotSignedIn))
async def list_teams(caller: Caller, state: StateOf) -> TeamList:
    """The teams that you are in."""
    return TeamList(items=await _teams(state, caller.account.id))


@router.get("/teams/{team_id}", responses=errors(*READ))
async def get_team(seat: Reviewing, state: StateOf) -> TeamView:
    """A team that you are in."""
    return await _team(state, seat.account.id, seat.team.id)


@router.put("/teams/{team_id}", responses=errors(*OWN))
async def rename_team(body: NamedTeam, _: Browser, seat: Owning, state: StateOf) -> TeamView:
    """Call a team something else."""
    async with state.db.write() as session:
        (await service.lock(session, seat.team.id)).name = body.name
    return await _team(state, seat.account.id, seat.team.id)


@router.delete("/teams/{team_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*OWN))
async def delete_team(_: Browser, seat: Owning, state: StateOf) -> None:
    """Erase a team and everything of it, at once and for good: assessments, and what candidates did in them."""
    async with state.db.write() as session:
        await session.delete(await service.lock(session, seat.team.id))


@router.get("/teams/{team_id}/members", responses=errors(*READ))
async def list_members(seat: Reviewing, state: StateOf) -> MemberList:
    """Everybody in the team."""
    async with state.db.read() as session:
        rows = (await session.execute(service.members(seat.team.id))).all()
    return MemberList(items=[_member(member, account) for member, account in rows])


@router.put(
    "/teams/{team_id}/members/{account_id}",
    responses=errors(*OWN, service.MemberNotFound, service.LastOwner),
)
async def set_member_role(account_id: Id, body: NewMemberRole, _: Browser, seat: Owning, state: StateOf) -> MemberView:
    """Give a member another role. The last owner stays one."""
    async with state.db.write() as session:
        member = await service.set_role(session, seat, account_id, body.role)
        return _member(member, await session.get_one(Account, account_id))


@router.delete(
    "/teams/{team_id}/members/{account_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*OWN, service.MemberNotFound, service.LastOwner),
)
async def remove_member(account_id: Id, _: Browser, seat: Reviewing, state: StateOf) -> None:
    """Leave a team or, as its owner, take somebody out of it. The last owner cannot leave."""
    async with state.db.write() as session:
        await service.remove(session, seat, account_id)


@router.get("/teams/{team_id}/invitations", responses=errors(*READ, RoleTooLow, BadCursor))
async def list_team_invitations(
    seat: Owning,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> TeamInvitationPage:
    """Who was invited to the team, newest first. An invitation is forgotten some time after its end."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        rows = (await session.execute(invitations.listing(seat.team.id, before).limit(limit + 1))).all()
    items = [_invitation(*row) for row in rows[:limit]]
    return TeamInvitationPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/teams/{team_id}/invitations",
    status_code=201,
    responses=errors(*INVITE, service.AlreadyMember, invitations.AlreadyInvited),
)
async def create_team_invitation(
    body: NewTeamInvitation, _: Browser, seat: Owning, state: StateOf, origin: RequestOrigin
) -> SentTeamInvitation:
    """Invite somebody: a letter goes out, and its link comes back, once. It works once, for two weeks."""
    async with state.db.write() as session:
        made, token = await invitations.create(session, seat, body.email, body.role)
        state.door.count_letter(origin, body.email)
    return _sent(state, made, seat.account.name, token)


@router.post(
    "/teams/{team_id}/invitations/{invitation_id}/resend",
    responses=errors(*INVITE, invitations.InvitationNotFound, invitations.InvitationEnded),
)
async def resend_team_invitation(
    invitation_id: Id, _: Browser, seat: Owning, state: StateOf, origin: RequestOrigin
) -> SentTeamInvitation:
    """Send an invitation again, for two more weeks. The link and the letter before are worthless."""
    async with state.db.write() as session:
        found, token = await invitations.resend(session, seat, invitation_id)
        state.door.count_letter(origin, found.email)
        inviting = await session.get(Account, found.invited_by) if found.invited_by else None
    return _sent(state, found, inviting.name if inviting else None, token)


@router.delete(
    "/teams/{team_id}/invitations/{invitation_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(*OWN, invitations.InvitationNotFound, invitations.InvitationEnded),
)
async def revoke_team_invitation(invitation_id: Id, _: Browser, seat: Owning, state: StateOf) -> None:
    """Take an invitation back."""
    async with state.db.write() as session:
        await invitations.revoke(session, seat, invitation_id)


@router.post("/team-invitations/read", responses=errors(CrossSite, invitations.BadInvitation))
async def read_team_invitation(body: InvitationToken, state: StateOf) -> TeamOffer:
    """What a link invites to. Nobody need be signed in, and it uses nothing up."""
    async with state.db.read() as session:
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
async def accept_team_invitation(body: InvitationToken, caller: Member, state: StateOf) -> TeamView:
    """Join the team that a link invites to."""
    async with state.db.write() as session:
        team_id = await invitations.accept(session, caller.account.id, body.token)
    return await _team(state, caller.account.id, team_id)


async def _teams(state: State, account_id: str) -> list[TeamView]:
    async with state.db.read() as session:
        rows = (await session.execute(service.listing(account_id))).all()
    return [
        TeamView.model_validate(
            {"id": team.id, "name": team.name, "role": role, "members": count, "created_at": team.created_at}
        )
        for team, role, count in rows
    ]


async def _team(state: State, account_id: str, team_id: str) -> TeamView:
    """One of the account's teams. Raises `TeamNotFound` for who was put out of it a moment ago."""
    for team in await _teams(state, account_id):
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


def _sent(state: State, row: TeamInvitation, invited_by: str | None, token: str) -> SentTeamInvitation:
    by: Literal["email", "console"] = "email" if state.settings.letters_leave else "console"
    shown = _invitation(row, invited_by, None).model_dump()
    return SentTeamInvitation(**shown, link=invitations.link_of(state.settings.url, token), by=by)
