"""Tests following people: who can be followed, boards of the people you follow, and what followed people cannot see."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.practice.profiles import follows
from tests.api.challenge_folders import write_challenge
from tests.api.practice.test_leaderboards import judge
from tests.api.running_service import Person, Service, running, settings_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with an easy and a hard challenge in two sections."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-three", section="further", difficulty="hard", title="Add three")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


async def id_of(person: Person) -> str:
    return str((await person.http.get("/api/me")).json()["id"])


async def follow(person: Person, other: Person) -> None:
    assert (await person.http.put(f"/api/profiles/{await id_of(other)}/follow")).status_code == 204


async def board(person: Person, **wanted: Any) -> list[tuple[int, int, str]]:
    """Return the rank among the people that a person follows, the rank among all, and the name of each row."""
    answer = await person.http.get("/api/leaderboard/following", params=wanted)
    assert (answer.status_code, "etag" in answer.headers) == (200, False), answer.text
    return [(item["rank"], item["overall_rank"], item["name"]) for item in answer.json()["items"]]


async def test_boards_of_the_people_one_follows_have_both_ranks(service: Service) -> None:
    node = await service.node()
    ada, bob, eve, zoe = [await service.person(name) for name in ("ada", "bob", "eve", "zoe")]
    for person, slugs in (
        (bob, ["add-one", "add-three"]),
        (eve, ["add-three"]),
        (zoe, ["add-one"]),
        (ada, ["add-one"]),
    ):
        for slug in slugs:
            await judge(node, person, slug)
    assert await board(ada) == [(1, 4, "ada")], "one is always on this board"
    for other in (zoe, eve):
        await follow(ada, other)
        await follow(ada, other)
    assert await board(ada) == [(1, 2, "eve"), (2, 3, "zoe"), (3, 4, "ada")]
    assert await board(ada, section="further") == [(1, 2, "eve")]
    assert await board(ada, challenge="add-one") == [(1, 2, "zoe"), (2, 3, "ada")]
    assert await board(ada, window="week") == [(1, 2, "eve"), (2, 3, "zoe"), (3, 4, "ada")]
    assert await board(ada, window="2020-W01") == []
    first = (await ada.http.get("/api/leaderboard/following", params={"limit": 1})).json()
    assert (first["total"], first["items"][0]["name"]) == (3, "eve")
    assert await board(ada, limit=2, cursor=first["next_cursor"]) == [(2, 3, "zoe"), (3, 4, "ada")]
    own = (await ada.http.get("/api/leaderboard/me", params={"people": "following", "section": "basics"})).json()
    assert [(item["rank"], item["overall_rank"]) for item in own["items"]] == [(1, 2), (2, 3)]
    assert (own["mine"]["rank"], own["mine"]["overall_rank"], own["total"]) == (2, 3, 2)
    whole = (await ada.http.get("/api/leaderboard")).json()["items"]
    assert {item["overall_rank"] for item in whole} == {None}
    assert await board(bob) == [(1, 1, "bob")], "following has one direction"


async def test_the_followed_learn_a_number_and_nothing_else(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    await follow(ada, bob)
    told = (await bob.http.get("/api/me/following")).json()
    assert told == {"items": [], "followers": 1}
    assert await id_of(ada) not in (await bob.http.get("/api/me/export")).text
    rows = (await ada.http.get("/api/me/export")).json()["follow"]
    assert [row["followed_id"] for row in rows] == [await id_of(bob)]
    mine = (await ada.http.get("/api/me/following")).json()
    assert ([item["name"] for item in mine["items"]], mine["followers"]) == (["bob"], 0)
    for _ in range(2):
        assert (await ada.http.delete(f"/api/profiles/{await id_of(bob)}/follow")).status_code == 204
    assert (await bob.http.get("/api/me/following")).json()["followers"] == 0


async def test_who_is_private_banned_or_a_guest_cannot_be_followed_or_found(service: Service) -> None:
    node, ada, bob, admin = (
        await service.node(),
        await service.person("ada"),
        await service.person("bob"),
        await service.admin(),
    )
    guest = Person(service.client())
    await guest.http.post("/api/guest")
    await judge(node, bob)
    await follow(ada, bob)
    own = await id_of(bob)
    await bob.http.put("/api/me/listing", json={"listed": False, "name": ""})
    assert (await board(ada), (await ada.http.get("/api/me/following")).json()["items"]) == ([], [])
    refused = [await ada.http.put(f"/api/profiles/{of}/follow") for of in (own, await id_of(guest), "0" * 32)]
    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(404, "profile_not_found")}
    assert len({answer.text for answer in refused}) == 1
    await bob.http.put("/api/me/listing", json={"listed": True, "name": "Bobby"})
    assert await board(ada) == [(1, 1, "Bobby")]
    assert (await ada.http.get("/api/me/following")).json()["items"][0]["name"] == "Bobby"
    await admin.http.put(f"/api/admin/accounts/{own}/ban", json={"reason": "Copied everything."})
    assert (await board(ada), (await ada.http.get("/api/me/following")).json()["items"]) == ([], [])
    answer = await ada.http.put(f"/api/profiles/{await id_of(ada)}/follow")
    assert (answer.status_code, answer.json()["code"]) == (409, "follows_itself")
    answer = await guest.http.put(f"/api/profiles/{await id_of(ada)}/follow")
    assert (answer.status_code, answer.json()["code"]) == (403, "account_required")
    assert (await guest.http.get("/api/leaderboard/following")).json()["items"] == []


async def test_limit_and_erasure(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follows, "FOLLOWED", 1)
    ada, bob, eve = [await service.person(name) for name in ("ada", "bob", "eve")]
    await follow(ada, bob)
    await follow(ada, bob)
    answer = await ada.http.put(f"/api/profiles/{await id_of(eve)}/follow")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_followed")
    assert (await bob.http.request("DELETE", "/api/me", json={"password": "ten characters"})).status_code == 204
    assert (await ada.http.get("/api/me/following")).json()["items"] == []
    await follow(ada, eve)
    assert (await ada.http.request("DELETE", "/api/me", json={"password": "ten characters"})).status_code == 204
    assert (await eve.http.get("/api/me/following")).json()["followers"] == 0
