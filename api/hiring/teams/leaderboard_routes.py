"""Routes for the board of a team, on which members who join it see each other's points. Nobody outside the team can see it."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, StrictBool
from sqlalchemy import bindparam, select, update

from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.hiring.teams.models import TeamMember
from api.identity.accounts.models import Account
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.practice.leaderboards.boards import GroupReader, board_of_teams
from api.practice.leaderboards.periods import Window
from api.practice.leaderboards.schemas import PlaceView, place_view

router = APIRouter(tags=["teams"], route_class=JsonRoute)
# A query for the members who have joined the board of a team.
JOINED = (
    select(TeamMember.account_id)
    .join(Account, Account.id == TeamMember.account_id)
    .where(TeamMember.team_id == bindparam("team_id"), TeamMember.on_board, Account.ban.is_(None))
)


class TeamBoardMember(BaseModel):
    """Whether you appear on the board of the team."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"on_board": True}})
    on_board: StrictBool


class TeamBoardView(TeamBoardMember):
    """The board of a team. It contains the members who have joined it and have points in the period, also those whose profile is
    private. `joined` counts the members who have joined it.
    """

    items: list[PlaceView]
    joined: int


@router.get("/teams/{team_id}/leaderboard", responses=errors(NotSignedIn, TeamNotFound))
async def get_team_leaderboard(
    membership: AsReviewer, db: DatabaseDep, window: Annotated[Window, Query()] = "month"
) -> TeamBoardView:
    """The points of the members who have joined the team's board. Only members of the team can see it."""
    team_id = membership.team.id
    async with db.read() as session:
        members = list(await session.scalars(JOINED, {"team_id": team_id}))
        group = await GroupReader.read(session, board_of_teams(window), JOINED, team_id=team_id)
    items = [place_view(place) for place in group.places]
    return TeamBoardView(items=items, joined=len(members), on_board=membership.account.id in members)


@router.put("/teams/{team_id}/leaderboard/me", responses=errors(NotSignedIn, TeamNotFound, CrossSite, SessionRequired))
async def join_team_leaderboard(
    body: TeamBoardMember, _: Browser, membership: AsReviewer, db: DatabaseDep
) -> TeamBoardMember:
    """Join the board of the team, or leave it. The other members see your name and your points there, even if your profile is
    private.
    """
    own = (TeamMember.team_id == membership.team.id) & (TeamMember.account_id == membership.account.id)
    async with db.write() as session:
        await session.execute(update(TeamMember).where(own).values(on_board=body.on_board))
    return body
