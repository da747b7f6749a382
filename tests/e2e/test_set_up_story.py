"""Tests that the first admin can be created on a page, with the setup token from the console."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.live import Live, service_without_node

pytestmark = pytest.mark.docker


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A service without an admin."""
    with service_without_node(tmp_path) as live:
        yield live


def test_the_first_administrator_is_made_on_a_page(live: Live, open_page: Callable[..., Page]) -> None:
    token = live.setup_token()
    assert f"/set-up#{token}" in live.log.read_text(), "the console names the page"
    page = open_page(f"/set-up#{token}")
    expect(page.get_by_label("Setup token")).to_have_value(token)
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").first.fill("ten characters")
    page.get_by_role("button", name="Create the first admin").click()
    expect(page.get_by_role("heading", name="Setup is complete")).to_be_visible()
    page.get_by_role("link", name="Open the admin pages").click()
    page.wait_for_url("**/admin**")
