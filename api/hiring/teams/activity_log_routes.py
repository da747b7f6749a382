"""The route of a team's log."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.hiring.teams.schemas import TeamLogEntryView, TeamLogPage
from api.kit.errors import BadCursor, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.text import CleanText

router = APIRouter(tags=["teams"], route_class=JsonRoute)


@router.get("/teams/{team_id}/log", responses=errors(NotSignedIn, TeamNotFound, BadCursor))
async def list_team_log(
    membership: AsReviewer,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> TeamLogPage:
    """List what the members of the team did, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.execute(activity_log.listing(membership.team.id, before).limit(limit + 1))).all()
    items = [
        TeamLogEntryView.model_validate(
            {
                "id": entry.id,
                "actor": name,
                "action": entry.action,
                "object_id": entry.object_id,
                "title": entry.title,
                "detail": entry.detail,
                "at": entry.at,
            }
        )
        for entry, name in rows[:limit]
    ]
    return TeamLogPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)
