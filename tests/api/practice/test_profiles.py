"""Tests progress and profiles: what an account has done, and which parts of it other people see."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import read_catalogue
from api.kit.db.database import now
from api.practice.leaderboards.models import Solve
from api.practice.leaderboards.periods import span, week_of
from api.practice.profiles.activity import Achievements, solved_this_week
from api.practice.profiles.badges import badges_of
from api.practice.quizzes.models import QuizAttempt
from tests.api.challenge_folders import write_challenge
from tests.api.practice.test_leaderboards import end, judge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import write_topic, write_track

START = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def root(home: Path) -> Path:
    """A folder with three challenges: an easy one, which a topic of a track names, a medium one, and a hard one in another
    section.
    """
    root = home / "challenges"
    write_challenge(root)
    write_challenge(root, "add-two", difficulty="medium", title="Add two")
    write_challenge(root, "add-three", section="further", difficulty="hard", title="Add three")
    write_topic(root)
    write_track(root)
    return root


@pytest.fixture
async def service(home: Path, root: Path) -> AsyncIterator[Service]:
    """A service with the challenges, the topic and the track of `root`."""
    async with running(settings_in(home)) as service:
        yield service


async def profile(service: Service, person: Any, of: str) -> dict[str, Any]:
    """Return a profile, or the error of the response."""
    told: dict[str, Any] = (await person.http.get(f"/api/profiles/{of}")).json()
    return told


@pytest.mark.anyio
async def test_newcomer_gets_the_shortest_of_the_easy_challenges(home: Path) -> None:
    root = home / "challenges"
    write_challenge(root, "add-four", minutes="25")
    write_challenge(root, "add-one", minutes="5")
    write_challenge(root, "add-two", minutes="15")
    async with running(settings_in(home)) as service:
        ada = await service.person()
        assert (await ada.http.get("/api/me/progress")).json()["next"] == "add-one"


@pytest.mark.anyio
async def test_progress_tells_solved_from_tried_and_what_was_last(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    told = (await ada.http.get("/api/me/progress")).json()
    track = {"id": "first-steps", "solved": 0, "challenges": 1, "next": "add-one"}
    nothing = {"solved": [], "tried": [], "points": 0, "solved_this_week": 0, "last": None, "next": "add-one"}
    assert told == {**nothing, "tracks": [track]}
    await judge(node, ada, "add-two")
    await ada.send("add-one", kind="run")
    await end(node)
    told = (await ada.http.get("/api/me/progress")).json()
    assert (told["solved"], told["tried"], told["points"], told["solved_this_week"]) == (
        ["add-two"],
        ["add-one"],
        20,
        1,
    )
    assert (told["last"]["slug"], told["last"]["solved"]) == ("add-one", False)
    assert told["next"] == "add-one"
    await judge(node, ada, "add-one")
    told = (await ada.http.get("/api/me/progress")).json()
    assert (told["tracks"][0]["solved"], told["tracks"][0]["next"], told["next"]) == (1, None, "add-three")


@pytest.mark.anyio
async def test_optional_stage_of_a_track_counts_neither_for_progress_nor_for_the_badge(home: Path, root: Path) -> None:
    write_topic(root, "further", challenges=("add-two", "add-one"), quiz="")
    track = write_track(root)
    begins, stage, required = track.read_text().partition("[[stage]]")
    track.write_text(f'{begins}[[stage]]\ntitle = "To read"\noptional = true\ntopics = ["further"]\n{stage}{required}')
    async with running(settings_in(home)) as service:
        node, ada = await service.node(), await service.person()
        own = (await ada.http.get("/api/me")).json()["id"]
        told = (await ada.http.get("/api/me/progress")).json()["tracks"]
        assert told == [{"id": "first-steps", "solved": 0, "challenges": 1, "next": "add-one"}]
        assert (await ada.http.get("/api/tracks")).json()["items"][0]["challenges"] == 1
        stages = (await ada.http.get("/api/tracks/first-steps")).json()["stages"]
        assert [(each["title"], each["optional"]) for each in stages] == [("To read", True), ("One", False)]
        await judge(node, ada, "add-one")
        told = (await ada.http.get("/api/me/progress")).json()["tracks"]
        assert told == [{"id": "first-steps", "solved": 1, "challenges": 1, "next": None}]
        badges = (await profile(service, ada, own))["badges"]
        assert "track-first-steps" in [badge["id"] for badge in badges]


@pytest.mark.anyio
async def test_catalogue_is_filtered_by_what_one_has_tried_and_solved(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    await judge(node, ada, "add-two")
    await ada.send("add-one", kind="run")
    await end(node)

    async def slugs(client: httpx.AsyncClient, **wanted: str) -> list[str]:
        answer = await client.get("/api/challenges", params=wanted)
        assert ("etag" in answer.headers) == ("status" not in wanted)
        return [item["slug"] for item in answer.json()["items"]]

    everything = await slugs(ada.http)
    found = {status: await slugs(ada.http, status=status) for status in ("new", "tried", "solved")}
    assert found == {"new": ["add-three"], "tried": ["add-one"], "solved": ["add-two"]}
    assert await slugs(ada.http, status="new", section="basics") == []
    for nobody in (service.client(), (await service.person("bob")).http):
        assert [await slugs(nobody, status=status) for status in ("new", "solved")] == [everything, []]
    assert (await ada.http.get("/api/challenges", params={"status": "old"})).status_code == 422


@pytest.mark.anyio
async def test_profile_and_board_are_told_once_until_something_happens(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    own = (await ada.http.get("/api/me")).json()["id"]
    client, paths = service.client(), (f"/api/profiles/{own}", "/api/leaderboard", "/api/leaderboard?section=basics")
    tags = {path: (await client.get(path)).headers["etag"] for path in paths}
    for path, tag in tags.items():
        again = await client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "private, no-cache")
    for path in (f"/api/profiles/{own}", "/api/leaderboard/me"):
        answer = await ada.http.get(path)
        assert ("etag" in answer.headers, answer.headers["cache-control"]) == (False, "no-store"), "what is one's own"
    await judge(node, ada)
    for path, tag in tags.items():
        assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 200, path


@pytest.mark.anyio
async def test_profile_shows_deeds_and_nothing_private(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada, "add-one")
    await judge(node, bob, "add-three")
    own = (await ada.http.get("/api/me")).json()["id"]
    told = await profile(service, bob, own)
    assert (told["name"], told["points"], told["rank"], told["own"]) == ("ada", 10, 2, False)
    assert told["solved_this_week"] == 1
    assert [(solve["slug"], solve["tries"]) for solve in told["solves"]] == [("add-one", 1)]
    assert [day["count"] for day in told["days"]] == [1]
    titles = {badge["title"] for badge in told["badges"]}
    assert titles == {"First step", "First solver", "To the end: First steps"}
    assert not {"email", "role"} & told.keys()
    assert "example.org" not in str(told)
    assert (await profile(service, ada, own))["own"]


@pytest.mark.anyio
async def test_who_is_not_listed_guests_and_nobody_have_the_same_profile(service: Service) -> None:
    ada, bob, guest = await service.person("ada"), await service.person("bob"), service.client()
    own = (await ada.http.get("/api/me")).json()["id"]
    guests = (await guest.post("/api/guest")).json()["id"]
    await ada.http.put("/api/me/listing", json={"listed": False, "name": HOSTILE})
    refused = [await profile(service, bob, of) for of in (own, guests, "0" * 32)]
    assert refused[0] == refused[1] == refused[2]
    assert refused[0]["code"] == "profile_not_found"
    hers = await profile(service, ada, own)
    assert (hers["name"], hers["listed"], hers["rank"]) == (HOSTILE, False, None)


def solve(slug: str, days: float, **more: Any) -> Solve:
    """Return the record of a challenge that was solved this many days after START."""
    values = {"section": "basics", "points": 10, "tries": 2, "submission_id": slug, "began_at": START, "shown": True}
    return Solve(account_id="a", slug=slug, solved_at=START + timedelta(days=days), **{**values, **more})


def earned(catalogue: Catalogue, *solves: Solve, firsts: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return the earned badges. Each is an id with the day of March on which the badge was earned."""
    done = Achievements(solves, [], firsts)
    return {badge.id: f"{badge.at:%d}" for badge in badges_of(done, catalogue)}


