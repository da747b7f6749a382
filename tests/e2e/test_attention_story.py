"""Tests, in a real browser, that leaving the page of an assessment is recorded correctly, and that a reload of the page is
not recorded.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.e2e.test_taking_story import Team, start
from tests.live import Live, service_without_node

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that judges nothing, because these tests only open a quiz."""
    with service_without_node(tmp_path_factory.mktemp("attention")) as running:
        yield running


def noticed(team: Team) -> list[tuple[str, str]]:
    """Return the recorded signals about leaving the page and coming back to it, each as (kind, detail)."""
    return [(each["kind"], each["detail"]) for each in team.ask("GET", f"{team.one}/signals")["items"]]


def test_a_window_in_front_is_told_as_it_was_seen_and_a_reload_is_not(open_page: Callable[..., Page]) -> None:
    team = Team(open_page("/"))
    page = open_page(team.invite(), bypass_csp=True)
    # By default, Playwright makes every page believe that it has the focus. The test uses this session of the browser's
    # debugging protocol to turn that off.
    browser = page.context.new_cdp_session(page)
    start(page)
    page.get_by_role("link", name=re.compile("Convolution")).click()
    page.get_by_role("button", name="Open section").click()
    page.get_by_role("textbox").first.wait_for()
    page.bring_to_front()
    for _ in range(3):
        page.reload()
        page.get_by_role("textbox").first.wait_for()
        browser.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    beside = page.context.new_page()
    with page.expect_response("**/signals"):
        beside.bring_to_front()
    with page.expect_response("**/signals"):
        page.bring_to_front()
    assert noticed(team) == [("blur", "another window in front"), ("focus", "")]
