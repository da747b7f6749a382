"""Feeds of boards in two formats: Atom (RFC 4287) and JSON Feed 1.1. Nothing is stored for them.

The feed of a challenge lists who solved it. The feeds of all other boards list the accounts among the first ten, by when they
reached their points. The entry of an account has another ID when its points have changed, so feed readers show it as new.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from fastapi import Response

from api.kit.http.caching import Reader
from api.kit.text import REPLACEMENT, printable

Format = Literal["atom", "json"]
MEDIA_TYPES: dict[Format, str] = {"atom": "application/atom+xml", "json": "application/feed+json"}
# How many entries a feed has, and how many places of a board are in its feed.
ENTRIES, FIRST = 50, 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Characters that text of users may contain, but XML must not.
_NOT_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True)
class Entry:
    """One event. `id` is unique in the feed and never changes. `path` is the page about it."""

    id: str
    title: str
    path: str
    at: datetime


@dataclass(frozen=True)
class Feed:
    """A feed. `path` is the page that it belongs to, and `address` the path of the feed itself without its ending."""

    title: str
    path: str
    address: str
    query: dict[str, str]
    entries: Sequence[Entry]

    @property
    def changed_at(self) -> datetime:
        """The time of the newest entry."""
        return max((entry.at for entry in self.entries), default=EPOCH)


def isolated(name: str) -> str:
    """Return a person's name so that its writing direction does not change the order of the words around it."""
    return f"\N{FIRST STRONG ISOLATE}{xml_text(name)}\N{POP DIRECTIONAL ISOLATE}"


def xml_text(text: str) -> str:
    """Replace the characters that XML cannot contain, and those that are invisible or misleading."""
    return _NOT_XML.sub(REPLACEMENT, printable(text))


def published(feed: Feed, form: Format, site: str, has: Reader) -> Response:
    """Return a feed. `site` is the URL of this site.

    `Last-Modified` is the time of the newest entry. Requests are compared by ETag alone: an entry disappears when its account
    goes private, and the newest entry can then be older than before.
    """
    body = (_atom if form == "atom" else _json)(feed, site)
    modified = format_datetime(feed.changed_at.astimezone(UTC), usegmt=True)
    return has.public(body, MEDIA_TYPES[form], {"Last-Modified": modified})


def _address(feed: Feed, form: Format, site: str) -> str:
    return f"{site}{feed.address}.{form}" + (f"?{urlencode(feed.query)}" if feed.query else "")


def _tag(feed: Feed, entry: str, site: str) -> str:
    """Return a tag URI (RFC 4151), which stays the same when the page of the entry moves."""
    specific = "/".join((feed.address.removeprefix("/api/"), *sorted(feed.query.values()), entry))
    return f"tag:{urlsplit(site).hostname},2026:{specific}"


def _atom(feed: Feed, site: str) -> bytes:
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom"})
    _child(root, "id", _tag(feed, "feed", site))
    _child(root, "title", feed.title)
    _child(root, "updated", _moment(feed.changed_at))
    _child(SubElement(root, "author"), "name", "Gradus")
    SubElement(root, "link", {"rel": "self", "type": MEDIA_TYPES["atom"], "href": _address(feed, "atom", site)})
    SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": site + feed.path})
    for entry in feed.entries:
        one = SubElement(root, "entry")
        _child(one, "id", _tag(feed, entry.id, site))
        _child(one, "title", entry.title)
        _child(one, "updated", _moment(entry.at))
        SubElement(one, "link", {"rel": "alternate", "type": "text/html", "href": site + entry.path})
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _child(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text


def _json(feed: Feed, site: str) -> bytes:
    items: list[dict[str, Any]] = [
        {
            "id": _tag(feed, entry.id, site),
            "url": site + entry.path,
            "title": entry.title,
            "content_text": entry.title,
            "date_published": _moment(entry.at),
        }
        for entry in feed.entries
    ]
    whole = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": site + feed.path,
        "feed_url": _address(feed, "json", site),
        "items": items,
    }
    return json.dumps(whole, ensure_ascii=False).encode()


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
