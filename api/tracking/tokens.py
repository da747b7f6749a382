"""Tokens of a team: what a program of the team's may do, and who is asking. They open the addresses of this room and no other."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Request
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.callers import LAST_USED_STEP
from api.accounts.credentials import CredentialNotFound
from api.accounts.identity import bearer
from api.accounts.secrets import new_token, token_hash
from api.db import now
from api.errors import ApiError, NotSignedIn, too_often
from api.ids import new_id
from api.state import State, StateOf
from api.teams import service as teams
from api.teams.models import Team
from api.teams.seats import Seat
from api.tracking.models import TeamToken

PREFIX = "gradus_team_"
TOKENS = 20
Scope = Literal["invite", "read_results"]


class TooManyTeamTokens(ApiError):
    """The team has as many as are allowed."""

    status, code = 409, "too_many_tokens"


class ScopeMissing(ApiError):
    """The token was made for something else."""

    status, code = 403, "scope_missing"


@dataclass(frozen=True)
class Program:
    """Somebody's program that asks for a team."""

    team: Team
    token: TeamToken

    def may(self, scope: Scope) -> bool:
        """Whether the token was made for this."""
        return scope in self.token.scopes.split()


async def create(session: AsyncSession, seat: Seat, name: str, scopes: list[Scope]) -> tuple[TeamToken, str]:
    """A new token and its secret. Raises `TeamNotFound`, `TooManyTeamTokens`."""
    await teams.lock(session, seat.team.id)
    if len(await all_of(session, seat.team.id)) >= TOKENS:
        raise TooManyTeamTokens(f"This team has {TOKENS} tokens. Revoke one first.")
    secret = new_token(PREFIX)
    row = TeamToken(
        id=new_id(),
        team_id=seat.team.id,
        name=name,
        scopes=" ".join(scopes),
        token_hash=token_hash(secret),
        hint=secret[: len(PREFIX) + 3] + "…",
        created_by=seat.account.id,
        created_at=now(),
        last_used_at=None,
    )
    session.add(row)
    return row, secret


async def all_of(session: AsyncSession, team_id: str) -> list[TeamToken]:
    """A team's tokens, newest first."""
    query = select(TeamToken).where(TeamToken.team_id == team_id).order_by(TeamToken.id.desc())
    return list(await session.scalars(query))


async def revoke(session: AsyncSession, seat: Seat, token_id: str) -> None:
    """Make a token worthless at once. Raises `CredentialNotFound`."""
    row = await session.get(TeamToken, token_id)
    if row is None or row.team_id != seat.team.id:
        raise CredentialNotFound("This team has no token with this id; perhaps it was revoked already.")
    await session.delete(row)


def with_scope(scope: Scope) -> Callable[[Program], Awaitable[Program]]:
    """A dependency: a program that may do this. Raises `NotSignedIn`, `TooManyRequests`, `ScopeMissing`."""

    async def allowed(program: Annotated[Program, Depends(asking)]) -> Program:
        if not program.may(scope):
            raise ScopeMissing(f"This token was made without «{scope}». Make another one on the team's page.")
        return program

    return allowed


async def asking(request: Request, state: StateOf) -> Program:
    """The program that sent a request. Raises `NotSignedIn`, `TooManyRequests`."""
    secret = bearer(request)
    query = select(TeamToken, Team).join(Team, Team.id == TeamToken.team_id)
    async with state.db.read() as session:
        row = (await session.execute(query.where(TeamToken.token_hash == token_hash(secret or "")))).one_or_none()
    if row is None:
        raise NotSignedIn(
            "Send a token of a team as 'Authorization: Bearer …'. Its owner makes one on the team's page."
        )
    if wait := state.door.requests.take(row[0].id):
        raise too_often(wait)
    await _touch(state, row[0])
    return Program(row[1], row[0])


async def _touch(state: State, token: TeamToken) -> None:
    if token.last_used_at is None or now() - token.last_used_at >= LAST_USED_STEP:
        async with state.db.write() as session:
            await session.execute(update(TeamToken).where(TeamToken.id == token.id).values(last_used_at=now()))


AnyProgram = Annotated[Program, Depends(asking)]
Inviting = Annotated[Program, Depends(with_scope("invite"))]
Reading = Annotated[Program, Depends(with_scope("read_results"))]
