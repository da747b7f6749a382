"""Tests leaderboards in a real browser: a guest solves a challenge, signs up, appears on the board with a profile, and
disappears from it on request.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, faults, sign_up, write

pytestmark = pytest.mark.docker
HOSTILE = "<img src=x onerror=alert(1)>"


def test_what_a_guest_solved_stands_on_the_board_after_signing_up(
    open_page: Callable[..., Page], answers: Path
) -> None:
    page = open_page(f"/challenges/{SLUG}", permissions=["clipboard-read", "clipboard-write"], bypass_csp=True)
    expect(page.locator(".cm-content")).to_be_visible(timeout=PATIENT_MS)
    write(page, (answers / "accepted" / "a-reference.py").read_text())
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Accepted", exact=True).first).to_be_visible(timeout=PATIENT_MS)
    page.goto("/leaderboard")
    expect(page.get_by_text("Create an account to appear on the leaderboard")).to_be_visible()
    page.goto("/sign-in?new=1&then=/leaderboard")
    sign_up(page, "Stander")
    page.wait_for_url("**/leaderboard")
    expect(page.get_by_text(re.compile(r"^You are \d"))).to_be_visible()
    page.get_by_role("button", name="Go to my rank").click()
    expect(page.locator("tr[aria-current]")).to_contain_text("Stander")
    page.goto(f"/leaderboard?challenge={SLUG}&window=week")
    expect(page.locator("tr[aria-current]")).to_contain_text("Stander")
    # The catalogue and the user's profile show the solved challenge too.
    page.goto("/catalogue?status=solved")
    expect(page.get_by_role("button", name="solved 1")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link", name="Scaled dot-product attention")).to_have_count(1)
    page.goto("/")
    expect(page.get_by_role("heading", name="Welcome back, Stander")).to_be_visible()
    page.get_by_role("link", name="My profile").click()
    expect(page.get_by_text("First step", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Scaled dot-product attention (medium): solved on")).to_be_visible()
    # Markup in a name must be shown as text. Other people must not be able to open a private profile.
    address = page.url
    page.get_by_label("Display name").fill(HOSTILE)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
    stranger = open_page(address)
    expect(stranger.get_by_role("heading", name=HOSTILE)).to_be_visible()
    page.get_by_role("switch", name="Public profile").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your profile is private.")).to_be_visible()
    stranger.reload()
    expect(stranger.get_by_text("There is no profile at this address, or its owner does not show it.")).to_be_visible()
    assert faults(page) == []
