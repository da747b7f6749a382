"""Tests that the site can be used without an account, and that a guest's work is kept after signing up."""

from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from api.identity.accounts.models import Account
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import write_topic

pytestmark = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}


async def guest_of(service: Service) -> httpx.AsyncClient:
    client = service.client()
    answer = await client.post("/api/guest")
    assert answer.status_code == 201
    assert (answer.json()["role"], answer.json()["email"]) == ("guest", "")
    return client


async def send(client: httpx.AsyncClient, source: str) -> httpx.Response:
    return await client.post("/api/submissions", json={"slug": "add-one", "source": source, "kind": "submit"})


async def slugs_sent(client: httpx.AsyncClient) -> int:
    return len((await client.get("/api/submissions")).json()["items"])


async def test_guest_may_send_and_read_what_he_sent(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        client = await guest_of(service)
        made = await send(client, "x = 1")
        assert made.status_code == 201
        assert (await client.get(f"/api/submissions/{made.json()['id']}/source")).json()["source"] == "x = 1"
        other = await guest_of(service)
        assert (await other.get(f"/api/submissions/{made.json()['id']}")).status_code == 404


@pytest.mark.parametrize("way", ["sign up", "sign in"])
async def test_signing_up_or_in_keeps_what_the_guest_did(home: Path, way: str) -> None:
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        if way == "sign in":
            await service.client().post("/api/accounts", json=ADA)
        client = await guest_of(service)
        made = (await send(client, "x = 1")).json()["id"]
        attempt = (await client.post("/api/topics/adding/attempts")).json()["id"]
        path, status = ("/api/accounts", 201) if way == "sign up" else ("/api/session", 200)
        body = ADA if way == "sign up" else {"email": ADA["email"], "password": ADA["password"]}
        answer = await client.post(path, json=body)
        assert (answer.status_code, answer.json()["role"]) == (status, "account")
        assert (await client.get(f"/api/submissions/{made}")).status_code == 200
        assert (await client.get(f"/api/attempts/{attempt}")).status_code == 200
        assert await slugs_sent(client) == 1
        async with service.state.db.read() as session:
            assert await session.scalar(select(func.count()).where(Account.role == "guest")) == 0


async def test_a_refused_sign_up_leaves_the_guest_as_he_is(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        await service.client().post("/api/accounts", json=ADA)
        client = await guest_of(service)
        await send(client, "x = 1")
        assert (await client.post("/api/accounts", json=ADA)).status_code == 409
        assert (await client.post("/api/session", json={**ADA, "password": "wrong"})).status_code in (401, 422)
        assert (await client.get("/api/me")).json()["role"] == "guest"
        assert await slugs_sent(client) == 1


async def test_an_account_that_signs_in_as_another_keeps_its_own(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        client = service.client()
        await client.post("/api/accounts", json=ADA)
        await send(client, "x = 1")
        await client.post("/api/accounts", json={**ADA, "email": "bob@example.org"})
        assert await slugs_sent(client) == 0
        await client.post("/api/session", json={"email": ADA["email"], "password": ADA["password"]})
        assert await slugs_sent(client) == 1


async def test_a_guest_who_tries_often_is_not_refused(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        client = await guest_of(service)
        for number in range(20):
            sent = await send(client, f"x = {number}")
            assert sent.status_code == 201, (number, sent.text)
            await client.post(f"/api/submissions/{sent.json()['id']}/cancel")


async def test_guests_have_a_smaller_quota(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, unfinished_per_guest=2)) as service:
        client = await guest_of(service)
        answers = [(await send(client, f"x = {number}")).status_code for number in range(3)]
        assert answers == [201, 201, 429]


async def test_guests_are_throttled_by_address(home: Path) -> None:
    async with running(settings_in(home, guests_per_hour=2)) as service:
        answers = [await service.client().post("/api/guest") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert "retry-after" in answers[-1].headers


async def test_guest_is_the_same_while_the_session_lasts(home: Path) -> None:
    async with running(settings_in(home)) as service:
        client = await guest_of(service)
        again = await client.post("/api/guest")
        assert (again.status_code, again.json()["id"]) == (200, (await client.get("/api/me")).json()["id"])


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/me/tokens", {"name": "t"}), ("/api/me/password", {"current": "", "password": "ten characters"})],
)
async def test_guest_has_neither_tokens_nor_a_password(home: Path, path: str, body: dict[str, str]) -> None:
    async with running(settings_in(home)) as service:
        answer = await (await guest_of(service)).post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "account_required")


async def test_nobody_signs_in_as_a_guest(home: Path) -> None:
    async with running(settings_in(home)) as service:
        client = await guest_of(service)
        own = (await client.get("/api/me")).json()["id"]
        for password in ("", "ten characters"):
            body = {"email": f"{own}@guest.invalid", "password": password}
            assert (await service.client().post("/api/session", json=body)).status_code in (401, 422)
