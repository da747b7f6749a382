"""Tests the comparison with other teams in a real browser: an owner switches it on, and reports and results compare an answer
with those of all teams that share theirs.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.assessed import Assessed, Interviewer, Writer, told
from tests.e2e.pages import PATIENT_MS, faults, sign_in_as
from tests.live import Live

pytestmark = pytest.mark.docker
WIDE = {"width": 1440, "height": 900}
WRONG = "def attention(q, k, v, mask=None):\n    return v\n"
COMPARED = "Better than 43% of 21 candidates of 3 teams"


def fits(page: Page) -> None:
    assert faults(page) == []


def take(at: Assessed, url: str, name: str, source: str) -> tuple[Writer, str]:
    """Take the assessment as a candidate who submits this answer. Return the candidate and the submission's ID."""
    writer = at.start(url, name)
    writer.open()
    writer.text = source
    sent = writer.submit()
    writer.finish()
    return writer, sent


def test_an_owner_compares_with_other_teams(
    open_page: Callable[..., Page], interviewer: Callable[[str], Interviewer], live: Live, answers: Path
) -> None:
    owner = interviewer("Ivy")
    right = sorted((answers / "accepted").glob("*.py"))[0].read_text()
    teams = [Assessed.made(owner.http, name) for name in ("First", "Second", "Third")]
    people = [take(at, live.url, f"Person {n}", WRONG if n < 3 else right) for at in teams for n in range(7)]
    for writer, sent in people:
        writer.until_judged(sent)
        writer.http.close()
    for at in teams[1:]:
        told(owner.http.put(f"/api/teams/{at.team}/result-sharing", json={"shares_results": True}))
    page = open_page("/", bypass_csp=True, viewport=WIDE)
    sign_in_as(page, owner.http)
    page.goto(f"/teams/{teams[0].team}/members")
    switch = page.get_by_label("Compare with other teams")
    expect(switch).not_to_be_checked()
    with page.expect_response(lambda answer: answer.url.endswith("/result-sharing")):
        # The input of a Mantine switch is hidden, so it may have no place to click on.
        switch.press("Space")
    page.reload()
    expect(switch).to_be_checked()
    fits(page)
    report = f"{teams[0].path}/people/{people[6][0].id}"
    page.goto(report)
    expect(page.get_by_text(COMPARED)).to_be_visible(timeout=PATIENT_MS)
    fits(page)
    page.goto(f"{teams[0].path}/results")
    expect(page.get_by_title(COMPARED).first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.goto(report)
    expect(page.get_by_text(COMPARED)).to_be_visible()
    fits(page)
    page.goto(f"/teams/{teams[0].team}/members")
    expect(switch).to_be_checked()
    fits(page)
