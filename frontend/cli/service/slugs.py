"""Caches the slugs of the current service's challenges, for shell completion. Also suggests similar slugs after a typo."""

import difflib
import time

import httpx
import msgspec

from frontend.cli.failure import Failure
from frontend.cli.service import servers
from frontend.cli.service.client import Client
from frontend.cli.service.records import Card, Cards

FRESH_S, HASTE_S = 24 * 3600.0, 2.0


class SlugCache(msgspec.Struct):
    """The slugs of all challenges that the service at `url` had at the time `at` (in seconds since 1970)."""

    url: str = ""
    at: float = 0.0
    slugs: list[str] = []


def cards(client: Client, **filters: str) -> list[Card]:
    """Fetches all challenges that match the filters. If there are no filters, also caches the slugs of the challenges."""
    found: list[Card] = []
    cursor: str | None = ""
    while cursor is not None:
        page = client.get("/challenges", Cards, limit=100, cursor=cursor, **filters)
        found += page.items
        cursor = page.next_cursor
    if not any(filters.values()):
        _remember(client.url, [card.slug for card in found])
    return found


def completed(incomplete: str) -> list[str]:
    """Returns the slugs that begin with `incomplete`, for shell completion.

    If the service does not respond within HASTE_S seconds or refuses the request, returns no slugs instead of failing.
    """
    try:
        url, token = servers.current()
        known = _load()
        if known.url != url or time.time() - known.at > FRESH_S:
            client = Client(url, token)
            client.http.timeout = httpx.Timeout(HASTE_S)
            with client.http:
                known.slugs = [card.slug for card in cards(client)]
    except Failure:
        return []
    return [slug for slug in known.slugs if slug.startswith(incomplete)]


def near(client: Client, slug: str) -> list[str]:
    """Returns up to three slugs that are similar to `slug`."""
    known = [card.slug for card in cards(client)]
    inside = [each for each in known if slug and slug in each]
    return list(dict.fromkeys([*difflib.get_close_matches(slug, known, cutoff=0.55), *inside]))[:3]


def _load() -> SlugCache:
    try:
        return msgspec.json.decode((servers.folder(cache=True) / "slugs.json").read_bytes(), type=SlugCache)
    except (OSError, msgspec.MsgspecError):
        return SlugCache()


def _remember(url: str, slugs: list[str]) -> None:
    known = SlugCache(url, time.time(), slugs)
    try:
        servers.write_privately(servers.folder(cache=True) / "slugs.json", msgspec.json.encode(known))
    except Failure:
        # If the cache cannot be written, the command continues without it.
        return
