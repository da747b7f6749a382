"""Routes to create, list and revoke a team's tokens. Only an owner can use them; changes require a browser session."""

from fastapi import APIRouter, status

from api.hiring.ats import tokens
from api.hiring.ats.schemas import NewTeamToken, TeamTokenList, TeamTokenMade, token_view
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsOwner, RoleTooLow, TeamNotFound
from api.identity.sessions.credentials import CredentialNotFound
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(tags=["connections"], route_class=JsonRoute, prefix="/teams/{team_id}/tokens")
READ = (NotSignedIn, TeamNotFound, RoleTooLow)
WRITE = (CrossSite, SessionRequired, *READ)


@router.get("", responses=errors(*READ))
async def list_team_tokens(membership: AsOwner, db: DatabaseDep) -> TeamTokenList:
    """List the team's tokens, without their secrets."""
    async with db.read() as session:
        return TeamTokenList(items=[token_view(row) for row in await tokens.all_of(session, membership.team.id)])


@router.post("", status_code=201, responses=errors(*WRITE, tokens.TooManyTeamTokens))
async def create_team_token(body: NewTeamToken, _: Browser, membership: AsOwner, db: DatabaseDep) -> TeamTokenMade:
    """Create a token for a program. The token gives access to /api/tracking only, and is shown only once."""
    async with db.write() as session:
        row, secret = await tokens.create(session, membership, body.name, list(body.scopes))
        activity_log.record(session, membership, "token.create", row.id, row.name)
    return TeamTokenMade(**token_view(row).model_dump(), token=secret)


@router.delete("/{team_token_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*WRITE, CredentialNotFound))
async def revoke_team_token(team_token_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> None:
    """Revoke a token. It stops working immediately."""
    async with db.write() as session:
        name = await tokens.revoke(session, membership, team_token_id)
        activity_log.record(session, membership, "token.revoke", team_token_id, name)
