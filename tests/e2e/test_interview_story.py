"""Tests a mock interview in a real browser: a guest begins it, answers, reloads the page, finishes, and reads the report."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, faults

pytestmark = pytest.mark.docker


def test_an_interview_is_begun_survives_a_reload_and_ends_in_a_report(open_page: Callable[..., Page]) -> None:
    page = open_page("/interview", bypass_csp=True)
    page.get_by_text("Junior").click()
    page.get_by_text("30 min").click()
    assert faults(page) == []
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/interview/[0-9a-f]{32}"))
    bar = page.get_by_role("region", name="Interview")
    expect(bar.get_by_text(re.compile(r"^(30:00|29:\d\d)$"))).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_role("button", name="Submit answer")).to_be_visible()
    assert faults(page) == []
    # The challenge opens on its usual page, below the clock of the interview.
    bar.get_by_role("link", name=re.compile("challenge, open")).first.click()
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("tab", name="Hints").click()
    expect(page.get_by_text("Hints, the editorial and the discussion unlock when the interview ends.")).to_be_visible()
    page.get_by_role("tab", name="Editorial").click()
    expect(page.get_by_text("Hints, the editorial and the discussion unlock when the interview ends.")).to_be_visible()
    assert faults(page) == []
    expect(page.get_by_role("tab", name="Your own input")).to_have_count(0)
    page.get_by_role("tab", name="Statement").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(bar.get_by_role("link", name=re.compile("challenge, incorrect"))).to_be_visible(timeout=PATIENT_MS)
    address = page.url
    page.reload()
    assert page.url == address
    expect(bar.get_by_text(re.compile(r"^2[89]:\d\d$"))).to_be_visible(timeout=PATIENT_MS)
    expect(bar.get_by_role("link", name=re.compile("challenge, incorrect"))).to_be_visible()
    bar.get_by_role("button", name="Finish").click()
    asks = page.get_by_role("dialog", name="Finish the interview?")
    expect(asks).to_contain_text("You have not answered")
    assert faults(page) == []
    asks.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="Your interview")).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("of the tests passed")).to_be_visible()
    page.get_by_role("button", name="Add cards for these topics").click()
    expect(page.get_by_role("link", name="Study now")).to_be_visible()
    assert faults(page) == []
    asked = page.get_by_role("table").locator("a[href^='/challenges/']").first.get_attribute("href")
    other = page.context.new_page()
    other.goto(f"{asked}?tab=hints")
    other.get_by_role("button", name=re.compile("Show the first of")).click()
    expect(other.get_by_text("Hint 1")).to_be_visible()
    offered = other.request.get(f"/api{asked}").json()["own_input"]
    expect(other.get_by_role("tab", name="Your own input")).to_have_count(int(offered))
    page.get_by_role("link", name="Start another interview").click()
    expect(page.get_by_role("heading", name="Your interviews")).to_be_visible()
