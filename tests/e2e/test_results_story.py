"""Tests the results of an assessment in a real browser: statistics, candidates side by side, and answers that share
passages.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Page, expect

from tests.e2e.pages import SLUG, faults, make_account

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}
ITEM = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": SLUG}]}
PLAN = {"minutes": 60, "recorded": [], "sections": [{"key": "code", "title": "Code", "items": [ITEM]}]}


def _made(answered: Any) -> Any:
    assert answered.status in (200, 201), answered.text()
    return answered.json()


def _assessed(owner: APIRequestContext, open_page: Callable[..., Page], answers: dict[str, str]) -> str:
    """Create a team with an assessment. For each name and answer in `answers`, a candidate takes the assessment. Return the
    assessment's address.
    """
    team = _made(owner.post("/api/teams", data={"name": "Hiring"}))["id"]
    assessment = _made(owner.post(f"/api/teams/{team}/assessments", data={"name": "First round", "plan": PLAN}))["id"]
    at = f"/teams/{team}/assessments/{assessment}"
    _made(owner.post(f"/api{at}/open"))
    for name, source in answers.items():
        link = _made(owner.post(f"/api{at}/invitations", data={"people": [{}]}))["items"][0]["link"]
        taker = open_page("/").context.request
        _made(taker.post(f"/api/take/{link.rpartition('/')[2]}/start", data={"name": name, "honour": True}))
        _made(taker.post("/api/participation/items/1/open"))
        _made(taker.post("/api/participation/items/1/submissions", data={"source": source, "kind": "submit"}))
        _made(taker.post("/api/participation/finish"))
    return at


def test_a_team_reads_its_results(open_page: Callable[..., Page], answers: Path) -> None:
    one, other = (path.read_text() for path in sorted((answers / "accepted").glob("*.py"))[:2])
    page = open_page("/", bypass_csp=True)
    make_account(page, "Ada")
    at = _assessed(page.context.request, open_page, {"Ann": one, "Ben": other, "Cem": f"# Mine.\n{one}"})
    page.goto(f"{at}/results")
    expect(page.get_by_role("img", name="Candidates by score")).to_be_visible()
    assert faults(page) == []
    for name in ("Ann", "Cem"):
        page.get_by_label(f"Compare {name}").click()
        expect(page.get_by_label(f"Compare {name}")).to_be_checked()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
    page.get_by_role("button", name="Compare the answers").click()
    page.get_by_role("button", name="Ann and Cem").or_(page.get_by_role("button", name="Cem and Ann")).click()
    expect(page.get_by_text("shared passage")).to_be_visible()
    page.reload()
    expect(page.get_by_text("shared passage")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(f"{at}/results")
    expect(page.get_by_role("heading", name="Similar answers")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as coming:
        page.get_by_role("menuitem", name="Report (PDF)").click()
    assert Path(coming.value.path()).read_bytes().startswith(b"%PDF-")
