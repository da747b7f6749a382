"""Tests that a user can report an error and read the answer, and that an admin can answer the report and ban an account."""

import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, enter, faults, register
from tests.live import Live

pytestmark = pytest.mark.docker
DESK = ["", "accounts", "queue", "reports", "suggestions", "rejudges", "catalogue", "audit"]


def test_an_error_is_reported_answered_and_read_and_a_ban_ends_a_session(
    open_page: Callable[..., Page], live: Live, admin: str
) -> None:
    name = f"Reporter {uuid.uuid4().hex[:6]}"
    reporter, desk = open_page("/"), open_page("/")
    enter(reporter, register(live, name), f"/challenges/{SLUG}")
    reporter.get_by_role("button", name="Report an error").click()
    reporter.get_by_label("Details").fill("<img src=x onerror=alert(1)> The mask is <b>not</b> described.")
    reporter.get_by_role("button", name="Send report", exact=True).click()
    expect(reporter.get_by_text("Thank you.")).to_be_visible(timeout=PATIENT_MS)

    reporter.goto("/admin")
    expect(reporter.get_by_role("heading", name="Page not found")).to_be_visible()

    enter(desk, admin, "/admin")
    desk.get_by_role("navigation", name="Admin").get_by_role("link", name="Reports").click()
    card = desk.get_by_role("article").filter(has_text=name)
    # Markup in a report must be shown as text.
    expect(card).to_contain_text("<img src=x onerror=alert(1)> The mask is <b>not</b> described.")
    card.get_by_role("button", name="Answer").click()
    card.get_by_label("Answer").fill("It is described now.")
    card.get_by_role("button", name="Send answer").click()
    expect(card).to_have_count(0)

    reporter.goto("/my-reports")
    expect(reporter.get_by_text("It is described now.")).to_be_visible(timeout=PATIENT_MS)

    desk.get_by_role("link", name="Accounts", exact=True).click()
    desk.get_by_label("Email or name").fill(name)
    desk.get_by_role("link", name=name).click()
    desk.get_by_role("button", name="Ban").click()
    desk.get_by_label("Reason").fill("For this story only.")
    desk.get_by_role("dialog").get_by_role("button", name="Ban").click()
    expect(desk.get_by_text("This account is banned")).to_be_visible(timeout=PATIENT_MS)

    reporter.goto("/my-reports")
    expect(reporter.get_by_role("link", name="Sign in").first).to_be_visible(timeout=PATIENT_MS)
    assert reporter.get_by_text("It is described now.").count() == 0

    desk.goto("/admin/audit")
    expect(desk.get_by_text("banned an account").first).to_be_visible(timeout=PATIENT_MS)
    expect(desk.get_by_text("answered a report").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_desk_can_be_read_by_everybody_and_on_a_phone(
    open_page: Callable[..., Page], admin: str, scheme: str
) -> None:
    page = open_page("/", color_scheme=scheme, bypass_csp=True, viewport={"width": 390, "height": 844})
    enter(page, admin, "/admin")
    found = {}
    for part in DESK:
        page.goto(f"/admin/{part}", wait_until="networkidle")
        found[part] = faults(page)
    assert {part: told for part, told in found.items() if told} == {}
