"""Routes to read leaderboards, to find your own place, and to choose how you appear."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from api.content.catalogue.service import CatalogueStoreDep, ChallengeNotFound
from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.practice.leaderboards import service
from api.practice.leaderboards.boards import BoardReader, PointCountsDep
from api.practice.leaderboards.schemas import (
    LeaderboardPage,
    ListingView,
    OwnPlace,
    WantedBoard,
    WantedPage,
    place_view,
)

router = APIRouter(tags=["standings"], route_class=JsonRoute)
BOARDS = (ChallengeNotFound, service.SectionNotFound)


@router.get("/leaderboard", response_model=LeaderboardPage, responses={**errors(BadCursor, *BOARDS), **NOT_MODIFIED})
async def get_leaderboard(
    wanted: Annotated[WantedPage, Query()],
    db: DatabaseDep,
    store: CatalogueStoreDep,
    point_counts: PointCountsDep,
    has: Has,
) -> LeaderboardPage | Response:
    """Accounts ordered by points: overall, in a section, or for one challenge. A solved challenge gives 10 points if it is
    easy, 20 if it is medium, and 40 if it is hard. Of accounts with equal points, the one that reached them first comes first.
    Ranks on very large boards may be up to 30 seconds old.
    """
    board = service.wanted_board(store.catalogue, wanted)
    key = service.key_of(wanted.cursor)
    async with db.read() as session:
        reader = BoardReader(session, board, point_counts)
        places = await reader.after(key, wanted.limit + 1)
        page = LeaderboardPage(**_page(places, wanted.limit), total=await reader.size())
    return has.has(page.model_dump_json()) or page


@router.get("/leaderboard/me", response_model=OwnPlace, responses=errors(NotSignedIn, *BOARDS))
async def get_own_place(
    wanted: Annotated[WantedBoard, Query()],
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    point_counts: PointCountsDep,
) -> OwnPlace:
    """Your place on a board, with the places around it and the first one."""
    board = service.wanted_board(store.catalogue, wanted)
    async with db.read() as session:
        reader = BoardReader(session, board, point_counts)
        places = await reader.around(caller.account.id, wanted.limit + 1)
        page: dict[str, Any] = {**_page(places, wanted.limit), "total": await reader.size()}
        mine = next((item for item in page["items"] if item.id == caller.account.id), None)
        first = next((place_view(place) for place in await reader.after(None, 1)), None)
        reason = None if mine else await service.why_without_place(session, caller.account)
    return OwnPlace(**page, mine=mine, first=first, reason=reason)


@router.get("/me/listing", response_model=ListingView, responses=errors(NotSignedIn))
async def get_listing(caller: Caller, db: DatabaseDep) -> ListingView:
    """How you appear on boards and on your profile."""
    async with db.read() as session:
        return await service.listing(session, caller.account.id)


@router.put(
    "/me/listing",
    response_model=ListingView,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, AccountRequired),
)
async def change_listing(body: ListingView, caller: Member, db: DatabaseDep) -> ListingView:
    """Choose whether other users see you on boards and may open your profile, and under which name you appear."""
    async with db.write() as session:
        await service.change_listing(session, caller.account.id, body)
    return body


def _page(places: list[Any], limit: int) -> dict[str, Any]:
    more = len(places) > limit
    items = [place_view(place) for place in places[:limit]]
    return {"items": items, "next_cursor": service.cursor_of(places[limit - 1].key) if more else None}