def test_badges_come_with_the_deed_and_not_before(root: Path) -> None:
    catalogue = read_catalogue(root, serve_unproven=True)
    assert earned(catalogue) == {}
    one, two = solve("add-one", 0), solve("add-two", 1)
    track = {"track-first-steps": "01"}
    assert earned(catalogue, one) == {"solved-1": "01", **track}
    assert earned(catalogue, one, two) == {"solved-1": "01", "section-basics": "02", **track}
    hard = solve("add-three", 2, section="further", tries=1)
    assert earned(catalogue, one, two, hard)["hard-at-once"] == "03"
    assert earned(catalogue, one, two, hard)["every-section"] == "03"
    assert "hard-at-once" not in earned(catalogue, solve("add-three", 0, section="further"))
    assert "hard-at-once" not in earned(catalogue, solve("add-one", 0, tries=1))
    assert earned(catalogue, solve("add-two", 0, tries=5)) == {"solved-1": "01"}
    assert earned(catalogue, one, two, firsts=frozenset({"add-two"}))["first-of-all"] == "02"
    assert earned(catalogue, *(solve(f"old-{number}", 0) for number in range(10)))["solved-10"] == "01"
    days = earned(catalogue, *(solve(f"old-{number}", number) for number in range(9)))
    assert days == {"solved-1": "01"}, "nothing for coming back every day"


def test_full_marks_are_counted_by_topic(root: Path) -> None:
    quizzes = [QuizAttempt(topic=str(number), ended_at=START) for number in range(10)]
    found = {badge.id for badge in badges_of(Achievements([], quizzes, frozenset()), Catalogue())}
    assert found == {"quizzes-1", "quizzes-10"}
    assert {badge.id for badge in badges_of(Achievements([], quizzes[:9], frozenset()), Catalogue())} == {"quizzes-1"}


def test_week_begins_on_monday_in_utc() -> None:
    monday, _ = span(week_of(now()))
    assert monday.weekday() == 0
    assert monday <= now() < monday + timedelta(days=7)
    second = timedelta(seconds=1)
    assert solved_this_week([]) == 0
    assert solved_this_week([monday - second, monday, monday + second]) == 2
