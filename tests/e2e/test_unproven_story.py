"""Tests, in a real browser, a challenge of a team that the gate does not pass, and that an author uses all the same. The mark
«unproven» is shown wherever the team chooses the challenge or reads its results, and never to candidates.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.hiring.authoring.authoring_rig import files_in
from tests.e2e.assessed import Assessed, Interviewer, told
from tests.e2e.pages import PATIENT_MS, faults, sign_in_as
from tests.e2e.test_builder_story import open_all_the_same, pick
from tests.e2e.test_own_story import GATE_MS, answer, push
from tests.live import Live

pytestmark = pytest.mark.docker
TITLE = "Add one, ours"
RIGHT = "def add_one(x):\n    return x + 1\n"


def test_an_unproven_challenge_is_used_with_a_mark(
    open_page: Callable[..., Page], live: Live, interviewer: Callable[[str], Interviewer], tmp_path: Path
) -> None:
    mira = interviewer("Mira Lindqvist")
    team = told(mira.http.post("/api/teams", json={"name": "Perception hiring"}))["id"]
    page = open_page("/catalogue", bypass_csp=True)
    sign_in_as(page, mira.http)
    made = told(mira.http.post(f"/api/teams/{team}/challenges", json={"slug": "ours"}))["id"]
    own = f"/teams/{team}/challenges/{made}"
    push(mira.http, own, files_in(tmp_path, TITLE))
    use_unproven(page, own)

    assessed = Assessed(mira.http, team, "")
    plan_with_it(page, assessed)
    writer = assessed.start(live.url, "Tomás Ferreira")
    assert "proven" not in str(writer.http.get("/api/participation").json()) + str(writer.open())
    answer(writer, RIGHT)

    page.goto(f"{assessed.path}/results")
    expect(page.get_by_role("row", name=re.compile(f"^{TITLE}.*unproven"))).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="Tomás Ferreira").click()
    expect(page.get_by_text("The tests of this challenge are unproven")).to_be_visible()
    assert faults(page) == []


def use_unproven(page: Page, own: str) -> None:
    """Run the gate, which finds that the challenge has too few tests, and publish the version in spite of this."""
    page.goto(own)
    expect(page.get_by_role("button", name="Use unproven")).to_have_count(0)
    page.get_by_role("button", name="Run the gate").click()
    use = page.get_by_role("button", name="Use unproven")
    expect(use).to_be_visible(timeout=GATE_MS)
    expect(page.get_by_text("Fix these problems first")).to_be_visible()
    assert faults(page) == []
    use.click()
    dialog = page.get_by_role("dialog", name="Use this version unproven?")
    expect(dialog.get_by_text("Candidates do not see the mark.")).to_be_visible()
    assert faults(page) == []
    dialog.get_by_role("button", name="Publish unproven").click()
    expect(dialog).to_be_hidden()
    expect(use).to_have_count(0)
    expect(page.get_by_text("Published, unproven")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="All challenges").click()
    expect(page.get_by_role("row", name=re.compile(f"{TITLE}.*Published, unproven"))).to_be_visible()
    assert faults(page) == []


def plan_with_it(page: Page, assessed: Assessed) -> None:
    """Choose the challenge in the builder, which marks it, and open the assessment in spite of a warning."""
    made = told(assessed.owner.post(f"/api/teams/{assessed.team}/assessments", json={"name": "First round"}))["id"]
    assessed.path = f"/teams/{assessed.team}/assessments/{made}"
    page.goto(assessed.path)
    page.get_by_role("button", name=re.compile("^Empty")).click()
    page.get_by_label("Section 1", exact=True).fill("Sums")
    page.get_by_role("button", name="Add items").click()
    chooser = page.get_by_role("dialog", name="Add to Sums")
    chooser.get_by_label("Search").fill(TITLE)
    expect(chooser.get_by_text("Unproven", exact=True)).to_be_visible(timeout=PATIENT_MS)
    assert faults(page) == []
    pick(page, "Add to Sums", TITLE)
    expect(page.get_by_text("Unproven", exact=True)).to_be_visible()
    assert faults(page) == []
    open_all_the_same(page, f"“{TITLE}” is unproven")
    page.reload()
    expect(page.get_by_text("Unproven", exact=True)).to_be_visible()
    assert faults(page) == []
