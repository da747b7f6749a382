"""Tests that shared content is cached and compressed, and that personal content is neither."""

import gzip
from pathlib import Path

import httpx
import pytest

from api.kit.http.caching import SMALLEST_ZIPPED
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import write_topic, write_track

pytestmark = pytest.mark.anyio
PUBLIC = (
    "/api/challenges",
    "/api/challenges/add-one",
    "/api/topics",
    "/api/topics/adding",
    "/api/tracks",
    "/api/tracks/first-steps",
    "/api/search?q=add",
)


@pytest.fixture
def full(home: Path) -> Path:
    """A data folder with a long challenge, a topic and a track."""
    folder = write_challenge(home / "challenges")
    (folder / "statement.md").write_text("Add one, and beware of the zebra. " * 200)
    write_topic(home / "challenges")
    write_track(home / "challenges")
    return home


async def test_unchanged_answer_is_304_until_the_catalogue_changes(full: Path) -> None:
    async with running(settings_in(full)) as service:
        client = service.client()
        tags = {path: (await client.get(path)).headers["etag"] for path in PUBLIC}
        assert len(set(tags.values())) == len(PUBLIC)
        for path, tag in tags.items():
            for given in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
                answer = await client.get(path, headers={"If-None-Match": given})
                assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag), path
                assert answer.headers["cache-control"] == "private, no-cache"
            assert (await client.get(path, headers={"If-None-Match": '"other"'})).status_code == 200
        (full / "challenges" / "topics" / "basics" / "adding" / "page.md").write_text(
            "New.\n\n![Up](pictures/curve.svg)\n"
        )
        (full / "challenges" / "basics" / "add-one" / "statement.md").write_text("New.\n")
        service.state.store.reload()
        for path, tag in tags.items():
            assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 200, path


async def raw(service: Service, path: str, encoding: str) -> tuple[httpx.Response, bytes]:
    async with service.client().stream("GET", path, headers={"Accept-Encoding": encoding}) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


async def test_public_answers_are_compressed_for_who_takes_it(full: Path) -> None:
    async with running(settings_in(full)) as service:
        plain, body = await raw(service, "/api/challenges/add-one", "identity")
        zipped, packed = await raw(service, "/api/challenges/add-one", "gzip, br")
    assert len(body) > 6000
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(packed) == body
    assert len(packed) < len(body) / 2


async def test_what_is_somebodys_own_is_never_compressed(full: Path) -> None:
    async with running(settings_in(full)) as service:
        ada = await service.person()
        sent = await ada.send(source=f"# {'x' * 4000}\ndef add_one(x):\n    return x + 1\n")
        source = await ada.http.get(f"/api/submissions/{sent['id']}/source", headers={"Accept-Encoding": "gzip"})
        created = await ada.http.post("/api/me/tokens", json={"name": "n" * 60}, headers={"Accept-Encoding": "gzip"})
        await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
        events = await ada.http.get(f"/api/submissions/{sent['id']}/events", headers={"Accept-Encoding": "gzip"})
    assert len(source.content) > SMALLEST_ZIPPED
    for answer in (source, created, events):
        assert "content-encoding" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"


async def test_an_address_that_asks_too_often_waits_and_others_do_not(home: Path) -> None:
    async with running(settings_in(home, requests_per_minute_of_an_address=5, trusted_proxies="127.0.0.1")) as service:
        client = service.client()

        async def ask(address: str) -> httpx.Response:
            return await client.get("/api/health", headers={"X-Forwarded-For": address})

        for _ in range(5):
            assert (await ask("2001:db8::1")).status_code == 200
        refused = await ask("2001:db8::2")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests"), "one site is one address"
        assert 1 <= int(refused.headers["retry-after"]) <= 12
        assert "Wait a few seconds" in refused.json()["message"]
        assert (await ask("203.0.113.9")).status_code == 200
        assert [(await client.get("/api/health")).status_code for _ in range(8)] == [200] * 8, (
            "this machine never waits"
        )


async def test_an_account_that_asks_too_often_waits_wherever_it_is(home: Path) -> None:
    async with running(settings_in(home, requests_per_minute=6)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        token = (await ada.http.post("/api/me/tokens", json={"name": "x"})).json()["token"]
        program = service.client(headers={"Authorization": f"Bearer {token}"})
        answers = [await each.get("/api/me") for each in (ada.http, program) * 3]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert answers[-1].headers["retry-after"] == "10"
        assert (await bob.http.get("/api/me")).json()["id"]
        assert (await ada.http.get("/api/health")).status_code == 200, "what is public is nobody's quota"
