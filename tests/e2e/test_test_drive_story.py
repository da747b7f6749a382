"""Tests how interviewers try an assessment before they invite anybody, in a real browser: the test drive, the sections that
candidates see before they start, scores that are never shown, and the interviewers' own start page.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, TOPIC, faults, make_account, write

pytestmark = pytest.mark.docker
ALLOWED = ["clipboard-read", "clipboard-write"]
PHONE = {"width": 390, "height": 844}
NAME = "Research engineer, first round"
PLAN = {
    "minutes": 45,
    "verdicts": "never",
    "opens_at": "2090-01-01T09:00:00Z",
    "sections": [
        {
            "key": "code",
            "title": "Attention",
            "minutes": 30,
            "items": [{"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": SLUG}]}],
        },
        {
            "key": "questions",
            "title": "Questions",
            "items": [{"key": "two", "points": 5, "choices": [{"kind": "quiz", "name": TOPIC}]}],
        },
    ],
}


def made(page: Page, path: str, body: Any) -> str:
    """Send a POST request. Return the ID in the response."""
    answer = page.context.request.post(path, data=body)
    assert answer.ok, answer.text()
    found: str = answer.json()["id"]
    return found


@pytest.mark.parametrize(("scheme", "size"), [("light", None), ("dark", PHONE)])
def test_an_interviewer_takes_a_draft_like_a_candidate(
    open_page: Callable[..., Page], scheme: str, size: dict[str, int] | None
) -> None:
    look = {"viewport": size} if size else {}
    page = open_page("/", bypass_csp=True, permissions=ALLOWED, color_scheme=scheme, **look)
    make_account(page, f"Ines{scheme}")
    team = made(page, "/api/teams", {"name": "Kernel people"})
    at = f"/teams/{team}/assessments/{made(page, f'/api/teams/{team}/assessments', {'name': NAME, 'plan': PLAN})}"
    page.goto(f"{at}/preview")
    page.get_by_role("button", name="Start test drive").click()
    expect(page.get_by_role("link", name="Open test drive")).to_be_visible()
    assert faults(page) == []
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open test drive").click()
    drive = opened.value

    # Before the start: the rules and the sections, but no items.
    sections = drive.get_by_role("list", name="Sections").get_by_role("listitem")
    expect(sections).to_have_count(2)
    expect(sections.first).to_contain_text("Attention")
    expect(sections.first).to_contain_text("1 item")
    expect(sections.first).to_contain_text("Time limit 30 minutes")
    expect(drive.get_by_text("nothing counts")).to_be_visible()
    expect(drive.get_by_text("are shown only to the team")).to_be_visible()
    assert faults(drive) == []
    drive.get_by_role("button", name="Start assessment").click()

    # Everything works, and the score is not shown.
    drive.get_by_role("link", name=re.compile("^1")).click()
    drive.get_by_role("button", name="Open section").click()
    if size:
        drive.get_by_role("group", name="View").get_by_role("button", name="Code").click()
    write(drive, "def attention(query, key, value, mask=None):\n    return value\n")
    drive.get_by_role("button", name="Submit", exact=True).click()
    expect(drive.get_by_text("only the team sees its result")).to_be_visible(timeout=PATIENT_MS)
    drive.get_by_role("button", name="Finish").first.click()
    drive.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(drive.get_by_text("The team sees your results and makes the decision.")).to_be_visible()
    expect(drive.get_by_text(re.compile(r"\d of 15 points"))).to_have_count(0)
    assert faults(drive) == []

    # The team reads the report, but the results do not contain it.
    drive.get_by_role("link", name="Open the report").click()
    expect(drive.get_by_text("It is not part of the results.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("list", name="Test drives").get_by_role("listitem")).to_have_count(1)
    page.goto(f"{at}/results")
    expect(page.get_by_text("No one has started yet.")).to_be_visible()


@pytest.mark.parametrize(("scheme", "size"), [("light", None), ("dark", PHONE)])
def test_interviewers_land_on_their_own_page(
    open_page: Callable[..., Page], scheme: str, size: dict[str, int] | None
) -> None:
    look = {"viewport": size} if size else {}
    page = open_page("/", bypass_csp=True, color_scheme=scheme, **look)
    make_account(page, f"Jon{scheme}")
    page.goto("/start")
    page.wait_for_url("**/catalogue")
    team = made(page, "/api/teams", {"name": "Kernel people"})
    plan = {**PLAN, "opens_at": None}
    at = f"/api/teams/{team}/assessments/{made(page, f'/api/teams/{team}/assessments', {'name': NAME, 'plan': plan})}"
    assert page.context.request.post(f"{at}/open").ok
    assert page.context.request.post(f"{at}/invitations", data={"people": [{"name": "Ada"}]}).ok
    page.goto("/start")
    page.wait_for_url("**/teams")
    section = page.get_by_role("region", name="Kernel people")
    expect(section.get_by_role("link", name=NAME, exact=True)).to_be_visible()
    expect(section.get_by_role("list", name="Candidates")).to_contain_text("1 invited")
    assert faults(page) == []
    if size is None:
        pages = page.get_by_role("navigation", name="Pages")
        expect(pages.get_by_role("link", name="Overview")).to_have_attribute("aria-current", "page")
        pages.get_by_role("link", name="Practice").click()
        pages.get_by_role("link", name="Hiring").click()
        pages.get_by_role("link", name="Kernel people").click()
    else:
        section.get_by_role("link", name="Kernel people", exact=True).click()
    page.get_by_role("link", name="Activity").click()
    expect(page.get_by_text("opened for candidates:")).to_be_visible()
    assert faults(page) == []
