"""Tests navigation: search, filters and their URLs, use with the keyboard alone, and what happens if the connection is lost or
the page is outdated.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.pages import PATIENT_MS, SLUG

pytestmark = pytest.mark.docker
Open = Callable[..., Page]
# The search shows results a moment after the last keystroke. From then on, Enter opens the selected result. Before that, Enter
# opens the search page. After this many milliseconds, the results are certainly shown.
SETTLED_MS = 1000


def test_search_by_keyboard_finds_an_error_message(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    page.keyboard.type("RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x128 and 256x10)")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("shape")
    page.wait_for_timeout(SETTLED_MS)
    expect(box).to_have_attribute("aria-activedescendant", re.compile("-0$"))
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(topics/shape-tracing|challenges/trace-shapes)"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Control+k")
    page.keyboard.type("attention")
    expect(page.get_by_text(re.compile(r"Show all \d+ results"))).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=attention")
    expect(page.get_by_role("link", name=re.compile("Scaled dot-product attention")).first).to_be_visible()
    page.get_by_role("textbox", name="Search").fill("tensor")
    page.wait_for_url("**/search?q=tensor")  # until then, the results of "attention" are shown
    expect(page.get_by_text(re.compile(r"^Top 50 of \d+ results$"))).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_role("main").get_by_role("listitem").nth(50)).to_be_visible()
    page.get_by_role("textbox", name="Search").fill("zebra crossing")
    expect(page.get_by_text("No results.")).to_be_visible()


def test_steps_of_a_project_follow_each_other_and_lead_back_to_the_track(open_page: Open) -> None:
    page = open_page("/topics/build-a-gpt")
    page.evaluate("window.loadedOnce = true")
    page.get_by_role("cell", name="GPT 7").get_by_role("link").click()
    page.wait_for_url("**/challenges/gpt-cache")
    assert page.evaluate("window.loadedOnce"), "a link in a text does not load the client again"
    page.get_by_role("link", name=re.compile("^Next: GPT 8")).click()
    page.wait_for_url("**/challenges/gpt-quantized-cache")
    page.get_by_role("link", name="Step 8 of 8 in Build a GPT").click()
    page.wait_for_url("**/tracks/build-a-gpt")


def test_a_challenge_loads_the_catalogue_only_for_a_reader_at_the_end_of_its_statement(open_page: Open) -> None:
    page = open_page(f"/challenges/{SLUG}")
    lists = "performance.getEntriesByType('resource').filter(each => each.name.includes('/api/challenges?')).length"
    expect(page.get_by_role("link", name=re.compile(r"^\d+ of \d+$"))).to_be_visible()
    expect(page.get_by_role("heading", name="Limits")).to_be_attached()
    assert page.evaluate(lists) == 0
    page.get_by_role("button", name="Report an error").scroll_into_view_if_needed()
    expect(page.get_by_role("heading", name="Similar challenges")).to_be_visible()
    assert page.evaluate(lists) > 0


def test_filters_live_in_the_address_and_survive_previous_and_next(open_page: Open) -> None:
    page = open_page("/catalogue")
    cards = page.get_by_role("table").locator("a[href^='/challenges/']")
    expect(page.get_by_text(re.compile(r"^\d+ challenges$"))).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("button", name="More filters").click()
    page.get_by_role("combobox", name="Task").click()
    page.get_by_role("option", name="Find and fix").click()
    page.get_by_role("combobox", name="Sort by").click()
    page.get_by_role("option", name="By title").click()
    page.wait_for_url("**/catalogue?form=fix&sort=title")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+ challenges$"))).to_be_visible()
    paths = [card.get_attribute("href") for card in cards.all()]
    assert len(paths) > 3
    cards.nth(1).click()
    page.wait_for_url(f"**{paths[1]}")
    expect(page.get_by_text(f"2 of {len(paths)} (filtered)")).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("link", name=re.compile("^Next: ")).click()
    page.wait_for_url(f"**{paths[2]}")
    expect(page.get_by_text(f"3 of {len(paths)} (filtered)")).to_be_visible(timeout=PATIENT_MS)
    page.keyboard.press("[")
    page.wait_for_url(f"**{paths[1]}")
    page.get_by_role("link", name=re.compile(r"\(filtered\)$")).click()
    page.wait_for_url("**/catalogue?form=fix&sort=title")
    page.goto("/catalogue?form=predict&difficulty=hard")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+ quizzes$"))).to_be_visible(timeout=PATIENT_MS)
    assert (page.locator("main a[href^='/topics/']").first.get_attribute("href") or "").endswith("/quiz")


def test_keyboard_alone_gets_from_the_home_page_to_an_answer(open_page: Open) -> None:
    page = open_page("/")
    # Until the catalogue has loaded, the link leads to the catalogue and not yet to the challenge.
    expect(page.get_by_role("link", name="Start with attention")).to_have_attribute("href", f"/challenges/{SLUG}")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Start with attention")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/challenges/{SLUG}")
    expect(page.locator(".cm-content")).to_be_visible(timeout=PATIENT_MS)
    expect(page.locator("#main")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.cm-content') !== null"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("def attention(q, k, v, mask=None): return v")
    page.keyboard.press("Control+Enter")
    answer = page.get_by_role("region", name="Your answer")
    expect(answer.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('.cm-content') !== null"), "the editor can be left"
    page.keyboard.press("Shift+?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_lost_connection_is_told_and_what_failed_is_asked_again(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", name="Good first challenges")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("You are offline.")).to_have_count(0)


def test_an_answer_that_was_on_its_way_when_the_connection_went_hides_nothing_for_long(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", name="Good first challenges")).to_be_visible()
    page.context.set_offline(True)
    # On a machine without a network, the browser was already offline and fires no `offline` event, so the test fires it.
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    late = {"code": "not_found", "message": "Nothing is there.", "status": 404}
    page.route("**/api/search**", lambda route: route.fulfill(status=404, json=late))
    page.keyboard.press("/")
    page.keyboard.type("attention")
    expect(page.get_by_text("You are offline.")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text("You are offline.")).to_be_visible()


def test_a_restarting_service_is_told_until_it_is_back(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", name="Good first challenges")).to_be_visible()

    def restarting(route: Route) -> None:
        route.fulfill(status=503, json={"code": "restarting", "message": "The proxy finds nobody.", "status": 503})

    page.route("**/api/**", restarting)
    page.keyboard.press("/")
    page.keyboard.type("attention")
    expect(page.get_by_text("The server is restarting.")).to_be_visible(timeout=PATIENT_MS)
    page.unroute("**/api/**")
    expect(page.get_by_text("The server is restarting.")).to_have_count(0, timeout=PATIENT_MS)
    expect(page.get_by_role("option").first).to_be_visible(timeout=PATIENT_MS)


def test_a_page_of_an_older_version_is_loaded_anew_once(open_page: Open) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", name="Good first challenges")).to_be_visible()
    page.route(re.compile("/assets/TracksPage-"), lambda route: route.fulfill(status=404, body=""))
    with page.expect_event("load"):
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Tracks").click()
    expect(page.get_by_role("heading", name="This page could not be loaded")).to_be_visible()
    page.unroute(re.compile("/assets/TracksPage-"))
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", name="Tracks")).to_be_visible(timeout=PATIENT_MS)
