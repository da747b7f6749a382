"""Provides a caller's membership in a team as a FastAPI dependency. Accounts outside the team, including admins of the site,
get the same response as if the team did not exist.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends
from sqlalchemy import select

from api.hiring.teams.models import Team, TeamMember
from api.identity.accounts.models import Account
from api.identity.sessions.current_account import Caller
from api.kit.errors import ApiError
from api.kit.http.dependencies import DatabaseDep
from api.kit.ids import Id

Role = Literal["owner", "author", "reviewer"]
# The rank of each role. A role may do everything that roles with a lower rank may do.
RANKS: dict[str, int] = {"reviewer": 1, "author": 2, "owner": 3}


class TeamNotFound(ApiError):
    """The team does not exist, or the caller is not in it."""

    status, code = 404, "team_not_found"

    def __init__(self) -> None:
        super().__init__("You are not in a team with this ID.")


class RoleTooLow(ApiError):
    """The caller's role in the team does not allow this."""

    status, code = 403, "role_too_low"


@dataclass(frozen=True)
class Membership:
    """A team, and the caller's role in it."""

    team: Team
    account: Account
    role: str

    def is_at_least(self, role: Role) -> bool:
        """Return whether the caller has this role or a higher one."""
        return RANKS[self.role] >= RANKS[role]


async def membership_of(team_id: Id, caller: Caller, db: DatabaseDep) -> Membership:
    """Return the caller's membership in the team that is named in the path. Raises `TeamNotFound`."""
    mine = (TeamMember.team_id == Team.id) & (TeamMember.account_id == caller.account.id)
    query = select(Team, TeamMember.role).join(TeamMember, mine).where(Team.id == team_id)
    async with db.read() as session:
        row = (await session.execute(query)).one_or_none()
    if row is None:
        raise TeamNotFound
    return Membership(row[0], caller.account, row[1])


def at_least(role: Role) -> Callable[[Membership], Awaitable[Membership]]:
    """Return a FastAPI dependency for members with this role or a higher one. The dependency returns the caller's membership.
    It raises `TeamNotFound`, `RoleTooLow`.
    """

    async def allowed(membership: Annotated[Membership, Depends(membership_of)]) -> Membership:
        if not membership.is_at_least(role):
            raise RoleTooLow(f"You are {membership.role} of this team. Only its {role}s can do this.")
        return membership

    return allowed


AsReviewer = Annotated[Membership, Depends(membership_of)]
AsAuthor = Annotated[Membership, Depends(at_least("author"))]
AsOwner = Annotated[Membership, Depends(at_least("owner"))]
