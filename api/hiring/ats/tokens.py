"""Creates, revokes and checks the tokens of a team. A token gives access only to the routes for programs, which are below
/api/tracking.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Request
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.ats.models import TeamToken
from api.hiring.teams import service as teams
from api.hiring.teams.membership import Membership
from api.hiring.teams.models import Team
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.sessions.credential_lookup import LAST_USED_STEP
from api.identity.sessions.credentials import CredentialNotFound
from api.identity.sessions.current_account import bearer
from api.identity.sessions.request_limit import RequestLimitDep
from api.kit.db.database import Database, now
from api.kit.errors import ApiError, NotSignedIn, too_often
from api.kit.http.dependencies import DatabaseDep
from api.kit.ids import new_id

PREFIX = "gradus_team_"
TOKENS = 20
Scope = Literal["invite", "read_results"]


class TooManyTeamTokens(ApiError):
    """The team has reached the maximum number of tokens."""

    status, code = 409, "too_many_tokens"


class ScopeMissing(ApiError):
    """The token does not have the scope that this route requires."""

    status, code = 403, "scope_missing"


@dataclass(frozen=True)
class Program:
    """A program that sent a team's token and therefore acts for this team."""

    team: Team
    token: TeamToken

    def may(self, scope: Scope) -> bool:
        return scope in self.token.scopes.split()


async def create(
    session: AsyncSession, membership: Membership, name: str, scopes: list[Scope]
) -> tuple[TeamToken, str]:
    """Create a token. Returns its row and the token itself, which is not stored. Raises `TeamNotFound`, `TooManyTeamTokens`."""
    await teams.lock(session, membership.team.id)
    if len(await all_of(session, membership.team.id)) >= TOKENS:
        raise TooManyTeamTokens(f"This team has {TOKENS} tokens. Revoke one first.")
    secret = new_token(PREFIX)
    row = TeamToken(
        id=new_id(),
        team_id=membership.team.id,
        name=name,
        scopes=" ".join(scopes),
        token_hash=token_hash(secret),
        hint=secret[: len(PREFIX) + 3] + "…",
        created_by=membership.account.id,
        created_at=now(),
        last_used_at=None,
    )
    session.add(row)
    return row, secret


async def all_of(session: AsyncSession, team_id: str) -> list[TeamToken]:
    """Return a team's tokens, newest first."""
    query = select(TeamToken).where(TeamToken.team_id == team_id).order_by(TeamToken.id.desc())
    return list(await session.scalars(query))


async def revoke(session: AsyncSession, membership: Membership, token_id: str) -> str:
    """Revoke a token, and return its name. Raises `CredentialNotFound`."""
    row = await session.get(TeamToken, token_id)
    if row is None or row.team_id != membership.team.id:
        raise CredentialNotFound("This team has no token with this ID. It may have been revoked already.")
    await session.delete(row)
    return row.name


def with_scope(scope: Scope) -> Callable[[Program], Awaitable[Program]]:
    """Return a FastAPI dependency that returns the calling program if its token has this scope. The dependency raises
    `NotSignedIn`, `TooManyRequests`, `ScopeMissing`.
    """

    async def allowed(program: Annotated[Program, Depends(program_of)]) -> Program:
        if not program.may(scope):
            raise ScopeMissing(
                f"This token does not have the scope “{scope}”. Create another token on the team's page."
            )
        return program

    return allowed


async def program_of(request: Request, db: DatabaseDep, request_limit: RequestLimitDep) -> Program:
    """Return the program whose token a request carries. Raises `NotSignedIn`, `TooManyRequests`."""
    secret = bearer(request)
    query = select(TeamToken, Team).join(Team, Team.id == TeamToken.team_id)
    async with db.read() as session:
        row = (await session.execute(query.where(TeamToken.token_hash == token_hash(secret or "")))).one_or_none()
    if row is None:
        raise NotSignedIn(
            "Send a team's token as 'Authorization: Bearer …'. An owner of the team can create one on the team's page."
        )
    if wait := request_limit.take(row[0].id):
        raise too_often(wait)
    await _touch(db, row[0])
    return Program(row[1], row[0])


async def _touch(db: Database, token: TeamToken) -> None:
    if token.last_used_at is None or now() - token.last_used_at >= LAST_USED_STEP:
        async with db.write() as session:
            await session.execute(update(TeamToken).where(TeamToken.id == token.id).values(last_used_at=now()))


AnyProgram = Annotated[Program, Depends(program_of)]
Inviting = Annotated[Program, Depends(with_scope("invite"))]
Reading = Annotated[Program, Depends(with_scope("read_results"))]
