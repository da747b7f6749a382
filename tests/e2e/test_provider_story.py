"""Tests signing in with an OpenID Connect provider in a real browser: from the button to the account, and unlinking the
provider.
"""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.api.identity.oidc_provider import LittleProvider, oidc_provider
from tests.e2e.pages import faults
from tests.live import START_S, Live, service_without_node

pytestmark = pytest.mark.docker
ADA = {"sub": "ada-at-acme", "email": "ada@example.org", "email_verified": True, "name": "Ada Lovelace"}


@pytest.fixture(scope="module")
def acme() -> Iterator[LittleProvider]:
    """The provider, which runs in a separate thread."""
    ready, over, made = threading.Event(), threading.Event(), list[LittleProvider]()

    async def serve() -> None:
        async with oidc_provider() as provider:
            provider.person = dict(ADA)
            made.append(provider)
            ready.set()
            while not over.is_set():
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(START_S)
    yield made[0]
    over.set()
    thread.join()


@pytest.fixture(scope="module")
def live(acme: LittleProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that knows the provider and judges nothing."""
    providers = msgspec.json.encode([acme.settings()]).decode()
    with service_without_node(tmp_path_factory.mktemp("provider"), oidc_providers=providers) as running:
        yield running


def test_a_stranger_signs_in_by_a_provider_and_comes_back_to_where_he_was(open_page: Callable[..., Page]) -> None:
    page = open_page("/sign-in?then=/tracks", bypass_csp=True)
    page.get_by_role("button", name="Continue with Acme").click()
    page.wait_for_url(re.compile(r"//[^/]+/tracks$"))
    page.goto("/account")
    expect(page.get_by_text("Linked to ada@example.org.")).to_be_visible()
    assert faults(page) == []
    # The same person gets the same account in another browser.
    other = open_page("/sign-in")
    other.get_by_role("button", name="Continue with Acme").click()
    other.wait_for_url("**/catalogue")
    own = [each.context.request.get("/api/me").json() for each in (page, other)]
    assert own[0]["id"] == own[1]["id"]
    assert own[0]["name"] == "Ada Lovelace"


def test_who_is_not_vouched_for_reads_why_and_is_nobody(open_page: Callable[..., Page], acme: LittleProvider) -> None:
    acme.person = {**ADA, "sub": "bob-at-acme", "email": "bob@example.org", "email_verified": False}
    page = open_page("/sign-in", bypass_csp=True)
    page.get_by_role("button", name="Continue with Acme").click()
    expect(page.get_by_role("alert")).to_contain_text("Acme has not verified your email address.")
    assert faults(page) == []
    assert page.context.request.get("/api/me").json() is None
    acme.person, acme.lies = dict(ADA), {"nonce": "another browser's"}
    page.get_by_role("button", name="Continue with Acme").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be verified, so you were not signed in")
    assert page.context.request.get("/api/me").json() is None
    acme.lies = {}
