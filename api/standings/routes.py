"""Reading the boards, finding oneself, and choosing how to appear."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from api.accounts.identity import AccountRequired, Caller, Member, SessionRequired
from api.bodies import JsonRoute
from api.caching import NOT_MODIFIED, Has
from api.catalogue.service import ChallengeNotFound
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.standings import service
from api.standings.boards import Reader
from api.standings.schemas import (
    LeaderboardPage,
    ListingView,
    OwnPlace,
    WantedBoard,
    WantedPage,
    place_view,
)
from api.state import StateOf

router = APIRouter(tags=["standings"], route_class=JsonRoute)
BOARDS = (ChallengeNotFound, service.SectionNotFound)


@router.get("/leaderboard", response_model=LeaderboardPage, responses={**errors(BadCursor, *BOARDS), **NOT_MODIFIED})
async def get_leaderboard(
    wanted: Annotated[WantedPage, Query()], state: StateOf, has: Has
) -> LeaderboardPage | Response:
    """Who has most points, overall, in a section or on a challenge (10 for an easy one, 20 for medium, 40 for hard); among
    equals, who had them first. Ranks of boards with very many people may be half a minute old.
    """
    board = service.wanted_board(state.shelf.catalogue, wanted)
    key = service.key_of(wanted.cursor)
    async with state.db.read() as session:
        reader = Reader(session, board, state.census)
        places = await reader.after(key, wanted.limit + 1)
        page = LeaderboardPage(**_page(places, wanted.limit), total=await reader.size())
    return has.has(page.model_dump_json()) or page


@router.get("/leaderboard/me", response_model=OwnPlace, responses=errors(NotSignedIn, *BOARDS))
async def get_own_place(wanted: Annotated[WantedBoard, Query()], caller: Caller, state: StateOf) -> OwnPlace:
    """Your place on a board with the page around it."""
    board = service.wanted_board(state.shelf.catalogue, wanted)
    async with state.db.read() as session:
        reader = Reader(session, board, state.census)
        places = await reader.around(caller.account.id, wanted.limit + 1)
        page: dict[str, Any] = {**_page(places, wanted.limit), "total": await reader.size()}
        mine = next((item for item in page["items"] if item.id == caller.account.id), None)
        reason = None if mine else await service.why_without_place(session, caller.account)
    return OwnPlace(**page, mine=mine, reason=reason)


@router.get("/me/listing", response_model=ListingView, responses=errors(NotSignedIn))
async def get_listing(caller: Caller, state: StateOf) -> ListingView:
    """How you appear on boards and on your profile."""
    async with state.db.read() as session:
        return await service.listing(session, caller.account.id)


@router.put(
    "/me/listing",
    response_model=ListingView,
    responses=errors(CrossSite, NotSignedIn, SessionRequired, AccountRequired),
)
async def change_listing(body: ListingView, caller: Member, state: StateOf) -> ListingView:
    """Choose whether others see you on boards and may open your profile, and under which name."""
    async with state.db.write() as session:
        await service.change_listing(session, caller.account.id, body)
    return body


def _page(places: list[Any], limit: int) -> dict[str, Any]:
    more = len(places) > limit
    items = [place_view(place) for place in places[:limit]]
    return {"items": items, "next_cursor": service.cursor_of(places[limit - 1].key) if more else None}
