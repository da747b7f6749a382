"""Tests how two reviewers watch a candidate and review the answer. They use the live table, the report, the playback of the
whole answer, notes, a rubric and a decision.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.assessed import Assessed, Interviewer, Writer
from tests.e2e.pages import PATIENT_MS, faults, sign_in_as
from tests.live import Live

pytestmark = pytest.mark.docker
NAME = "Maren Oduya"
PASTED = "    if mask is not None:\n        scores = scores.masked_fill(~mask, -math.inf)\n"


def write_an_answer(writer: Writer) -> None:
    """Write an answer in several saves, with a paste and a visit to another page."""
    writer.open()
    writer.put("    raise NotImplementedError", "    scores = q @ k.mT / math.sqrt(q.shape[-1])", pause_ms=30_000)
    writer.save()
    writer.put("import torch\n", "import math\n\nimport torch\n", pause_ms=4_000)
    writer.save({"kind": "blur"})
    writer.put("q.shape[-1])\n", f"q.shape[-1])\n{PASTED}", pause_ms=80_000, at_once=True)
    writer.save({"kind": "focus"}, {"kind": "paste", "size": len(f"q.shape[-1])\n{PASTED}")})
    writer.put("-math.inf)\n", "-math.inf)\n    return scores.softmax(-1) @ v  # π\n", pause_ms=9_000)
    writer.save()


@pytest.fixture
def enter(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """A function that opens a page of the site as a user with an account."""

    def enter(who: Interviewer, path: str, **options: object) -> Page:
        page = open_page("/sign-in", bypass_csp=True, **options)
        sign_in_as(page, who.http)
        page.goto(path)
        return page

    return enter


def test_a_candidate_is_watched_and_reviewed_by_two(
    live: Live, enter: Callable[..., Page], interviewer: Callable[[str], Interviewer], tmp_path: Path
) -> None:
    ada, bob = map(interviewer, ("Ada", "Bo"))
    assessed = Assessed.made(ada.http)
    assessed.add_member(bob.http, bob.email)
    page = enter(ada, f"{assessed.path}/live")
    expect(page.get_by_role("heading", name="No one has started yet")).to_be_visible(timeout=PATIENT_MS)
    writer = assessed.start(live.url, NAME, "maren@example.org")
    write_an_answer(writer)
    # The table refreshes by itself; the page is not reloaded.
    row = page.get_by_role("row", name=re.compile(NAME))
    expect(row).to_contain_text("In progress")
    expect(row).to_contain_text("1 paste")
    expect(row).to_contain_text(re.compile(r"59:\d\d"))
    assert faults(page) == []
    row.get_by_role("button", name=re.compile("Actions")).click()
    page.get_by_role("menuitem", name="Change extra time").click()
    page.get_by_label(re.compile("Total extra minutes")).fill("15")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(row).to_contain_text(re.compile(r"1:1[34]:\d\d"))
    writer.until_judged(writer.submit())
    writer.finish()
    expect(row).to_contain_text("Finished")
    row.get_by_role("link", name=NAME).click()
    read_the_report(page, writer.text)
    review_together(page, enter(bob, page.url))
    page.emulate_media(media="print")
    assert page.pdf(format="A4", path=tmp_path / "report.pdf").startswith(b"%PDF")
    writer.http.close()


def read_the_report(page: Page, text: str) -> None:
    """Check the answers, the signals, and the playback, which must end with the submitted text."""
    expect(page.get_by_role("heading", name=NAME)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("Left the page for")).to_be_visible()
    expect(page.get_by_role("region", name=re.compile("^Code of")).first).to_contain_text("# π")
    page.get_by_role("button", name="Play back edits").click()
    expect(page.get_by_text("The recording is complete")).to_be_visible(timeout=PATIENT_MS)
    screen = page.get_by_role("textbox", name=re.compile("at this point in the recording"))
    assert screen.inner_text().split() == text.split()
    page.get_by_role("button", name=re.compile("A paste of")).click()
    expect(screen).to_contain_text("masked_fill")
    expect(screen).not_to_contain_text("softmax(-1)")
    page.get_by_label("Position in the recording").press("Home")
    expect(screen).to_contain_text("raise NotImplementedError")
    page.get_by_text("16×").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(screen).to_contain_text("softmax(-1) @ v  # π", timeout=PATIENT_MS)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert screen.inner_text().split() == text.split()


def review_together(ada: Page, bob: Page) -> None:
    """Let both reviewers write. The second reviewer decides without having seen the first decision, so the second decision must
    be refused.
    """
    ada.get_by_label("New note").fill("Ask about bfloat16.")
    ada.get_by_role("button", name="Add note").click()
    expect(ada.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    ada.get_by_role("button", name="Create rubric").click()
    ada.get_by_label("Title").fill("Numerical care")
    ada.get_by_role("button", name="Save rubric").click()
    score = ada.get_by_role("radiogroup", name="Your score for Numerical care")
    score.get_by_text("3", exact=True).click()
    expect(ada.get_by_text("You: 3 of 4")).to_be_visible()
    ada.get_by_role("button", name="Add manual points").first.click()
    ada.get_by_text("Replace the test score").click()
    ada.get_by_label("Points", exact=True).fill("6.5")
    ada.get_by_label("Reason").fill("The idea is right.")
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.get_by_text("set the score to 6.5: The idea is right.")).to_be_visible()
    bob.reload()
    expect(bob.get_by_text("Ask about bfloat16.")).to_be_visible(timeout=PATIENT_MS)
    expect(bob.get_by_text("3 of 4 on average")).to_be_visible()
    expect(bob.get_by_text("6.5 of 15")).to_be_visible()
    for page, word in ((ada, "Advance"), (bob, "Reject")):
        page.get_by_role("button", name="Make a decision", exact=True).click()
        page.get_by_role("radiogroup", name="Decision").get_by_text(word).click()
    ada.get_by_role("button", name="Save decision", exact=True).click()
    expect(ada.get_by_text("No decision yet.")).not_to_be_visible()
    bob.get_by_role("button", name="Save decision", exact=True).click()
    expect(bob.get_by_text("Another member changed this in the meantime.")).to_be_visible()
    expect(bob.get_by_label("Review").get_by_text("Ada, ").first).to_be_visible()
    assert faults(bob) == []
    for scheme, width in (("dark", 1200), ("light", 390)):
        ada.evaluate("scheme => localStorage.setItem('mantine-color-scheme-value', scheme)", scheme)
        ada.set_viewport_size({"width": width, "height": 900})
        ada.reload()
        expect(ada.get_by_text("You: 3 of 4")).to_be_visible(timeout=PATIENT_MS)
        assert faults(ada) == []
