"""Routes to read the challenges of this week and of past weeks, and their feed."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.content.catalogue.service import CatalogueStoreDep
from api.kit.errors import BadCursor, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.text import CleanText
from api.practice.feeds.feeds import ENTRIES, FIRST, Entry, Feed, Format, isolated, published
from api.practice.feeds.routes import FEED
from api.practice.leaderboards.boards import BoardReader, board
from api.practice.leaderboards.rank_milestones import MilestonesDep
from api.practice.weekly import service
from api.practice.weekly.schemas import WeekPage

router = APIRouter(tags=["standings"])
# How many weeks the feed covers.
WEEKS = 5


@router.get("/weekly", response_model=WeekPage, responses={**errors(BadCursor), **NOT_MODIFIED})
async def list_weeks(
    db: DatabaseDep,
    store: CatalogueStoreDep,
    has: Has,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> WeekPage | Response:
    """The challenges of this week, then those of past weeks. A week begins on Monday at 00:00 UTC. The board of a week's
    challenge is at `/api/leaderboard`, with the challenge and the week as `window`.
    """
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    await service.ensure_this_week(db, store)
    async with db.read() as session:
        items = await service.weeks(session, store.catalogue, before, limit + 1)
    more = encode_cursor(items[limit - 1].week) if len(items) > limit else None
    page = WeekPage(items=items[:limit], next_cursor=more)
    return has.has(page.model_dump_json()) or page


@router.get("/weekly/feed.{form}", response_class=Response, responses={**errors(), **FEED})
async def get_weekly_feed(
    form: Format,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
    settings: SettingsDep,
    has: Has,
) -> Response:
    """A feed of the latest weeks, as Atom or JSON Feed, newest first: their challenges, and the first ten who solved each."""
    await service.ensure_this_week(db, store)
    entries = []
    async with db.read() as session:
        for week in await service.weeks(session, store.catalogue, "", WEEKS):
            for each in week.challenges:
                path = f"/challenges/{each.slug}"
                title = f"Challenge of the week {week.week}: {each.title}"
                entries.append(Entry(f"{week.week}/{each.slug}", title, path, week.begins_at))
                reader = BoardReader(session, board("", each.slug, week.week), milestones)
                entries += [
                    Entry(
                        f"{week.week}/{each.slug}/{place.key.account_id}",
                        f"{isolated(place.name)} solved {each.title} (place {place.rank} of {week.week})",
                        f"/people/{place.key.account_id}",
                        place.key.reached_at,
                    )
                    for place in await reader.after(None, FIRST)
                ]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    feed = Feed("Gradus: challenges of the week", "/weekly", "/api/weekly/feed", {}, entries[:ENTRIES])
    return published(feed, form, settings.url, has)
