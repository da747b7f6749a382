"""Who sits in a team: a dependency that a route names in its signature. To everybody else, admins of the site included, the
team looks as if it were not there.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends
from sqlalchemy import select

from api.accounts.identity import Caller
from api.accounts.models import Account
from api.errors import ApiError
from api.ids import Id
from api.state import StateOf
from api.teams.models import Team, TeamMember

Role = Literal["owner", "author", "reviewer"]
# Who may do something, those of a higher rank may do it too.
RANKS: dict[str, int] = {"reviewer": 1, "author": 2, "owner": 3}


class TeamNotFound(ApiError):
    """No such team, or the caller is not in it."""

    status, code = 404, "team_not_found"

    def __init__(self) -> None:
        super().__init__("You are in no team with this id.")


class RoleTooLow(ApiError):
    """In the team, but with a role that may not do this."""

    status, code = 403, "role_too_low"


@dataclass(frozen=True)
class Seat:
    """A team, and the caller with his role in it."""

    team: Team
    account: Account
    role: str

    def is_at_least(self, role: Role) -> bool:
        """Whether the caller may do what this role may."""
        return RANKS[self.role] >= RANKS[role]


async def take_seat(team_id: Id, caller: Caller, state: StateOf) -> Seat:
    """The caller's seat in the team that the address names. Raises `TeamNotFound`."""
    mine = (TeamMember.team_id == Team.id) & (TeamMember.account_id == caller.account.id)
    query = select(Team, TeamMember.role).join(TeamMember, mine).where(Team.id == team_id)
    async with state.db.read() as session:
        row = (await session.execute(query)).one_or_none()
    if row is None:
        raise TeamNotFound
    return Seat(row[0], caller.account, row[1])


def at_least(role: Role) -> Callable[[Seat], Awaitable[Seat]]:
    """A dependency: a seat with this role or a higher one. Raises `TeamNotFound`, `RoleTooLow`."""

    async def seated(seat: Annotated[Seat, Depends(take_seat)]) -> Seat:
        if not seat.is_at_least(role):
            raise RoleTooLow(f"You are {seat.role} of this team; only its {role}s may do this.")
        return seat

    return seated


Reviewing = Annotated[Seat, Depends(take_seat)]
Authoring = Annotated[Seat, Depends(at_least("author"))]
Owning = Annotated[Seat, Depends(at_least("owner"))]
