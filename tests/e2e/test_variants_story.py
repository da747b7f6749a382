"""Tests variants of a challenge in a real browser and with real cells: two candidates get different variants and solve them, the
answer that one of them leaks is rejected for the other, and the report says who had which variant.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from grader.content.package import Package, load
from grader.content.variants.expansion import load_variant
from grader.content.variants.lock import proven_variants
from tests.e2e.assessed import Assessed, Writer, told
from tests.e2e.pages import faults, make_account, sign_in_as
from tests.live import Live

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}
SLUG = "pad-collate"
FOLDER = Path(__file__).resolve().parents[2] / "challenges" / "data" / SLUG
# The smallest number of candidates of which two get different variants almost certainly (all but one in 4 ** 7).
CANDIDATES = 8


def answers_to_variants() -> dict[str, str]:
    """Return the reference of each variant, by what distinguishes the variant."""
    package: Package = load(FOLDER)
    found = proven_variants(FOLDER, package)
    return {one.summary: load_variant(FOLDER, one, proof.computed).reference for one, proof in found}


def judged(writer: Writer, source: str) -> str:
    """Submit this answer as the candidate. Return its verdict."""
    writer.text = source
    submission = writer.submit()
    writer.until_judged(submission)
    verdict: str = told(writer.http.get(f"/api/participation/submissions/{submission}"))["verdict"]
    return verdict


def plan(**more: Any) -> dict[str, Any]:
    choice = {"kind": "challenge", "name": SLUG, **more}
    items = [{"key": "one", "points": 10, "choices": [choice]}]
    return {"minutes": 60, "verdicts": "at_once", "sections": [{"key": "code", "title": "Code", "items": items}]}


@pytest.fixture
def closed() -> Iterator[ExitStack]:
    """A stack of connections, which are closed after the test."""
    with ExitStack() as stack:
        yield stack


def test_a_leaked_answer_is_worth_nothing(
    open_page: Callable[..., Page], live: Live, interviewer: Any, closed: ExitStack
) -> None:
    owner = interviewer("Ines").http
    assessed = Assessed.made(owner, plan=plan(variants=True))
    had: dict[str, Writer] = {}
    for number in range(CANDIDATES):
        writer = assessed.start(live.url, f"Candidate {number}")
        closed.callback(writer.http.close)
        report = told(owner.get(f"/api{assessed.path}/participations/{writer.id}"))
        had.setdefault(report["items"][0]["variant"], writer)
        if len(had) == 2:
            break
    (mine, ann), (other, ben) = had.items()
    statements = {writer.open()["challenge"]["statement"] for writer in (ann, ben)}
    assert len(statements) == 2, "each reads the task of their own variant"
    references = answers_to_variants()
    assert judged(ann, references[mine]) == "AC"
    assert judged(ben, references[mine]) == "WA", "the answer that Ann leaked"
    assert judged(ben, references[other]) == "AC"
    for writer in (ann, ben):
        writer.finish()

    page = open_page("/", bypass_csp=True)
    sign_in_as(page, owner)
    for writer, variant in ((ann, mine), (ben, other)):
        page.goto(f"{assessed.path}/people/{writer.id}")
        expect(page.get_by_text(f"Variant: {variant}.")).to_be_visible()
        assert faults(page) == []
    page.goto(f"{assessed.path}/results")
    for variant in (mine, other):
        expect(page.get_by_role("row", name=re.compile(f"^{re.escape(variant)} 1 "))).to_be_visible()
    assert faults(page) == []
    sheet = owner.get(f"/api{assessed.path}/results.csv").text
    assert mine in sheet
    assert other in sheet


@pytest.mark.parametrize(("scheme", "size"), [("light", None), ("dark", PHONE)])
def test_an_author_reads_the_variants_and_chooses_whether_one_is_drawn(
    open_page: Callable[..., Page], scheme: str, size: dict[str, int] | None
) -> None:
    look = {"viewport": size} if size else {}
    page = open_page("/", bypass_csp=True, color_scheme=scheme, **look)
    make_account(page, f"Jon{scheme}")
    team = page.context.request.post("/api/teams", data={"name": "Kernel people"}).json()["id"]
    body = {"name": "First round", "plan": plan()}
    assessment = page.context.request.post(f"/api/teams/{team}/assessments", data=body).json()["id"]
    page.goto(f"/teams/{team}/assessments/{assessment}")
    drawn = page.get_by_label("Draw one of 4 variants for each candidate")
    expect(drawn).not_to_be_checked()
    drawn.check()
    page.get_by_role("button", name="Read the variants of Pad a batch of ragged samples").click()
    dialog = page.get_by_role("dialog", name="Variants of Pad a batch of ragged samples")
    expect(dialog.get_by_text("at the sample's own ids")).to_be_visible()
    dialog.get_by_label("Variant").select_option(label="the mask is true at padding; sort=True puts the shortest first")
    expect(dialog.get_by_text("shortest comes first")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved")).to_be_visible()
    saved = page.context.request.get(f"/api/teams/{team}/assessments/{assessment}").json()
    assert saved["plan"]["sections"][0]["items"][0]["choices"][0]["variants"] is True
    page.goto(f"/teams/{team}/assessments/{assessment}/preview")
    expect(page.get_by_text("variant: the mask is true at")).to_be_visible()
    assert faults(page) == []
