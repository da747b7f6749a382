"""Tests the site in a real browser, against the real stack: a new user's first minutes, a quiz, and checks of every page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.newcomer import ALLOWED, get_accepted
from tests.e2e.pages import OWN_PAGES, PAGES, PATIENT_MS, TOPIC, faults, make_account

pytestmark = pytest.mark.docker


def test_a_new_person_gets_from_the_home_page_to_an_accepted_answer(
    open_page: Callable[..., Page], answers: Path
) -> None:
    get_accepted(open_page("/", permissions=ALLOWED), answers, "Newcomer")


def test_a_quiz_is_marked_with_its_reasons_and_no_key_comes_before(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/topics/{TOPIC}/quiz")
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/api/attempts/" in answer.url else None)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Question 1 of")).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_role("button", name="Submit answer")).to_be_visible()
    assert all('"explanation"' not in body for body in bodies)


def test_every_page_is_accessible_and_fits_every_screen(open_page: Callable[..., Page]) -> None:
    page = open_page("/", bypass_csp=True)
    assert _faults(page, PAGES) == {}
    make_account(page, "Reader")
    assert _faults(page, OWN_PAGES) == {}


def _faults(page: Page, paths: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in paths:
        page.goto(path, wait_until="networkidle")
        if told := faults(page):
            found[path] = told
    return found
