"""Tests feeds and images of boards: their contents, the headers that caches need, and names that try to break them."""

from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from sqlalchemy import select, update

from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.practice.feeds import svg_images
from api.practice.leaderboards.periods import week_of
from tests.api.challenge_folders import write_challenge
from tests.api.practice.test_leaderboards import judge
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
ATOM = "{http://www.w3.org/2005/Atom}"
SVG = "{http://www.w3.org/2000/svg}"
SITE = "http://gradus.example"
# Names as an attacker might store them. The last ones get past the form, e.g. if an older version stored them.
HOSTILE = (
    "]]><script>alert(1)</script>&amp;",
    '"/><image href="https://evil.example/x"/>',
    "مرحبا بالعالم שלום",
    "W" * 80,
    "字" * 80,
    "e" + "\u0301" * 79,
    "a\u202eb\u2066c\x00d\ufffee\ud800",
)
FEEDS = (
    "/api/leaderboard/feed",
    "/api/leaderboard/feed?section=basics",
    "/api/leaderboard/feed?challenge=add-one",
    "/api/leaderboard/feed?challenge=add-one&window=week",
    "/api/leaderboard/feed?window=month",
    "/api/weekly/feed",
)


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with an easy and a hard challenge in two sections."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-three", section="further", difficulty="hard", title="Add <three> & more")
    async with running(settings_in(home, repeat_window_s=0, public_url=SITE)) as service:
        yield service


def named(address: str, form: str) -> str:
    """Return the address of a feed with its ending."""
    path, _, query = address.partition("?")
    return f"{path}.{form}" + (f"?{query}" if query else "")


def entries(answer: httpx.Response) -> list[tuple[str, str, str]]:
    """Return the id, title and time of each entry of an Atom feed."""
    root = ElementTree.fromstring(answer.content)
    return [
        tuple(entry.findtext(f"{ATOM}{name}", "") for name in ("id", "title", "updated"))  # type: ignore[misc]
        for entry in root.findall(f"{ATOM}entry")
    ]


async def test_feeds_list_what_happened_newest_first(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada)
    await judge(node, bob, "add-three")
    await judge(node, bob)
    client = service.client()
    titles = {
        address: [title for _, title, _ in entries(await client.get(named(address, "atom")))] for address in FEEDS
    }
    points = ["\u2068bob\u2069 reached 50 points ({}, place 1)", "\u2068ada\u2069 reached 10 points ({}, place 2)"]
    solved = ["\u2068bob\u2069 solved Add one", "\u2068ada\u2069 solved Add one"]
    assert titles[FEEDS[0]] == [each.format("Leaderboard") for each in points]
    assert titles[FEEDS[1]] == [
        "\u2068bob\u2069 reached 10 points (Leaderboard: basics, place 2)",
        "\u2068ada\u2069 reached 10 points (Leaderboard: basics, place 1)",
    ]
    assert titles[FEEDS[2]] == titles[FEEDS[3]] == solved
    assert titles[FEEDS[4]] == [each.format("Leaderboard, this month") for each in points]
    assert len(titles[FEEDS[5]]) in (2, 3), "the challenge, and who solved it"
    assert titles[FEEDS[5]][-1].startswith(f"Challenge of the week {week_of(now())}: Add ")
    before = entries(await client.get(named(FEEDS[0], "atom")))
    await judge(node, ada, "add-three")
    after = entries(await client.get(named(FEEDS[0], "atom")))
    assert after[0][1] == "\u2068ada\u2069 reached 50 points (Leaderboard, place 2)"
    ids = [{identifier for identifier, _, _ in each} for each in (before, after)]
    assert (len(ids[0] & ids[1]), len(ids[1] - ids[0])) == (1, 1), "a new event has a new ID"


async def test_feeds_are_valid_atom_and_json_feed(service: Service) -> None:
    node, ada = await service.node(), await service.person("ada")
    await judge(node, ada)
    await judge(node, ada, "add-three")
    client = service.client()
    for address in FEEDS:
        answer = await client.get(named(address, "atom"))
        assert answer.headers["content-type"] == "application/atom+xml"
        root = ElementTree.fromstring(answer.content)
        for parent in (root, *root.findall(f"{ATOM}entry")):
            for name in ("id", "title", "updated"):
                assert len(parent.findall(f"{ATOM}{name}")) == 1, (address, name)
            assert (parent.findtext(f"{ATOM}id") or "").startswith("tag:gradus.example,2026:")
        assert root.findtext(f"{ATOM}author/{ATOM}name") == "Gradus"
        links = {link.attrib["rel"]: link.attrib["href"] for link in root.findall(f"{ATOM}link")}
        assert links["self"].startswith(f"{SITE}/api/")
        assert links["alternate"].startswith(f"{SITE}/")
        identifiers = [identifier for identifier, _, _ in entries(answer)]
        assert len(identifiers) == len(set(identifiers)) > 0
        times = [time for _, _, time in entries(answer)]
        assert times == sorted(times, reverse=True)
        assert root.findtext(f"{ATOM}updated") == times[0]
        told = await client.get(named(address, "json"))
        assert told.headers["content-type"] == "application/feed+json"
        feed = told.json()
        assert (feed["version"], feed["title"]) == (
            "https://jsonfeed.org/version/1.1",
            root.findtext(f"{ATOM}title"),
        )
        assert [(item["id"], item["title"], item["date_published"]) for item in feed["items"]] == entries(answer)
        assert all(item["url"].startswith(SITE) and item["content_text"] for item in feed["items"])
        assert feed["feed_url"] == links["self"].replace("feed.atom", "feed.json")
    assert (await client.get("/api/leaderboard/feed.rss")).status_code == 422
    assert (await client.get("/api/leaderboard/feed.atom?challenge=none")).status_code == 404


