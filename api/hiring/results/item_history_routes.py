"""The route for how a team's candidates have done with challenges and quizzes so far."""

from fastapi import APIRouter

from api.hiring.results.item_history import history_of
from api.hiring.results.schemas import ItemHistories
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.kit.errors import NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute

router = APIRouter(tags=["reporting"], route_class=JsonRoute)


@router.get("/teams/{team_id}/item-history", responses=errors(NotSignedIn, TeamNotFound))
async def get_item_history(membership: AsReviewer, db: DatabaseDep) -> ItemHistories:
    """Return how the team's candidates have done with each challenge and quiz so far. The newest 500 finished participations in
    all assessments of the team count.
    """
    async with db.read() as session:
        return ItemHistories(items=await history_of(session, membership.team.id))
