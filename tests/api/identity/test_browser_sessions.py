"""Tests the sessions of a browser: protection against requests from other sites and against cookies that other sites set,
expiry, and revocation.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.identity.accounts.models import Account, AccountSession
from api.identity.sessions.origin import Origin
from api.identity.sign_in.service import WrongCredentials, open_session
from api.kit.db.database import now
from tests.api.challenge_folders import write_challenge
from tests.api.request_bodies import body_of
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.test_authorisation import ROUTES

pytestmark = pytest.mark.anyio
PASSWORD = "ten characters"
UNSAFE = sorted(route for route in ROUTES if not route.startswith(("GET ", "HEAD ")))
FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
)


async def code_of(client: Any, route: str, headers: dict[str, str]) -> str:
    """Send a request for a route. Return the error code, or an empty string if there is none."""
    method, _, path = route.partition(" ")
    somewhere = re.sub(r"{\w+}", "0" * 32, path)
    answer = await client.request(method, somewhere, json=body_of(route), headers=headers)
    return str(answer.json().get("code", "")) if answer.content else ""


async def sign_in(service: Service, person: Person, **more: Any) -> Person:
    """Sign in the same person in another browser."""
    other = Person(service.client(**more), person.email)
    answer = await other.http.post("/api/session", json={"email": person.email, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return other


async def is_in(person: Person) -> bool:
    """Return whether a browser is signed in to an account."""
    answer = await person.http.get("/api/me")
    return answer.status_code == 200 and answer.json() is not None


async def test_nothing_is_changed_for_a_page_of_another_site(service: Service) -> None:
    ada = await service.person()
    for route in UNSAFE:
        for headers in FOREIGN:
            assert await code_of(ada.http, route, headers) == "cross_site", (route, headers)
    assert await is_in(ada), "not even signed out"


async def test_own_pages_and_programs_are_let_through(service: Service) -> None:
    ada = await service.person()
    token = (await ada.http.post("/api/me/tokens", json={"name": "x"})).json()["token"]
    program = service.client(headers={"Authorization": f"Bearer {token}"})
    for route in [route for route in UNSAFE if "_id}" in route]:
        for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, {"Origin": service.url}):
            assert await code_of(ada.http, route, headers) != "cross_site", (route, headers)
        for headers in FOREIGN:
            assert await code_of(program, route, headers) != "cross_site", "a page of another site has no token to send"


async def test_token_is_no_pass_for_the_cookie_beside_it(service: Service) -> None:
    ada = await service.person()
    headers = {"Authorization": "Bearer gradus_wrong", "Origin": "https://evil.example"}
    assert await code_of(ada.http, "POST /api/me/tokens", headers) == "not_signed_in"


async def test_name_that_another_site_made_point_here_is_refused(service: Service, home: Path) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[::2]"):
        answer = await service.client().get("/api/health", headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host")
    for host in ("localhost:8000", "LOCALHOST", "127.0.0.1", "[::1]:8000"):
        assert (await service.client().get("/api/health", headers={"Host": host})).status_code == 200
    assert settings_in(home, host="0.0.0.0").hosts == frozenset()
    assert "gradus.example" in settings_in(home, public_url="https://gradus.example/").hosts


@pytest.mark.parametrize(
    ("settings", "headers", "name"),
    [
        ({}, {}, "gradus_session"),
        ({"public_url": "https://gradus.example"}, {}, "__Host-gradus_session"),
        ({"secure_cookies": True}, {}, "__Host-gradus_session"),
        ({"trusted_proxies": "127.0.0.1"}, {"X-Forwarded-Proto": "https"}, "__Host-gradus_session"),
        ({}, {"X-Forwarded-Proto": "https"}, "gradus_session"),
    ],
)
async def test_cookie_is_as_closed_as_the_connection_allows(
    home: Path, settings: dict[str, Any], headers: dict[str, str], name: str
) -> None:
    async with running(settings_in(home, **settings)) as service:
        client = service.client(headers=headers)
        body = {"email": "ada@example.org", "name": "Ada", "password": PASSWORD}
        cookie = (await client.post("/api/accounts", json=body)).headers["set-cookie"]
        parts = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=lax", "path=/"} <= parts
        assert not any(part.startswith("domain") for part in parts)
        assert ("secure" in parts) == name.startswith("__Host-")
        assert cookie.partition("=")[0] == name
        value = cookie.partition("=")[2].partition(";")[0]
        for sent, known in ((name, True), ("session", False), ("__Secure-gradus_session", False)):
            answer = await service.client(headers={**headers, "Cookie": f"{sent}={value}"}).get("/api/me")
            assert (answer.status_code, answer.json() is not None) == (200, known), sent
        if name.startswith("__Host-"):
            planted = service.client(headers={**headers, "Cookie": f"gradus_session={value}"})
            assert (await planted.get("/api/me")).json() is None, "a sister site can set a cookie of this name"


async def test_session_from_before_is_never_adopted(service: Service) -> None:
    ada, eve = await service.person("ada"), await service.person("eve")
    for planted in ("gs_chosen_by_eve", eve.http.cookies["gradus_session"]):
        victim = await sign_in(service, ada, cookies={"gradus_session": planted})
        fresh = victim.http.cookies.get("gradus_session", domain="127.0.0.1")
        assert fresh != planted
        left = service.client(cookies={"gradus_session": planted})
        assert (await left.get("/api/me")).json() is None, "what was planted is nobody's, or ended"


async def test_signing_in_again_ends_the_session_before(service: Service) -> None:
    ada = await service.person()
    before = ada.http.cookies["gradus_session"]
    await ada.http.post("/api/session", json={"email": ada.email, "password": PASSWORD})
    assert ada.http.cookies["gradus_session"] != before
    assert (await service.client(cookies={"gradus_session": before}).get("/api/me")).json() is None
    assert len((await ada.http.get("/api/me/sessions")).json()["items"]) == 1


@pytest.mark.parametrize(
    ("column", "hours", "alive"),
    [("expires_at", 1, True), ("expires_at", -1, False), ("last_used_at", -71, True), ("last_used_at", -73, False)],
)
async def test_session_ends_by_age_and_by_lying_idle(service: Service, column: str, hours: int, alive: bool) -> None:
    ada = await service.person()
    async with service.state.db.write() as session:
        await session.execute(update(AccountSession).values({column: now() + timedelta(hours=hours)}))
    assert await is_in(ada) is alive


async def test_sign_out_everywhere(service: Service) -> None:
    ada, eve = await service.person("ada"), await service.person("eve")
    phone = await sign_in(service, ada)
    answer = await ada.http.delete("/api/me/sessions")
    assert answer.status_code == 204
    assert "gradus_session" not in ada.http.cookies
    assert not await is_in(phone)
    assert await is_in(eve)


@pytest.mark.parametrize("revoke_tokens", [False, True])
async def test_another_password_ends_every_session(service: Service, revoke_tokens: bool) -> None:
    ada = await service.person()
    thief = await sign_in(service, ada)
    token = (await ada.http.post("/api/me/tokens", json={"name": "x"})).json()["token"]
    program = Person(service.client(headers={"Authorization": f"Bearer {token}"}))
    before = ada.http.cookies["gradus_session"]
    body = {"current": PASSWORD, "password": "another password", "revoke_tokens": revoke_tokens}
    assert (await ada.http.post("/api/me/password", json=body)).status_code == 200
    assert await is_in(ada)
    assert ada.http.cookies["gradus_session"] != before
    assert not await is_in(thief)
    assert await is_in(program) is not revoke_tokens
    old = await service.client().post("/api/session", json={"email": ada.email, "password": PASSWORD})
    new = await service.client().post("/api/session", json={"email": ada.email, "password": "another password"})
    assert (old.status_code, new.status_code) == (401, 200)


async def test_borrowed_browser_cannot_guess_the_password(home: Path) -> None:
    async with running(settings_in(home, sign_in_failures=3)) as service:
        ada = await service.person()
        body = {"current": "a wrong guess", "password": "another password"}
        codes = [(await ada.http.post("/api/me/password", json=body)).status_code for _ in range(4)]
        assert codes == [401, 401, 401, 429]
        assert await is_in(ada)


async def test_sign_in_that_overlaps_a_change_of_the_password_opens_nothing(service: Service) -> None:
    ada = await service.person()
    async with service.state.db.read() as session:
        checked = (await session.scalars(select(Account))).one()
    await ada.http.post("/api/me/password", json={"current": PASSWORD, "password": "another password"})
    async with service.state.db.write() as session:
        with pytest.raises(WrongCredentials):
            await open_session(session, checked, Origin("", "", ""), service.settings, replaces=None)


async def test_sessions_of_one_account_are_bounded(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, sessions_per_account=2)) as service:
        first = await service.person()
        second, third = await sign_in(service, first), await sign_in(service, first)
        assert [await is_in(each) for each in (first, second, third)] == [False, True, True]


async def test_no_other_site_may_read(service: Service) -> None:
    ada = await service.person()
    for path in ("/", "/api/me", "/api/challenges", "/api/openapi.json"):
        for method in ("GET", "OPTIONS"):
            headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
            answer = await ada.http.request(method, path, headers=headers)
            assert not [name for name in answer.headers if name.startswith("access-control-")], path
