"""Tests that a challenge can be solved on a phone: reading, writing with the row of keys, and reading the results."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.newcomer import ALLOWED
from tests.e2e.pages import SLUG, faults, overflows, write
from tests.live import Candidate

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}
# Changes that follow each other faster than this are one step of undo.
ONE_STEP_MS = 800
SMALL = {"width": 320, "height": 640}
# Questions with long names in code, one for each kind of field: single choice, multiple choice, pairs, an order, and a text field
# with a long label.
LONG_NAMES = {
    "device-selection": "one-gpu-busy",
    "weight-tying": "which-lines-tie",
    "broadcasting-in-practice": "who-raises",
    "gradient-clipping": "order-of-the-calls",
    "symmetry-breaking": "rank-after-training",
}


def fits(page: Page) -> None:
    """Check the current view: no sideways scrolling, no scrolling of the whole page, and axe finds nothing."""
    assert not overflows(page)
    assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
    assert faults(page) == []


def lines(page: Page) -> list[str]:
    return [line.rstrip() for line in page.locator(".cm-line").all_inner_texts()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_solves_a_challenge(open_page: Callable[..., Page], answers: Path, scheme: str) -> None:
    page = open_page(
        f"/challenges/{SLUG}", viewport=PHONE, has_touch=True, color_scheme=scheme, bypass_csp=True, permissions=ALLOWED
    )
    view = page.get_by_role("group", name="View")
    expect(page.get_by_role("heading", name="Scaled dot-product attention")).to_be_visible()
    # The statement is shown first. A formula that is too wide scrolls inside its own box.
    formula = page.locator(".md-math").first
    expect(formula).to_be_visible()
    assert formula.evaluate("each => each.scrollWidth > each.clientWidth")
    expect(page.locator(".cm-content")).to_be_hidden()
    fits(page)
    view.get_by_role("button", name="Code").click()
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_in_viewport()
    fits(page)
    # The keys write code: an indented line with a pair of brackets. Undo takes it back.
    write(page, "def f(x):\n")
    # Brackets come in pairs once the part of the editor has loaded that also brings this gutter.
    expect(page.locator(".cm-gutter-lint")).to_be_attached()
    keys = page.get_by_role("toolbar", name="Keys")
    keys.get_by_role("button", name="Tab").click()
    page.keyboard.insert_text("return x")
    keys.get_by_role("button", name="[", exact=True).click()
    page.keyboard.insert_text("0")
    expect(page.locator(".cm-line").last).to_have_text("    return x[0]")
    page.wait_for_timeout(ONE_STEP_MS)
    keys.get_by_role("button", name="Outdent").click()
    expect(page.locator(".cm-line").last).to_have_text("return x[0]")
    keys.get_by_role("button", name="Undo").click()
    expect(page.locator(".cm-line").last).to_have_text("    return x[0]")
    assert lines(page)[0] == "def f(x):"
    # Submitting shows the results.
    write(page, (answers / "accepted" / "a-reference.py").read_text())
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("region", name="Your answer").get_by_text("Accepted", exact=True)).to_be_visible()
    expect(page.locator(".cm-content").first).to_be_hidden()
    for viewport in (PHONE, SMALL):
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        fits(page)


def test_the_leaderboard_fits_the_smallest_phone(
    open_page: Callable[..., Page], candidate: Candidate, answers: Path
) -> None:
    candidate.judged(candidate.submit(SLUG, (answers / "accepted" / "a-reference.py").read_text()))
    for path in ("/leaderboard", f"/leaderboard?challenge={SLUG}"):
        page = open_page(path, viewport=SMALL)
        table = page.get_by_role("table")
        expect(table.get_by_role("link", name="Demo").first).to_be_visible()
        box = table.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SMALL["width"]
        assert table.evaluate("each => [each, each.parentElement].every(e => e.scrollWidth <= e.clientWidth)")


def start_quiz(page: Page, question: str) -> None:
    """Start the quiz of a topic with only this question."""

    def only_this_question(route: Route) -> None:
        response = route.fetch()
        attempt = response.json()
        if "questions" in attempt:
            attempt["questions"] = [each for each in attempt["questions"] if each["id"] == question]
        route.fulfill(response=response, json=attempt)

    page.route(re.compile(r"/api/(topics/[^/]+/)?attempts"), only_this_question)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Question 1 of 1")).to_be_visible()
    expect(page.get_by_role("main").locator("code, pre").first).to_be_visible()


@pytest.mark.parametrize("topic", LONG_NAMES)
def test_a_question_with_long_names_fits_the_smallest_phone(open_page: Callable[..., Page], topic: str) -> None:
    page = open_page(f"/topics/{topic}/quiz", viewport=SMALL, bypass_csp=True)
    start_quiz(page, LONG_NAMES[topic])
    assert faults(page) == []


def test_a_question_can_be_read_and_fits_before_its_renderer_has_loaded(open_page: Callable[..., Page]) -> None:
    page = open_page("/topics/reduce-on-plateau/quiz", viewport=SMALL)
    page.route("**/RenderedMarkdown*", lambda _: None)  # never answered
    start_quiz(page, "small-gains")
    expect(page.get_by_text("Which rate is set in the end?")).to_be_visible()
    expect(page.get_by_role("button", name="Submit answer")).to_be_in_viewport()
    assert not overflows(page)
