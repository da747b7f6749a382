"""Tests when editorials and shared answers can be opened, and by whom: after giving up, and after solving the challenge."""

import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, faults, make_account, write
from tests.wrong_answers import wrong_answer

pytestmark = pytest.mark.docker
WRITES = ["clipboard-read", "clipboard-write"]
HEADING = "Why this formula"


def test_giving_up_is_asked_once_and_opens_the_editorial(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    make_account(page, "Gina")
    page.goto(f"/challenges/{SLUG}?tab=editorial")
    page.get_by_role("button", name="Give up and read the editorial").click()
    dialog = page.get_by_role("dialog", name="Give up on this challenge?")
    expect(dialog.get_by_text("It then counts as solved, but you get no points")).to_be_visible()
    dialog.get_by_role("button", name="Keep trying").click()
    expect(page.get_by_role("heading", name=HEADING)).not_to_be_visible()
    assert page.context.request.get(f"/api/challenges/{SLUG}/editorial").status == 403
    page.get_by_role("button", name="Give up and read the editorial").click()
    dialog.get_by_role("button", name="Give up", exact=True).click()
    expect(page.get_by_role("heading", name=HEADING)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_role("heading", name="Your answer compared with the reference")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=HEADING)).to_be_visible(timeout=PATIENT_MS)


def test_solving_opens_it_and_an_answer_is_shared_and_taken_back(open_page: Callable[..., Page], answers: Path) -> None:
    page = open_page("/", permissions=WRITES, bypass_csp=True)
    make_account(page, "Sol")
    page.goto(f"/challenges/{SLUG}")
    mark = f"# {uuid.uuid4().hex}"
    write(page, f"{mark}\n{wrong_answer(SLUG, 'no-scale')}")
    page.get_by_role("button", name="Submit").click()
    results = page.get_by_role("region", name="Your answer")
    expect(results.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    write(page, f"{mark}\n{(answers / 'accepted' / 'a-reference.py').read_text()}")
    page.keyboard.press("Control+Enter")
    expect(results.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("tab", name="Editorial").click()
    expect(page.get_by_role("heading", name=HEADING)).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("tab", name="My submissions").click()
    page.get_by_role("button", name="Open").nth(1).click()
    page.wait_for_url("**answer=**")
    page.get_by_role("combobox", name="Compare with").click()
    page.get_by_role("option", name="Accepted").click()
    answer = page.get_by_role("region", name="The answer")
    expect(answer.get_by_text("math.sqrt").first).to_be_visible()
    # Copy the old answer to the editor, then undo that.
    page.get_by_role("button", name="Copy to the editor").click()
    editor = page.get_by_label("Your answer, Python")
    expect(editor).not_to_contain_text("math.sqrt")
    editor.click()
    page.keyboard.press("Control+z")
    expect(editor).to_contain_text("math.sqrt")
    page.get_by_role("button", name="Open").first.click()
    page.get_by_role("button", name="Share with a link").click()
    page.get_by_role("switch", name="Also show this answer to others").click()
    assert faults(page) == []
    link = page.get_by_role("link", name="Open the shared page").get_attribute("href") or ""
    stranger = open_page(link, bypass_csp=True)
    expect(stranger.get_by_text("An answer by Sol")).to_be_visible()
    expect(stranger.get_by_text(mark)).to_be_visible()
    assert faults(stranger) == []
    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_role("button", name="Share with a link")).to_be_visible()
    stranger.reload()
    expect(stranger.get_by_text("Its owner may have stopped sharing it")).to_be_visible()
