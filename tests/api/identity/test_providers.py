"""Tests signing in with a real OpenID Connect provider over HTTP, which is honest or sends forged data. Also tests which
existing accounts a person can access after signing in with a provider.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import RSAKey
from sqlalchemy import func, select, update

from api.identity.accounts.models import Account, AccountSession, ProviderLink
from api.kit.db.database import now
from tests.api.identity.oidc_provider import CLIENT, LittleProvider, oidc_provider
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
ADA = {"sub": "ada-at-acme", "email": "Ada@Example.org", "email_verified": True, "name": "Ada Lovelace"}
PASSWORD = "ten characters"


@pytest.fixture
async def acme() -> AsyncIterator[LittleProvider]:
    async with oidc_provider() as provider:
        provider.person = dict(ADA)
        yield provider


@pytest.fixture
async def service(home: Path, acme: LittleProvider) -> AsyncIterator[Service]:
    async with running(settings_in(home, oidc_providers=[acme.settings()])) as service:
        yield service


async def begin(client: httpx.AsyncClient, **body: Any) -> str:
    answer = await client.post("/api/providers/acme/start", json={"back": "/tracks", **body})
    assert answer.status_code == 200, answer.text
    address: str = answer.json()["address"]
    return address


async def back_from(client: httpx.AsyncClient, address: str) -> str:
    """Open the provider's address, which redirects back to the service. Return the path and query of this redirect."""
    async with httpx.AsyncClient(trust_env=False) as browser:
        answer = await browser.get(address)
    there = urlsplit(answer.headers["location"])
    return f"{there.path}?{there.query}"


async def sign_in(client: httpx.AsyncClient, **body: Any) -> str:
    """Sign in with the provider. Return the location to which the service finally redirects the browser."""
    return await arrive(client, await back_from(client, await begin(client, **body)))


async def arrive(client: httpx.AsyncClient, path: str) -> str:
    answer = await client.get(path)
    assert answer.status_code == 303, answer.text
    where: str = answer.headers["location"]
    return where


def trouble(where: str) -> str:
    return parse_qs(urlsplit(where).query).get("trouble", [""])[0]


async def test_stranger_gets_an_account_and_comes_back_to_it(service: Service) -> None:
    assert (await service.client().get("/api/providers")).json() == {"items": [{"id": "acme", "name": "Acme"}]}
    client = service.client()
    assert await sign_in(client) == "/tracks"
    me = (await client.get("/api/me")).json()
    assert (me["email"], me["name"], me["email_verified"]) == ("ada@example.org", "Ada Lovelace", True)
    assert me["has_password"] is False
    other = service.client()
    await sign_in(other)
    assert (await other.get("/api/me")).json()["id"] == me["id"]


async def test_guests_work_is_kept(service: Service) -> None:
    client = service.client()
    await client.post("/api/guest")
    await sign_in(client)
    async with service.state.db.read() as session:
        assert list(await session.scalars(select(Account.role))) == ["account"]


@pytest.mark.parametrize(
    ("lies", "header"),
    [
        ({"iss": "https://evil.example"}, {}),
        ({"aud": "another-client"}, {}),
        ({"aud": ["another-client"]}, {}),
        ({"aud": [CLIENT, "another-client"]}, {}),
        ({"azp": "another-client"}, {}),
        ({"exp": 1_000_000_000}, {}),
        ({"exp": None}, {}),
        ({"iat": 9_999_999_999}, {}),
        ({"nonce": "another browser's"}, {}),
        ({"nonce": None}, {}),
        ({"sub": None}, {}),
        ({"sub": 7}, {}),
        ({"sub": "x" * 300}, {}),
        ({}, {"alg": "none"}),
        ({}, {"alg": "HS256"}),
        ({}, {"kid": "unknown"}),
    ],
)
async def test_token_that_does_not_fit_signs_nobody_in(
    service: Service, acme: LittleProvider, lies: dict[str, Any], header: dict[str, Any]
) -> None:
    acme.lies, acme.header = lies, header
    client = service.client()
    assert trouble(await sign_in(client)) == "failed"
    assert (await client.get("/api/me")).json() is None
    acme.lies, acme.header = {}, {}
    assert await sign_in(client) == "/tracks", "the same is right without the lie"


async def test_token_signed_by_another_key_signs_nobody_in(service: Service, acme: LittleProvider) -> None:
    acme.signs_with = RSAKey.generate_key(2048, {"kid": "one"})
    assert trouble(await sign_in(service.client())) == "failed"


@pytest.mark.parametrize("about", [{"issuer": "https://evil.example"}, {"token_endpoint": "http://evil.example/"}])
async def test_description_that_does_not_fit_is_not_believed(
    service: Service, acme: LittleProvider, about: dict[str, str]
) -> None:
    acme.about = about
    answer = await service.client().post("/api/providers/acme/start", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "provider_not_reachable")


