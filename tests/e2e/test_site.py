"""The site in a real browser, against the real stack: a new person's first minutes, and what holds on every page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import OWN_PAGES, PAGES, PATIENT_MS, SLUG, TOPIC, faults, make_account, sign_up, write
from tests.live import Live

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}


def test_a_new_person_gets_from_the_home_page_to_an_accepted_answer(
    open_page: Callable[..., Page], live: Live, answers: Path
) -> None:
    page = open_page("/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Start with attention").click()
    expect(page.get_by_role("heading", name="Scaled dot-product attention")).to_be_visible(timeout=PATIENT_MS)
    write(page, (answers / "wa" / "no-scale.py").read_text())
    # As a guest: no wall before the first verdict.
    page.get_by_role("button", name="Run samples").click()
    answer = page.get_by_role("region", name="Your answer")
    expect(answer.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("largest error").first).to_be_visible()
    page.locator("header").get_by_role("link", name="Make an account").click()
    sign_up(page, "Newcomer")
    # Back at the challenge: what was written and what was sent are there.
    page.wait_for_url(f"**/challenges/{SLUG}")
    expect(page.locator(".cm-content")).to_contain_text("def attention", timeout=PATIENT_MS)
    page.get_by_role("tab", name="My answers").click()
    expect(page.get_by_role("cell", name="Wrong answer (samples)")).to_be_visible()
    write(page, (answers / "accepted" / "a-reference.py").read_text())
    page.keyboard.press("Control+Enter")
    expect(answer.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("Well done. Next:")).to_be_visible()
    expect(page.get_by_role("cell", name="Accepted")).to_be_visible()


def test_a_quiz_is_marked_with_its_reasons_and_no_key_comes_before(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/topics/{TOPIC}/quiz")
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/api/attempts/" in answer.url else None)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Question 1 of")).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_role("button", name="Answer")).to_be_visible()
    assert all('"explanation"' not in body for body in bodies)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("/", color_scheme=scheme, bypass_csp=True)
    assert _faults(page, PAGES) == {}
    make_account(page, "Reader")
    assert _faults(page, OWN_PAGES) == {}


def test_a_phone_shows_pages_without_sideways_scrolling(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport=PHONE)
    assert _too_wide(page, PAGES) == []
    make_account(page, "Reader")
    assert _too_wide(page, OWN_PAGES) == []


def _faults(page: Page, paths: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in paths:
        page.goto(path, wait_until="networkidle")
        if told := faults(page):
            found[path] = told
    return found


def _too_wide(page: Page, paths: list[str]) -> list[str]:
    wide = []
    for path in paths:
        page.goto(path, wait_until="networkidle")
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path)
    return wide
