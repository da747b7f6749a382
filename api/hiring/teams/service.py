"""Creates teams and changes their members. A team always has an owner, and outsiders learn nothing about it."""

from sqlalchemy import ColumnElement, Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams.membership import Membership, RoleTooLow, TeamNotFound
from api.hiring.teams.models import Team, TeamMember
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.kit.ids import new_id

TEAMS, MEMBERS = 20, 100


class TooManyTeams(ApiError):
    """The account has reached the maximum number of teams."""

    status, code = 409, "too_many_teams"


class TeamFull(ApiError):
    """The team has reached the maximum number of members."""

    status, code = 409, "team_full"


class AlreadyMember(ApiError):
    """The account is already in the team."""

    status, code = 409, "already_member"


class MemberNotFound(ApiError):
    status, code = 404, "member_not_found"


class LastOwner(ApiError):
    """The change would leave the team without an owner."""

    status, code = 409, "last_owner"


async def create(session: AsyncSession, account_id: str, name: str) -> Team:
    """Create a team that is owned by the account. Raises `TooManyTeams`."""
    await require_room(session, account_id)
    team = Team(id=new_id(), name=name, created_at=now())
    session.add(team)
    await session.flush()
    session.add(TeamMember(team_id=team.id, account_id=account_id, role="owner", joined_at=team.created_at))
    return team


def listing(account_id: str) -> Select[Team, str, int]:
    """Return a query for the account's teams, each with the account's role in it and the number of members."""
    count = select(func.count()).where(TeamMember.team_id == Team.id).correlate(Team).scalar_subquery()
    mine = select(TeamMember).where(TeamMember.account_id == account_id).subquery()
    return select(Team, mine.c.role, count).join(mine, mine.c.team_id == Team.id).order_by(Team.id)


async def lock(session: AsyncSession, team_id: str) -> Team:
    """Return the team, locked until the end of the transaction. Raises `TeamNotFound`."""
    team: Team | None = await session.scalar(select(Team).where(Team.id == team_id).with_for_update())
    if team is None:
        raise TeamNotFound
    return team


async def require_room(session: AsyncSession, account_id: str) -> None:
    """Lock the account, and raise `TooManyTeams` if it is already in the maximum number of teams."""
    # Without this lock, one account could join two teams in simultaneous requests, although it may join only one more.
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())
    if await _count(session, TeamMember.account_id == account_id) >= TEAMS:
        raise TooManyTeams(f"You are already in {TEAMS} teams. Leave one first.")


async def join(session: AsyncSession, team_id: str, account_id: str, role: str) -> None:
    """Add an account to a team. Raises `TeamNotFound`, `AlreadyMember`, `TeamFull`, `TooManyTeams`."""
    await lock(session, team_id)
    if await session.get(TeamMember, (team_id, account_id)):
        raise AlreadyMember("You are already in this team.")
    if await _count(session, TeamMember.team_id == team_id) >= MEMBERS:
        raise TeamFull(f"The team has {MEMBERS} members, which is the limit. Ask an owner to make room.")
    await require_room(session, account_id)
    session.add(TeamMember(team_id=team_id, account_id=account_id, role=role, joined_at=now()))


def members(team_id: str) -> Select[TeamMember, Account]:
    """Return a query for all members with their accounts, in the order in which they joined."""
    query = select(TeamMember, Account).join(Account, Account.id == TeamMember.account_id)
    return query.where(TeamMember.team_id == team_id).order_by(TeamMember.joined_at, TeamMember.account_id)


async def set_role(session: AsyncSession, membership: Membership, account_id: str, role: str) -> TeamMember:
    """Change a member's role. Raises `TeamNotFound`, `RoleTooLow`, `MemberNotFound`, `LastOwner`."""
    member = await _member_for(session, membership, account_id)
    if role != "owner":
        await _require_another_owner(session, member)
    member.role = role
    return member


async def remove(session: AsyncSession, membership: Membership, account_id: str) -> None:
    """Remove a member from the team. The member can be the caller. Raises `TeamNotFound`, `RoleTooLow`, `MemberNotFound`,
    `LastOwner`.
    """
    member = await _member_for(session, membership, account_id)
    await _require_another_owner(session, member)
    await session.delete(member)


async def delete_sole_teams(session: AsyncSession, account_id: str) -> None:
    """Delete the teams in which an account is the only member. This function is called before the account is erased. Raises
    `LastOwner` if the account is the only owner of a team that has other members.
    """
    owned = select(TeamMember.team_id).where(TeamMember.account_id == account_id, TeamMember.role == "owner")
    teams = await session.scalars(select(Team).where(Team.id.in_(owned)).order_by(Team.id).with_for_update())
    for team in teams.all():
        others = TeamMember.team_id == team.id, TeamMember.account_id != account_id
        roles = list(await session.scalars(select(TeamMember.role).where(*others)))
        if roles and "owner" not in roles:
            raise LastOwner(
                f"You are the only owner of the team {team.name!r}. Make another member an owner, or delete the team."
            )
        if not roles:
            await session.execute(delete(Team).where(Team.id == team.id))


async def _member_for(session: AsyncSession, membership: Membership, account_id: str) -> TeamMember:
    """Lock the team and return the member that the caller wants to change. The caller's role is read again under the lock, so
    that two owners cannot remove each other at the same moment.
    """
    await lock(session, membership.team.id)
    acting = await session.get(TeamMember, (membership.team.id, membership.account.id))
    if acting is None:
        raise TeamNotFound
    if acting.role != "owner" and account_id != membership.account.id:
        raise RoleTooLow(f"You are {acting.role} of this team. Only its owners can do this.")
    member = await session.get(TeamMember, (membership.team.id, account_id))
    if member is None:
        raise MemberNotFound("No member of this team has this ID.")
    return member


async def _require_another_owner(session: AsyncSession, member: TeamMember) -> None:
    owners = (TeamMember.team_id == member.team_id) & (TeamMember.role == "owner")
    if member.role == "owner" and await _count(session, owners) == 1:
        raise LastOwner("A team needs an owner. Make another member an owner first, or delete the team.")


async def _count(session: AsyncSession, condition: ColumnElement[bool]) -> int:
    return await session.scalar(select(func.count()).select_from(TeamMember).where(condition)) or 0
