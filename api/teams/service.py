"""Rules of teams and their members: there is always an owner, and nobody outside learns of anything."""

from sqlalchemy import ColumnElement, Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.db import now
from api.errors import ApiError
from api.ids import new_id
from api.teams.models import Team, TeamMember
from api.teams.seats import RoleTooLow, Seat, TeamNotFound

TEAMS, MEMBERS = 20, 100


class TooManyTeams(ApiError):
    """The account is in as many teams as are allowed."""

    status, code = 409, "too_many_teams"


class TeamFull(ApiError):
    """The team has as many members as are allowed."""

    status, code = 409, "team_full"


class AlreadyMember(ApiError):
    """The account is in the team."""

    status, code = 409, "already_member"


class MemberNotFound(ApiError):
    """Nobody in the team has this id."""

    status, code = 404, "member_not_found"


class LastOwner(ApiError):
    """Nobody could decide about the team any more."""

    status, code = 409, "last_owner"


async def create(session: AsyncSession, account_id: str, name: str) -> Team:
    """A new team, owned by the account. Raises `TooManyTeams`."""
    await require_room(session, account_id)
    team = Team(id=new_id(), name=name, created_at=now())
    session.add(team)
    await session.flush()
    session.add(TeamMember(team_id=team.id, account_id=account_id, role="owner", joined_at=team.created_at))
    return team


def listing(account_id: str) -> Select[Team, str, int]:
    """The account's teams, each with its role in it and the number of members."""
    count = select(func.count()).where(TeamMember.team_id == Team.id).correlate(Team).scalar_subquery()
    mine = select(TeamMember).where(TeamMember.account_id == account_id).subquery()
    return select(Team, mine.c.role, count).join(mine, mine.c.team_id == Team.id).order_by(Team.id)


async def lock(session: AsyncSession, team_id: str) -> Team:
    """The team, for this transaction alone: what is counted stays so. Raises `TeamNotFound`."""
    team: Team | None = await session.scalar(select(Team).where(Team.id == team_id).with_for_update())
    if team is None:
        raise TeamNotFound
    return team


async def require_room(session: AsyncSession, account_id: str) -> None:
    """Nothing if the account may join another team. Raises `TooManyTeams`."""
    # Whoever joins two at once waits here for himself.
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())
    if await _count(session, TeamMember.account_id == account_id) >= TEAMS:
        raise TooManyTeams(f"You are in {TEAMS} teams already. Leave one first.")


async def join(session: AsyncSession, team_id: str, account_id: str, role: str) -> None:
    """Become a member. Raises `TeamNotFound`, `AlreadyMember`, `TeamFull`, `TooManyTeams`."""
    await lock(session, team_id)
    if await session.get(TeamMember, (team_id, account_id)):
        raise AlreadyMember("You are in this team already.")
    if await _count(session, TeamMember.team_id == team_id) >= MEMBERS:
        raise TeamFull(f"The team has {MEMBERS} members, which is the limit. Ask an owner to make room.")
    await require_room(session, account_id)
    session.add(TeamMember(team_id=team_id, account_id=account_id, role=role, joined_at=now()))


def members(team_id: str) -> Select[TeamMember, Account]:
    """Everybody in a team with the account, in the order of joining."""
    query = select(TeamMember, Account).join(Account, Account.id == TeamMember.account_id)
    return query.where(TeamMember.team_id == team_id).order_by(TeamMember.joined_at, TeamMember.account_id)


async def set_role(session: AsyncSession, seat: Seat, account_id: str, role: str) -> TeamMember:
    """Give a member another role. Raises `TeamNotFound`, `RoleTooLow`, `MemberNotFound`, `LastOwner`."""
    member = await _member_for(session, seat, account_id)
    if role != "owner":
        await _require_another_owner(session, member)
    member.role = role
    return member


async def remove(session: AsyncSession, seat: Seat, account_id: str) -> None:
    """Leave, or take a member out of the team. Raises `TeamNotFound`, `RoleTooLow`, `MemberNotFound`, `LastOwner`."""
    member = await _member_for(session, seat, account_id)
    await _require_another_owner(session, member)
    await session.delete(member)


async def let_go(session: AsyncSession, account_id: str) -> None:
    """The account is about to be erased: teams in which nobody else is go with it. Raises `LastOwner` if others would be left
    without an owner.
    """
    owned = select(TeamMember.team_id).where(TeamMember.account_id == account_id, TeamMember.role == "owner")
    teams = await session.scalars(select(Team).where(Team.id.in_(owned)).order_by(Team.id).with_for_update())
    for team in teams.all():
        others = TeamMember.team_id == team.id, TeamMember.account_id != account_id
        roles = list(await session.scalars(select(TeamMember.role).where(*others)))
        if roles and "owner" not in roles:
            raise LastOwner(
                f"You are the only owner of the team {team.name!r}. Make somebody else owner, or delete it."
            )
        if not roles:
            await session.execute(delete(Team).where(Team.id == team.id))


async def _member_for(session: AsyncSession, seat: Seat, account_id: str) -> TeamMember:
    """A member, locked for what only owners may do to others. Whether the caller is owner is looked up again: of two who put
    each other out at the same moment, one comes too late.
    """
    await lock(session, seat.team.id)
    acting = await session.get(TeamMember, (seat.team.id, seat.account.id))
    if acting is None:
        raise TeamNotFound
    if acting.role != "owner" and account_id != seat.account.id:
        raise RoleTooLow(f"You are {acting.role} of this team; only its owners may do this.")
    member = await session.get(TeamMember, (seat.team.id, account_id))
    if member is None:
        raise MemberNotFound("Nobody in this team has this id.")
    return member


async def _require_another_owner(session: AsyncSession, member: TeamMember) -> None:
    owners = (TeamMember.team_id == member.team_id) & (TeamMember.role == "owner")
    if member.role == "owner" and await _count(session, owners) == 1:
        raise LastOwner("A team needs an owner. Make somebody else owner first, or delete the team.")


async def _count(session: AsyncSession, condition: ColumnElement[bool]) -> int:
    return await session.scalar(select(func.count()).select_from(TeamMember).where(condition)) or 0
