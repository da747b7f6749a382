"""A team's tokens: making, listing and revoking them, by an owner in a browser."""

from fastapi import APIRouter, status

from api.accounts.credentials import CredentialNotFound
from api.accounts.identity import Browser, SessionRequired
from api.bodies import JsonRoute
from api.errors import CrossSite, NotSignedIn, errors
from api.ids import Id
from api.state import StateOf
from api.teams.seats import Owning, RoleTooLow, TeamNotFound
from api.tracking import tokens
from api.tracking.schemas import NewTeamToken, TeamTokenList, TeamTokenMade, token_view

router = APIRouter(tags=["connections"], route_class=JsonRoute, prefix="/teams/{team_id}/tokens")
READ = (NotSignedIn, TeamNotFound, RoleTooLow)
WRITE = (CrossSite, SessionRequired, *READ)


@router.get("", responses=errors(*READ))
async def list_team_tokens(seat: Owning, state: StateOf) -> TeamTokenList:
    """The team's tokens, without their secrets."""
    async with state.db.read() as session:
        return TeamTokenList(items=[token_view(row) for row in await tokens.all_of(session, seat.team.id)])


@router.post("", status_code=201, responses=errors(*WRITE, tokens.TooManyTeamTokens))
async def create_team_token(body: NewTeamToken, _: Browser, seat: Owning, state: StateOf) -> TeamTokenMade:
    """Make a token for a program of the team's. It opens what is under /api/tracking and nothing else, and is shown this once."""
    async with state.db.write() as session:
        row, secret = await tokens.create(session, seat, body.name, list(body.scopes))
    return TeamTokenMade(**token_view(row).model_dump(), token=secret)


@router.delete("/{team_token_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*WRITE, CredentialNotFound))
async def revoke_team_token(team_token_id: Id, _: Browser, seat: Owning, state: StateOf) -> None:
    """Make a token worthless at once."""
    async with state.db.write() as session:
        await tokens.revoke(session, seat, team_token_id)
