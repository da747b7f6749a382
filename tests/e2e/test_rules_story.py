"""Tests the rules of an item in a real browser: an author limits submissions and hides the tests, and a candidate reads how
many are left and sees only the verdict.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, faults, make_account, write
from tests.e2e.test_assistant_story import PHONE, WIDE, assess, invite, post, view

pytestmark = pytest.mark.docker
ALLOWED = ["clipboard-read", "clipboard-write"]
WRONG = "def attention(q, k, v, mask=None):\n    return v\n"


def fits(page: Page) -> None:
    assert faults(page) == []


def set_rules(page: Page, path: str) -> None:
    """Allow two submissions, and show only their verdicts."""
    page.goto(path)
    page.get_by_role("button", name=re.compile("^Submissions and feedback of Scaled")).click()
    page.get_by_label("With the verdict, candidates see").select_option("verdict")
    page.get_by_label("Submissions", exact=True).fill("2")
    fits(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Candidates see only the verdict, at most 2 submissions.")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    post(page, f"/api{path}/open")


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_a_candidate_has_two_submissions_and_sees_only_verdicts(
    open_page: Callable[..., Page], answers: Path, scheme: str, size: dict[str, int]
) -> None:
    look = {"viewport": size, "color_scheme": scheme}
    page = open_page("/", bypass_csp=True, **look)
    make_account(page, f"Rae{scheme}")
    path = assess(page, "none")
    set_rules(page, path)
    taker = open_page(invite(page, path), bypass_csp=True, permissions=ALLOWED, **look)
    taker.get_by_role("button", name="Start assessment").click()
    expect(taker.get_by_text("2 submissions left")).to_be_visible()
    taker.get_by_role("link", name=re.compile("^1")).click()
    expect(taker.get_by_text("You can submit 2 answers. Results show only the verdict.")).to_be_visible()
    fits(taker)
    view(taker, "Code")
    expect(taker.get_by_text("2 of 2 submissions left")).to_be_visible()
    write(taker, WRONG)
    taker.get_by_role("button", name="Submit", exact=True).click()
    expect(taker.get_by_text("Wrong answer").first).to_be_visible(timeout=PATIENT_MS)
    fits(taker)
    expect(taker.get_by_text(re.compile(r"\d of \d+ tests"))).to_have_count(0)
    view(taker, "Code")
    expect(taker.get_by_text("1 of 2 submissions left")).to_be_visible()
    write(taker, sorted((answers / "accepted").glob("*.py"))[0].read_text())
    taker.get_by_role("button", name="Submit", exact=True).click()
    expect(taker.get_by_text("Accepted").first).to_be_visible(timeout=PATIENT_MS)
    view(taker, "Code")
    expect(taker.get_by_text("No submissions left")).to_be_visible()
    expect(taker.get_by_role("button", name="Submit", exact=True)).to_be_disabled()
    fits(taker)
    taker.get_by_role("link", name="All items").click()
    expect(taker.get_by_text("no submissions left")).to_be_visible()
    expect(taker.get_by_text("✓ accepted")).to_be_visible()
    fits(taker)
