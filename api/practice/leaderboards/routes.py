"""Routes to read leaderboards, to find your own place, and to choose how you appear."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue, ChallengeNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.practice.leaderboards import service
from api.practice.leaderboards.boards import BoardReader, GroupReader, Place
from api.practice.leaderboards.rank_milestones import Milestones, MilestonesDep
from api.practice.leaderboards.ranks import Ranks
from api.practice.leaderboards.schemas import (
    LeaderboardPage,
    ListingView,
    OwnPlace,
    PlaceView,
    WantedBoard,
    WantedPage,
    WantedPlaces,
    place_view,
)

router = APIRouter(tags=["standings"], route_class=JsonRoute)
BOARDS = (ChallengeNotFound, service.SectionNotFound)


@router.get("/leaderboard", response_model=LeaderboardPage, responses={**errors(BadCursor, *BOARDS), **NOT_MODIFIED})
async def get_leaderboard(
    wanted: Annotated[WantedPage, Query()],
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
    has: Has,
) -> LeaderboardPage | Response:
    """Accounts ordered by points: overall, in a section, or for one challenge. A solved challenge gives 10 points if it is
    easy, 20 if it is medium, and 40 if it is hard. Of accounts with equal points, the one that reached them first comes first.
    Ranks on boards with thousands of accounts may be some seconds old, and at most 30 seconds.
    """
    key = service.key_of(wanted.cursor)
    async with db.read() as session:
        shown = _Shown(BoardReader(session, service.wanted_board(store.catalogue, wanted), milestones))
        page = await shown.page(await shown.reader.after(key, wanted.limit + 1), wanted.limit)
    return has.has(page.model_dump_json()) or page


@router.get("/leaderboard/following", response_model=LeaderboardPage, responses=errors(BadCursor, NotSignedIn, *BOARDS))
async def get_board_of_followed(
    wanted: Annotated[WantedPage, Query()],
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
) -> LeaderboardPage:
    """The places of you and the people you follow on a board: the rank among them, and the rank among all people."""
    key = service.key_of(wanted.cursor)
    async with db.read() as session:
        shown = await _Shown.of_followed(session, store.catalogue, milestones, wanted, caller.account.id)
        return await shown.page(await shown.reader.after(key, wanted.limit + 1), wanted.limit)


@router.get("/leaderboard/me", response_model=OwnPlace, responses=errors(NotSignedIn, *BOARDS))
async def get_own_place(
    wanted: Annotated[WantedPlaces, Query()],
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
) -> OwnPlace:
    """Your place on a board, with the places around it and the first one."""
    async with db.read() as session:
        if wanted.people == "following":
            shown = await _Shown.of_followed(session, store.catalogue, milestones, wanted, caller.account.id)
        else:
            shown = _Shown(BoardReader(session, service.wanted_board(store.catalogue, wanted), milestones))
        page = await shown.page(await shown.reader.around(caller.account.id, wanted.limit + 1), wanted.limit)
        mine = next((item for item in page.items if item.id == caller.account.id), None)
        first = next(iter(await shown.views(await shown.reader.after(None, 1))), None)
        reason = None if mine else await service.why_without_place(session, caller.account)
    return OwnPlace(**dict(page), mine=mine, first=first, reason=reason)


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


@dataclass(frozen=True)
class _Shown:
    """A board that a response shows. On a board of the people that one follows, `everybody` gives the ranks among all people."""

    reader: BoardReader | GroupReader
    everybody: Ranks | None = None

    @classmethod
    async def of_followed(
        cls, session: AsyncSession, catalogue: Catalogue, milestones: Milestones, wanted: WantedBoard, own_id: str
    ) -> "_Shown":
        board = service.wanted_board(catalogue, wanted)
        group = await GroupReader.read(session, board, service.FOLLOWED_AND_OWN, own_id=own_id)
        return cls(group, Ranks(session, board, milestones))

    async def views(self, places: Sequence[Place]) -> list[PlaceView]:
        if self.everybody is None:
            return [place_view(place) for place in places]
        ranks = await self.everybody.of([place.key for place in places])
        return [place_view(place, rank) for place, rank in zip(places, ranks, strict=True)]

    async def page(self, places: Sequence[Place], limit: int) -> LeaderboardPage:
        """Return a page with these places. One place more than fits shows that there is a next page."""
        return LeaderboardPage(
            items=await self.views(places[:limit]),
            total=await self.reader.size(),
            next_cursor=service.cursor_of(places[limit - 1].key) if len(places) > limit else None,
        )
