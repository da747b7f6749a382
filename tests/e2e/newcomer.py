"""Takes a new user through the first minutes on the site: from the home page, through a wrong answer and signing up, to an
accepted answer.
"""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.pages import ALL_TESTS, PATIENT_MS, SLUG, sign_up, write
from tests.wrong_answers import wrong_answer

ALLOWED = ["clipboard-read", "clipboard-write"]


def get_accepted(page: Page, answers: Path, name: str) -> None:
    """Go through the steps of a new user, from the home page to an accepted answer, starting at `/`. The page must have a fresh
    browser profile with the permissions `ALLOWED`, because answers are pasted.
    """
    page.get_by_role("link", name="Start with attention").click()
    expect(page.get_by_role("heading", name="Scaled dot-product attention")).to_be_visible(timeout=PATIENT_MS)
    write(page, wrong_answer(SLUG, "no-scale"))
    # A guest gets a first verdict without signing up.
    page.get_by_role("button", name="Run samples").click()
    answer = page.get_by_role("region", name="Your answer")
    expect(answer.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("largest error").first).to_be_visible()
    page.locator("header").get_by_role("link", name="Create account").click()
    sign_up(page, name)
    # Back at the challenge, the draft and the earlier submission are still there.
    page.wait_for_url(f"**/challenges/{SLUG}")
    expect(page.locator(".cm-content")).to_contain_text("def attention", timeout=PATIENT_MS)
    page.get_by_role("tab", name="My submissions").click()
    expect(page.get_by_role("cell", name="Wrong answer (samples)")).to_be_visible()
    write(page, (answers / "accepted" / "a-reference.py").read_text())
    page.keyboard.press("Control+Enter")
    expect(answer.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    summary = answer.get_by_role("region", name="Summary")
    expect(summary.get_by_text(ALL_TESTS)).to_be_visible()
    expect(summary.get_by_text("+20 points")).to_be_visible()
    expect(summary.get_by_role("link", name=re.compile("^Next: "))).to_be_visible()
    expect(page.get_by_role("cell", name="Accepted")).to_be_visible()
    # After a reload, the result is there again. Passed tests are one line, which opens; no test has the name of a function.
    page.reload()
    expect(summary.get_by_text("+20 points")).to_be_visible()
    expect(answer.get_by_text("nothing to attend to", exact=True)).to_be_hidden()
    answer.get_by_text(re.compile(r"\d+ tests passed$")).click()
    expect(answer.get_by_text("nothing to attend to", exact=True)).to_be_visible()
    assert "test_" not in answer.get_by_role("tabpanel").inner_text()
