"""Tests that an interviewer gets from the sign-in page to a sent invitation for a ready-made role with at most twelve clicks,
in a real browser.
"""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.e2e.pages import PASSWORD, faults, register
from tests.live import Live

pytestmark = pytest.mark.docker
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
MOST_CLICKS = 12
COUNT = "window.addEventListener('click', event => event.isTrusted && event.detail > 0 && window.clicked(), true)"


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_an_invitation_for_a_role_takes_few_clicks(
    open_page: Callable[..., Page], live: Live, scheme: str, size: dict[str, int]
) -> None:
    email = register(live, "Ines")
    page = open_page("/", bypass_csp=True, color_scheme=scheme, viewport=size)
    clicks: list[str] = []
    page.expose_function("clicked", lambda: clicks.append(page.url))
    page.add_init_script(COUNT)
    page.goto("/sign-in?then=/teams")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/teams")

    # A team and an assessment.
    page.get_by_label("Team name").fill("Kernel people")
    page.get_by_role("button", name="Create team").click()
    page.get_by_role("button", name="New assessment").click()
    page.get_by_label("Name").fill("Research engineer, first round")
    page.get_by_role("button", name="Create assessment").click()

    # The role.
    roles = page.get_by_role("region", name="Start from a ready-made assessment").get_by_role("button")
    expect(roles).to_have_count(9)
    assert faults(page) == []
    roles.filter(has_text="Research engineer").click()
    page.get_by_role("button", name="Open for candidates", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("^(Save and open|Open|Open for candidates)$")).click()
    dialog.get_by_role("button", name="Open anyway").click()
    expect(page.get_by_text("Open", exact=True).first).to_be_visible()

    # The invitation. The first request for the list is sent before the invitation exists, and its response arrives after it.
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if held or route.request.method != "GET":
            route.fallback()
        else:
            held.append((route, route.fetch()))

    page.route("**/invitations?**", hold_the_first)
    page.get_by_role("link", name="Invitations").click()
    address = f"{uuid.uuid4().hex[:10]}@example.org"
    page.get_by_label("Email of candidate 1").fill(address)
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_text(address).first).to_be_visible()
    [(route, listed)] = held
    assert listed.json()["items"] == []
    route.fulfill(response=listed)
    expect(page.get_by_role("listitem").filter(has_text=address)).to_be_visible()
    print(f"{len(clicks)} clicks: {clicks}")
    assert 0 < len(clicks) <= MOST_CLICKS
    assert faults(page) == []
