"""Routes for feeds and images of boards. They are public, and other sites may show them."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStoreDep
from api.kit.errors import errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.practice.feeds import svg_images
from api.practice.feeds.feeds import ENTRIES, FIRST, MEDIA_TYPES, Entry, Feed, Format, isolated, published
from api.practice.leaderboards import service
from api.practice.leaderboards.boards import BoardReader, Place
from api.practice.leaderboards.rank_milestones import MilestonesDep
from api.practice.leaderboards.routes import BOARDS
from api.practice.leaderboards.schemas import WantedBoard

router = APIRouter(tags=["standings"])
FEED: dict[int | str, dict[str, Any]] = {
    **NOT_MODIFIED,
    200: {"content": {MEDIA_TYPES["atom"]: {}, MEDIA_TYPES["json"]: {}}, "description": "Atom, or JSON Feed 1.1."},
}
WINDOWS = {"all": "", "month": ", this month", "week": ", this week"}


@router.get("/leaderboard/feed.{form}", response_class=Response, responses={**FEED, **errors(*BOARDS)})
async def get_leaderboard_feed(
    form: Format,
    wanted: Annotated[WantedBoard, Query()],
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
    settings: SettingsDep,
    has: Has,
) -> Response:
    """A feed of a board, as Atom or JSON Feed, newest first: who has solved the challenge or, for all other boards, who is among
    the first ten and when they reached their points. Anybody may read it.
    """
    board = service.wanted_board(store.catalogue, wanted)
    async with db.read() as session:
        reader = BoardReader(session, board, milestones)
        entries = await (_solves if wanted.challenge else _first)(reader, wanted, store.catalogue)
    query = _query(wanted)
    path = "/leaderboard" + (f"?{urlencode(query)}" if query else "")
    feed = Feed(f"Gradus: {title_of(wanted, store.catalogue)}", path, "/api/leaderboard/feed", query, entries)
    return published(feed, form, settings.url, has)


@router.get("/leaderboard/embed.svg", response_class=Response, responses={**svg_images.RESPONSES, **errors(*BOARDS)})
async def get_leaderboard_image(
    wanted: Annotated[WantedBoard, Query()],
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
    has: Has,
) -> Response:
    """The first five places of a board as an image for other sites. It follows the reader's colour scheme."""
    board = service.wanted_board(store.catalogue, wanted)
    async with db.read() as session:
        places = await BoardReader(session, board, milestones).after(None, 5)
    lines = [svg_images.Line(str(place.rank), place.name, _figure(place, wanted)) for place in places]
    drawn = svg_images.image(title_of(wanted, store.catalogue), lines, "No one has solved a challenge here yet.")
    return has.public(drawn, svg_images.MEDIA_TYPE, svg_images.HEADERS)


def title_of(wanted: WantedBoard, catalogue: Catalogue) -> str:
    """Return the name of a board."""
    of_section = f"Leaderboard: {wanted.section}" if wanted.section else "Leaderboard"
    what = catalogue.get(wanted.challenge).package.info.title if wanted.challenge else of_section
    return what + WINDOWS.get(wanted.window, f", {wanted.window}")


def _figure(place: Place, wanted: WantedBoard) -> str:
    return f"{place.key.reached_at:%Y-%m-%d}" if wanted.challenge else f"{place.key.points:,} points"


def _query(wanted: WantedBoard) -> dict[str, str]:
    """Return the parameters that differ from their defaults."""
    return {name: str(value) for name, value in wanted.model_dump(exclude_defaults=True).items()}


async def _first(reader: BoardReader, wanted: WantedBoard, catalogue: Catalogue) -> list[Entry]:
    title = title_of(wanted, catalogue)
    entries = [
        Entry(
            f"{reader.board.values['period']}/{place.key.account_id}/{place.key.points}",
            f"{isolated(place.name)} reached {place.key.points:,} points ({title}, place {place.rank})",
            f"/people/{place.key.account_id}",
            place.key.reached_at,
        )
        for place in await reader.after(None, FIRST)
    ]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


async def _solves(reader: BoardReader, wanted: WantedBoard, catalogue: Catalogue) -> list[Entry]:
    title = catalogue.get(wanted.challenge).package.info.title
    return [
        Entry(
            place.key.account_id,
            f"{isolated(place.name)} solved {title}",
            f"/people/{place.key.account_id}",
            place.key.reached_at,
        )
        for place in await reader.latest(ENTRIES)
    ]