async def test_only_the_browser_that_began_comes_back_and_once(service: Service) -> None:
    mine, theirs = service.client(), service.client()
    path = await back_from(mine, await begin(mine))
    await begin(theirs)
    assert trouble(await arrive(theirs, path)) == "stale", "another browser's state"
    assert trouble(await arrive(service.client(), path)) == "stale", "no cookie"
    assert trouble(await arrive(mine, path.replace("state=", "state=x"))) == "stale"
    assert trouble(await arrive(mine, path)) == "stale", "what was tried is over"
    path = await back_from(mine, await begin(mine))
    assert trouble(await arrive(mine, f"{path}&iss=https%3A%2F%2Fevil.example")) == "stale"
    path = await back_from(mine, await begin(mine))
    assert await arrive(mine, path) == "/tracks"
    assert trouble(await arrive(mine, path)) == "stale", "a code is used once"


async def test_cancelling_there_is_no_error_here(service: Service) -> None:
    client = service.client()
    path = await back_from(client, await begin(client))
    state = parse_qs(urlsplit(path).query)["state"][0]
    where = await arrive(client, f"/api/providers/acme/callback?error=access_denied&state={state}")
    assert where == "/sign-in?trouble=cancelled&provider=acme&then=%2Ftracks"


async def test_account_with_a_password_is_never_linked_silently(service: Service) -> None:
    ada = await service.person()
    assert trouble(await sign_in(service.client())) == "has_password"
    assert await sign_in(ada.http, link=True, back="/account") == "/account"
    assert [each["id"] for each in (await ada.http.get("/api/me/providers")).json()["items"]] == ["acme"]
    other = service.client()
    assert await sign_in(other) == "/tracks"
    assert (await other.get("/api/me")).json()["id"] == (await ada.http.get("/api/me")).json()["id"]


async def test_address_that_the_provider_does_not_vouch_for_signs_nobody_in(
    service: Service, acme: LittleProvider
) -> None:
    for lie in (False, None, "true"):
        acme.lies = {"email_verified": lie}
        assert trouble(await sign_in(service.client())) == "unverified"
    acme.lies = {"email": "no address"}
    assert trouble(await sign_in(service.client())) == "unverified"


async def test_link_needs_the_account_that_began_and_a_person_that_nobody_has(service: Service) -> None:
    await sign_in(service.client())
    bob, cyd = await service.person("bob"), await service.person("cyd")
    assert trouble(await sign_in(bob.http, link=True)) == "linked_elsewhere"
    assert (await service.client().post("/api/providers/acme/start", json={"link": True})).status_code == 401
    path = await back_from(bob.http, await begin(bob.http, link=True))
    bob.http.cookies["gradus_session"] = cyd.http.cookies["gradus_session"]
    assert trouble(await arrive(bob.http, path)) == "stale"


async def test_second_person_of_the_same_provider_is_refused(service: Service, acme: LittleProvider) -> None:
    ada = await service.person()
    await sign_in(ada.http, link=True)
    acme.person = {**ADA, "sub": "another"}
    assert trouble(await sign_in(ada.http, link=True)) == "linked_already"


async def test_last_way_in_stays(service: Service) -> None:
    client = service.client()
    await sign_in(client)
    answer = await client.delete("/api/me/providers/acme")
    assert (answer.status_code, answer.json()["code"]) == (409, "last_way_in")
    ada = await service.person("bob")
    assert (await ada.http.delete("/api/me/providers/acme")).status_code == 404


async def test_unlinked_provider_opens_nothing(service: Service) -> None:
    ada = await service.person()
    await sign_in(ada.http, link=True)
    assert (await ada.http.delete("/api/me/providers/acme")).status_code == 204
    assert trouble(await sign_in(service.client())) == "has_password"


async def test_account_that_was_closed_stays_closed(service: Service) -> None:
    await sign_in(service.client())
    async with service.state.db.write() as session:
        await session.execute(update(Account).values(ban="Spam."))
    assert trouble(await sign_in(service.client())) == "banned"


async def test_registration_that_is_closed_is_closed_here_too(home: Path, acme: LittleProvider) -> None:
    more = {"oidc_providers": [acme.settings()], "registration": "closed"}
    async with running(settings_in(home, **more)) as service:
        assert trouble(await sign_in(service.client())) == "closed"
        async with service.state.db.read() as session:
            assert await session.scalar(select(func.count()).select_from(Account)) == 0


async def test_name_that_could_not_be_typed_here_is_not_taken_over(service: Service, acme: LittleProvider) -> None:
    acme.lies = {"name": "Ada\u202eevil\x00"}
    client = service.client()
    await sign_in(client)
    assert (await client.get("/api/me")).json()["name"] == "ada"


@pytest.mark.parametrize("then", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a b", "/\tx"])
async def test_way_back_leads_to_this_site(service: Service, then: str) -> None:
    answer = await service.client().post("/api/providers/acme/start", json={"back": then})
    assert answer.status_code == 422


async def test_who_has_no_password_needs_a_fresh_sign_in_to_leave(service: Service) -> None:
    client = service.client()
    await sign_in(client)
    async with service.state.db.write() as session:
        await session.execute(update(AccountSession).values(created_at=now().replace(year=2020)))
    refused = await client.request("DELETE", "/api/me", json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_again")
    await sign_in(client)
    assert (await client.request("DELETE", "/api/me", json={})).status_code == 204
    async with service.state.db.read() as session:
        assert await session.scalar(select(func.count()).select_from(ProviderLink)) == 0