async def test_caches_and_other_sites_may_keep_and_show_them(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada)
    await judge(node, bob)
    own = (await ada.http.get("/api/me")).json()["id"]
    client = service.client()
    images = ["/api/leaderboard/embed.svg", f"/api/profiles/{own}/embed.svg"]
    addresses = [named(address, form) for address in FEEDS for form in ("atom", "json")] + images
    tags = {}
    for address in addresses:
        answer = await client.get(address)
        assert answer.headers["cache-control"] == "public, max-age=60"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        tags[address] = answer.headers["etag"]
        again = await ada.http.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b""), "the same for everybody"
        assert again.headers["cache-control"] == "public, max-age=60"
    feed = await client.get(named(FEEDS[0], "atom"))
    newest = parsedate_to_datetime(feed.headers["last-modified"])
    assert f"{newest:%Y-%m-%dT%H:%M:%S}" == entries(feed)[0][2][:19]
    # An entry disappears when its account goes private. A reader that sends only a date must learn that.
    await bob.http.put("/api/me/listing", json={"listed": False, "name": ""})
    late = {"If-Modified-Since": feed.headers["last-modified"]}
    changed = await client.get(named(FEEDS[0], "atom"), headers=late)
    assert (changed.status_code, len(entries(changed))) == (200, 1)
    assert (await client.get(images[0], headers={"If-None-Match": tags[images[0]]})).status_code == 200


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_names_stay_text(service: Service, name: str) -> None:
    node, ada = await service.node(), await service.person("ada")
    await judge(node, ada)
    own = (await ada.http.get("/api/me")).json()["id"]
    stored = name if "\ud800" not in name else name.replace("\x00", "").replace("\ud800", "")
    async with service.state.db.write() as session:
        await session.execute(update(Account).where(Account.id == own).values(name=stored))
        assert await session.scalar(select(Account.name).where(Account.id == own)) == stored
    client = service.client()
    for address in FEEDS[:4]:
        ElementTree.fromstring((await client.get(named(address, "atom"))).content)
        (await client.get(named(address, "json"))).json()
    for address in ("/api/leaderboard/embed.svg", f"/api/profiles/{own}/embed.svg"):
        answer = await client.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "script" not in answer.headers["content-security-policy"]
        root = ElementTree.fromstring(answer.content)
        assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
            "svg", "title", "style", "rect", "circle", "text"
        }  # fmt: skip
        assert not any(
            "href" in attribute or attribute.startswith("on") for each in root.iter() for attribute in each.attrib
        )
        texts = [each.text or "" for each in root.iter(f"{SVG}text")]
        assert all(len(text) <= 61 and "\u202e" not in text for text in texts)


async def test_images_show_the_first_five_and_a_standing(service: Service) -> None:
    node = await service.node()
    people = [await service.person(f"p{number}") for number in range(6)]
    for person in people:
        await judge(node, person)
    own = (await people[1].http.get("/api/me")).json()["id"]
    client = service.client()
    root = ElementTree.fromstring((await client.get("/api/leaderboard/embed.svg?section=basics")).content)
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts[:2] == ["Leaderboard: basics", "Gradus"]
    assert texts[2:] == [text for number in range(5) for text in (str(number + 1), f"p{number}", "10 points")]
    assert "prefers-color-scheme: dark" in (root.findtext(f"{SVG}style") or "")
    root = ElementTree.fromstring((await client.get(f"/api/profiles/{own}/embed.svg")).content)
    assert root.findtext(f"{SVG}title") == "p1: Points 10; Rank 2; Challenges solved 1"
    root = ElementTree.fromstring((await client.get("/api/leaderboard/embed.svg?window=2020-W01")).content)
    assert root.findtext(f"{SVG}title") == "Leaderboard, 2020-W01: No one has solved a challenge here yet."
    await people[1].http.put("/api/me/listing", json={"listed": False, "name": ""})
    assert (await client.get(f"/api/profiles/{own}/embed.svg")).status_code == 404


def test_names_are_cut_by_their_width() -> None:
    assert svg_images.shortened("Ada", 25) == "Ada"
    assert svg_images.shortened("W" * 26, 25) == "W" * 25 + "…"
    assert svg_images.shortened("字" * 13, 25) == "字" * 12 + "…"
    assert len(svg_images.shortened("e" + "\u0301" * 500, 25)) == 61
