"""Tests that bookmarks and private notes are kept, that the catalogue finds bookmarks, and that a guest keeps both after signing
up.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import SLUG, faults, sign_up

pytestmark = pytest.mark.docker
TITLE = "Scaled dot-product attention"
NOTE = "Mask before the softmax. <b>Then</b> divide."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_guest_marks_a_challenge_and_keeps_it_with_an_account(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("/catalogue", color_scheme=scheme, bypass_csp=True)
    row = page.get_by_role("row").filter(has_text=TITLE)
    mark = row.get_by_role("button", name=f"Bookmark {TITLE}")
    mark.click()
    expect(mark).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("/catalogue$"))
    assert faults(page) == []
    page.goto(f"/challenges/{SLUG}?tab=notes")
    expect(page.get_by_role("button", name="Bookmarked")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Your note").fill(NOTE)
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_text(re.compile("^Saved "))).to_be_visible()
    assert faults(page) == []
    page.goto("/sign-in?new=1&then=/catalogue")
    sign_up(page, f"Marker{scheme}")
    page.wait_for_url("**/catalogue")
    page.get_by_role("button", name="bookmarked 1").click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ challenges$"))).to_be_visible()
    page.get_by_role("link", name=TITLE).click()
    page.get_by_role("tab", name="Notes").click()
    expect(page.get_by_label("Your note")).to_have_value(NOTE)
    # Removing both leaves nothing behind.
    page.get_by_label("Your note").fill("")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("button", name="Save note")).to_be_disabled()
    page.get_by_role("button", name="Bookmarked").click()
    expect(page.get_by_role("button", name="Bookmark", exact=True)).to_be_visible()
    page.goto(f"/challenges/{SLUG}?tab=notes")
    expect(page.get_by_label("Your note")).to_have_value("")
    expect(page.get_by_role("button", name="Bookmark", exact=True)).to_have_attribute("aria-pressed", "false")
