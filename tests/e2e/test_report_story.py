"""Tests that an error can be reported in a real browser without an account."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import TOPIC, faults

pytestmark = pytest.mark.docker


def test_a_guest_reports_an_error_and_reads_the_answer_in_the_same_browser(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/topics/{TOPIC}", bypass_csp=True)
    page.get_by_role("button", name="Report an error").first.click()
    expect(page.get_by_text("so you can read our answer only in this browser")).to_be_visible()
    page.get_by_label("Details").fill("The second example adds one, and the text says two.")
    assert faults(page) == []
    page.get_by_role("button", name="Send report").click()
    page.get_by_role("link", name="My reports").click()
    expect(page.get_by_text("so you can see these reports only in this browser")).to_be_visible()
    expect(page.get_by_text("The second example adds one")).to_be_visible()
    assert faults(page) == []
