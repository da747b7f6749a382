"""Tests the page of a challenge in a real browser: marks in the editor, limits, keyboard shortcuts, and what is still there
after a reload.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.newcomer import ALLOWED
from tests.e2e.pages import ALL_TESTS, SLUG, make_account, write

pytestmark = pytest.mark.docker
# The editor checks the code once, 600 ms after the last keystroke. After this many milliseconds, the check has certainly ended.
IDLE_MS = 2000
RAISES = """import torch


def attention(q, k, v, mask=None):
    s = q @ k
    return s
"""


@pytest.fixture
def at_work(open_page: Callable[..., Page]) -> Page:
    """The page of the challenge, in a browser that is signed in to a new account."""
    page = open_page("/", permissions=ALLOWED)
    make_account(page, "Worker")
    page.goto(f"/challenges/{SLUG}")
    return page


def test_a_runtime_error_marks_its_line_even_in_an_editor_that_rests(at_work: Page) -> None:
    write(at_work, RAISES)
    at_work.wait_for_timeout(IDLE_MS)
    at_work.get_by_role("button", name="Run samples").click()
    expect(at_work.get_by_text("Runtime error", exact=True)).to_be_visible()
    mark = at_work.locator(".cm-lintRange-error")
    expect(mark.first).to_have_text("    s = q @ k", use_inner_text=False)
    at_work.reload()
    expect(mark.first).to_have_text("    s = q @ k", use_inner_text=False)
    # Changing the line removes its marks.
    at_work.get_by_text("s = q @ k").first.click()
    at_work.keyboard.press("End")
    at_work.keyboard.type(".mT")
    expect(mark).to_have_count(0)


def test_given_file_is_shown_only_where_a_challenge_has_one(at_work: Page) -> None:
    tab = at_work.get_by_role("tab", name="given.py")
    expect(at_work.get_by_role("tab", name="Samples")).to_be_visible()
    expect(tab).to_have_count(0)
    at_work.goto("/challenges/gpt-block")
    tab.click()
    expect(at_work.get_by_role("tabpanel").get_by_text("class CausalSelfAttention")).to_be_visible()
    assert at_work.url.endswith("?tab=given")


def test_several_cursors_write_at_once(at_work: Page) -> None:
    write(at_work, "left = 1\nright = left + left\n")
    at_work.keyboard.press("Control+Home")
    for _ in range(3):
        at_work.keyboard.press("Control+d")
    at_work.keyboard.type("both")
    expect(at_work.locator(".cm-line").first).to_have_text("both = 1")
    expect(at_work.locator(".cm-line").nth(1)).to_have_text("right = both + both")


def test_a_reload_keeps_the_results_the_solved_sign_and_the_hints(at_work: Page, answers: Path) -> None:
    head = at_work.get_by_role("heading", level=1).locator("xpath=..")
    expect(head.get_by_text("solved", exact=True)).to_have_count(0)
    write(at_work, (answers / "accepted" / "a-reference.py").read_text())
    at_work.keyboard.press("Control+Enter")
    result = at_work.get_by_role("region", name="Your answer")
    expect(result.get_by_text(ALL_TESTS)).to_be_visible()
    expect(head.get_by_text("solved", exact=True)).to_be_visible()
    at_work.reload()
    expect(result.get_by_text("Accepted", exact=True)).to_be_visible()
    expect(result.get_by_text(ALL_TESTS)).to_be_visible()
    expect(head.get_by_text("solved", exact=True)).to_be_visible()
    at_work.get_by_role("tab", name="Hints").click()
    at_work.get_by_role("button", name="Show the first of").click()
    at_work.get_by_role("button", name="Show the next hint").click()
    expect(at_work.get_by_text("Hint 2")).to_be_visible()
    at_work.reload()
    expect(at_work.get_by_text("Hint 2")).to_be_visible()


def test_hints_stay_open_for_a_visitor_without_an_account(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/challenges/{SLUG}?tab=hints")
    page.get_by_role("button", name="Show the first of").click()
    expect(page.get_by_text("Hint 1")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Hint 1")).to_be_visible()
    expect(page.get_by_text("Hint 2")).to_have_count(0)


def test_whoever_sends_too_often_reads_when_to_go_on(at_work: Page) -> None:
    service = at_work.context.request
    for number in range(30):
        sent = service.post("/api/submissions", data={"slug": SLUG, "source": f"x = {number}", "kind": "run"})
        assert sent.status == 201, sent.text()
        service.post(f"/api/submissions/{sent.json()['id']}/cancel")
    at_work.get_by_role("button", name="Run samples").click()
    expect(at_work.get_by_text("At most 30 submissions per minute are allowed")).to_be_visible()
    timer = at_work.get_by_role("timer")
    first = timer.inner_text()
    assert re.fullmatch(r"You can try again in (1 min )?\d+ s\.", first), first
    expect(timer).not_to_have_text(first)
    expect(timer).to_have_text("You can try again now.", timeout=70_000)


def test_submit_is_a_few_tab_stops_away(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/challenges/{SLUG}")
    expect(page.locator(".cm-content")).to_be_visible()
    stops = 0
    for name in ("Skip to content", "Skip to editor", "Skip to Run and Submit"):
        page.keyboard.press("Tab")
        stops += 1
        expect(page.get_by_role("link", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    for name in ("Run samples", "Submit"):
        page.keyboard.press("Tab")
        stops += 1
        expect(page.get_by_role("button", name=name)).to_be_focused()
    assert stops == 5
    topic = page.get_by_role("main").get_by_role("link", name="architectures").bounding_box()
    assert topic is not None
    assert topic["height"] >= 24


def test_shortcuts_of_a_single_key_can_be_switched_off(open_page: Callable[..., Page]) -> None:
    page = open_page("/leaderboard")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    switch = page.get_by_role("switch", name="Single-key shortcuts")
    switch.click()
    expect(switch).not_to_be_checked()
    page.keyboard.press("Escape")
    expect(switch).to_have_count(0)
    page.reload()
    for key in ("t", "c", "r", "/", "?"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    expect(page).to_have_url(re.compile("/leaderboard$"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_visitor_causes_no_errors(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    for path in ("/", "/catalogue", f"/challenges/{SLUG}"):
        page.goto(path, wait_until="networkidle")
    assert said == []
