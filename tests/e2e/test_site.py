"""Tests the site in a real browser, against the real stack: a new user's first minutes, a quiz, and checks of every page."""

import re
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


def test_the_result_of_a_quiz_leads_to_the_questions_that_were_missed(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/topics/{TOPIC}/quiz", bypass_csp=True)
    page.get_by_role("button", name="Start", exact=True).click()
    many = re.search(r"of (\d+)", page.get_by_text("Question 1 of").inner_text())
    assert many
    main = page.get_by_role("main")
    for _ in range(int(many[1])):
        submit = page.get_by_role("button", name="Submit answer")
        expect(submit).to_be_visible()
        if (typed := main.get_by_role("textbox")).count():
            typed.first.fill("0")
        elif (options := main.get_by_role("radio").or_(main.get_by_role("checkbox"))).count():
            options.last.check()
        elif (choices := main.get_by_role("combobox")).count():
            choices.click()
            page.get_by_role("option").last.click()
        submit.click()
        page.get_by_role("button", name=re.compile("^(Next|Show result)$")).click()
    missed = page.get_by_role("navigation", name="Missed questions")
    expect(missed.get_by_role("button").first).to_be_visible()
    assert faults(page) == []
    number = missed.get_by_role("button").first.inner_text()
    missed.get_by_role("button").first.click()
    expect(page.get_by_text(f"{number} of {many[1]}")).to_be_visible()
    expect(page.get_by_text("✗ Incorrect")).to_be_visible()
    page.get_by_role("button", name="Show result").click()
    expect(missed).to_be_visible()


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
