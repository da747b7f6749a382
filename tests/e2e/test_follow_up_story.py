"""Tests a follow-up in a real browser: an author asks for one, and a candidate hands in the task, continues with the own code,
and solves the follow-up. The report compares both answers.
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
FOLLOW_UP = "Blockwise attention"


def fits(page: Page) -> None:
    assert faults(page) == []


def ask_follow_up(page: Page, path: str) -> None:
    """Ask one follow-up question for 15 points, look at the preview, and open the assessment."""
    page.goto(path)
    page.get_by_label(re.compile("^Follow-up questions of Scaled")).select_option("1")
    expect(page.get_by_text(f"After handing in: {FOLLOW_UP}")).to_be_visible()
    page.get_by_label(re.compile("^Points for follow-up 1 of Scaled")).fill("15")
    fits(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.goto(f"{path}/preview")
    expect(page.get_by_text("Code: 1 item and 1 follow-up question.")).to_be_visible()
    expect(page.get_by_text("follow-up, 15 points")).to_be_visible()
    fits(page)
    post(page, f"/api{path}/open")


def solve(taker: Page, text: str) -> None:
    view(taker, "Code")
    write(taker, text)
    taker.get_by_role("button", name="Submit", exact=True).click()
    expect(taker.get_by_text("Accepted", exact=True).first).to_be_visible(timeout=PATIENT_MS)
    view(taker, "Code")


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_a_candidate_continues_with_the_own_answer(
    open_page: Callable[..., Page], answers: Path, scheme: str, size: dict[str, int]
) -> None:
    look = {"viewport": size, "color_scheme": scheme}
    page = open_page("/", bypass_csp=True, **look)
    make_account(page, f"Fay{scheme}")
    path = assess(page, "none")
    ask_follow_up(page, path)
    taker = open_page(invite(page, path), bypass_csp=True, permissions=ALLOWED, **look)
    expect(taker.get_by_text("1 item + 1 follow-up")).to_be_visible()
    fits(taker)
    taker.get_by_role("button", name="Start assessment").click()
    expect(taker.get_by_text("with a follow-up")).to_be_visible()
    expect(taker.get_by_text(FOLLOW_UP)).to_have_count(0)
    fits(taker)
    taker.get_by_role("link", name=re.compile("^1")).click()
    own = sorted((answers / "accepted").glob("*.py"))[0].read_text()
    solve(taker, own)
    taker.get_by_role("button", name="Hand in and continue").click()
    expect(taker.get_by_role("dialog")).to_contain_text("You cannot change this task after that.")
    fits(taker)
    taker.get_by_role("dialog").get_by_role("button", name="Hand in and continue").click()
    view(taker, "Read")
    expect(taker.get_by_role("heading", name=FOLLOW_UP, level=1)).to_be_visible()
    expect(taker.get_by_text("Follow-up to your answer")).to_be_visible()
    fits(taker)
    view(taker, "Code")
    expect(taker.locator(".cm-content")).to_contain_text("def attention(")
    taker.get_by_role("button", name="Use the starter code").click()
    expect(taker.locator(".cm-content")).to_contain_text("def blockwise_attention(")
    taker.get_by_role("button", name="Start from your answer").click()
    expect(taker.locator(".cm-content")).to_contain_text("def attention(")
    fits(taker)
    follow_ups = answers.parents[1] / "blockwise-attention" / "submissions" / "accepted"
    solve(taker, sorted(follow_ups.glob("*.py"))[0].read_text())
    taker.get_by_role("link", name="All items").click()
    taker.get_by_role("link", name=re.compile("^1")).click()
    view(taker, "Code")
    expect(taker.get_by_text("You have handed in this task.")).to_be_visible()
    taker.get_by_role("button", name="Finish").click()
    taker.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(taker.get_by_role("heading", name="Finished")).to_be_visible()
    fits(taker)
    page.goto(f"{path}/live")
    page.get_by_role("link", name="Eve").first.click()
    expect(page.get_by_text("Follow-up to item 1, with")).to_be_visible()
    expect(page.get_by_text("− answer to item 1")).to_be_visible(timeout=PATIENT_MS)
    fits(page)


def test_practice_offers_a_follow_up(open_page: Callable[..., Page], answers: Path) -> None:
    page = open_page("/challenges/scaled-dot-product-attention", bypass_csp=True, viewport=WIDE, permissions=ALLOWED)
    write(page, sorted((answers / "accepted").glob("*.py"))[0].read_text())
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("link", name=f"Follow-up: {FOLLOW_UP}").click(timeout=PATIENT_MS)
    expect(page.get_by_text("Follow-up to Scaled dot-product attention")).to_be_visible()
    page.get_by_role("button", name="Start from your answer").click()
    expect(page.locator(".cm-content")).to_contain_text("def attention(")
    fits(page)
    page.goto("/catalogue?q=blockwise")
    expect(page.get_by_text("follow-up to Scaled dot-product attention")).to_be_visible()
    fits(page)
