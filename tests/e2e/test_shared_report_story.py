"""Tests in a real browser what happens after an assessment: a candidate says how it was, and the team shows the report to
somebody who has no account, until it revokes the link.
"""

import re
import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, faults, make_account
from tests.e2e.test_assistant_story import PHONE, WIDE, assess, invite, post
from tests.live import Live

pytestmark = pytest.mark.docker
WRONG = "def attention(q, k, v, mask=None):\n    return v\n"
COMMENT = "The statement was clear, the time was short."


def fits(page: Page) -> None:
    assert faults(page) == []


def take(taker: Page) -> None:
    """Start, finish, and give feedback."""
    taker.get_by_role("button", name="Start assessment").click()
    with taker.expect_response(re.compile("/items/1/open$")):
        taker.get_by_role("link", name=re.compile("^1")).click()
    request = taker.context.request
    sent = post(taker, "/api/participation/items/1/submissions", {"source": WRONG, "kind": "submit"})["id"]
    until = time.monotonic() + PATIENT_MS / 1000
    while request.get(f"/api/participation/submissions/{sent}").json()["status"] != "judged":
        assert time.monotonic() < until
        time.sleep(0.2)
    taker.get_by_role("button", name="Finish").first.click()
    taker.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(taker.get_by_role("heading", name="How was this assessment?")).to_be_visible()
    taker.get_by_role("radio", name="4 of 5").press("Space")
    taker.get_by_label("About right").check()
    taker.get_by_label("Comment").fill(COMMENT)
    taker.get_by_role("button", name="Send feedback").click()
    expect(taker.get_by_role("button", name="Feedback sent")).to_be_disabled()
    fits(taker)
    taker.reload()
    expect(taker.get_by_label("Comment")).to_have_value(COMMENT)


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_a_report_is_read_without_an_account(
    open_page: Callable[..., Page], live: Live, scheme: str, size: dict[str, int]
) -> None:
    look = {"viewport": size, "color_scheme": scheme}
    page = open_page("/", bypass_csp=True, **look)
    make_account(page, f"Sam{scheme}")
    path = assess(page, "own")
    post(page, f"/api{path}/open")
    take(open_page(invite(page, path), bypass_csp=True, **look))

    # The team reads the feedback, and shares the report.
    page.goto(f"{path}/results")
    expect(page.get_by_text("4.0 of 5 on average, from 1 candidate.")).to_be_visible()
    expect(page.get_by_text(COMMENT)).to_be_visible()
    fits(page)
    person = page.context.request.get(f"/api{path}/participations").json()["items"][0]["id"]
    page.goto(f"{path}/people/{person}")
    page.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Share by link").click()
    dialog = page.get_by_role("dialog", name="Share the report")
    dialog.get_by_role("button", name="Create link").click()
    link = dialog.get_by_role("status").locator("code").inner_text()
    assert link.startswith(f"{live.url}/report/report_")
    fits(page)

    # Somebody without an account reads it.
    answer = httpx.get(link, timeout=30)
    assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (200, "noindex, nofollow")
    reader = open_page(link.removeprefix(live.url), bypass_csp=True, **look)
    expect(reader.get_by_role("heading", name="Eve")).to_be_visible()
    expect(reader.get_by_role("link", name="Download as PDF")).to_be_visible()
    expect(reader.get_by_text("Recorded activity: 0 pastes.")).to_be_visible()
    code = reader.get_by_role("region", name="Scaled dot-product attention")
    expect(code.get_by_text("return v")).to_be_visible()
    expect(code.get_by_text("Wrong answer").first).to_be_visible()
    expect(reader.get_by_text("the team sees when it is opened")).to_be_visible()
    fits(reader)

    # The team sees the opening, and revokes the link.
    page.reload()
    page.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Share by link").click()
    links = page.get_by_role("list", name="Links")
    expect(links.get_by_text("Opened 1 time")).to_be_visible()
    links.get_by_role("button", name="Revoke").click()
    expect(links.get_by_text("Revoked")).to_be_visible()
    reader.reload()
    expect(reader.get_by_text("This report is not available")).to_be_visible()
    fits(reader)
