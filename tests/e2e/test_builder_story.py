"""Tests the pages on which a team builds an assessment. The assessment is written with mouse and keyboard, changed by two
members at the same time, opened, and previewed.
"""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.pages import faults, make_account
from tests.live import Live, service_without_node

pytestmark = pytest.mark.docker
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that judges nothing: these tests only write assessments."""
    with service_without_node(tmp_path_factory.mktemp("builder")) as running:
        yield running


def new_assessment(page: Page) -> str:
    """Create a team with an assessment that has no plan yet. Return the address of its page."""
    team = page.context.request.post("/api/teams", data={"name": "Hiring"}).json()["id"]
    made = page.context.request.post(f"/api/teams/{team}/assessments", data={"name": "First round"})
    return f"/teams/{team}/assessments/{made.json()['id']}"


def pick(page: Page, dialog: str, *titles: str) -> None:
    """Choose these items from the catalogue."""
    chooser = page.get_by_role("dialog", name=dialog)
    for title in titles:
        chooser.get_by_label("Search").fill(title)
        chooser.get_by_role("button", name=f"Add {title}", exact=True).click()
        expect(chooser.get_by_role("button", name=f"{title} is in")).to_be_visible()
    chooser.get_by_role("button", name="Done").click()
    expect(chooser).to_be_hidden()


def open_all_the_same(page: Page, *warnings: str) -> None:
    """Save the assessment, and open it despite warnings. The dialog must show exactly these warnings."""
    page.get_by_role("button", name="Open for candidates", exact=True).click()
    page.get_by_role("button", name="Save and open").click()
    dialog = page.get_by_role("dialog", name="Open for candidates")
    expect(dialog.get_by_text("Check these warnings first:")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(len(warnings))
    for number, warning in enumerate(warnings):
        expect(dialog.get_by_role("listitem").nth(number)).to_contain_text(warning)
    dialog.get_by_role("button", name="Open anyway").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Open for candidates", exact=True)).to_be_hidden()


def bar(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Plan summary")


def test_a_plan_is_written_by_two_opened_and_looked_at(open_page: Callable[..., Page]) -> None:
    page = open_page("/catalogue", bypass_csp=True)
    make_account(page, "Ada")
    address = new_assessment(page)
    page.goto(address)
    page.get_by_role("button", name=re.compile("^Empty")).click()
    write_two_sections(page)

    # A reload loses nothing, and Ctrl+S saves.
    expect(bar(page).get_by_text("Unsaved changes")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_label("Section 1", exact=True)).to_have_value("Attention")
    page.keyboard.press("Control+s")
    expect(bar(page).get_by_text("Saved", exact=True)).to_be_visible()
    assert faults(page) == []

    keep_what_both_changed(page, address)
    open_all_the_same(page, "can be practised in public", "items to draw from have 10 to 15 points")
    saved = page.context.request.get(f"/api{address}").json()
    assert (saved["state"], saved["version"], saved["plan"]["minutes"], saved["plan"]["attempts"]) == ("open", 3, 45, 2)
    assert [len(section["items"]) for section in saved["plan"]["sections"]] == [1, 2]
    assert saved["plan"]["sections"][1]["draw"] == 1

    # Preview four candidates. For each, the service draws one of the two items of the pool and one of the two alternatives.
    drawn = {draws(page, address, seed) for seed in range(1, 5)}
    assert len(drawn) > 1
    page.get_by_role("button", name="Preview another candidate").click()
    expect(page).to_have_url(re.compile("candidate=5"))
    assert faults(page) == []
    put_away_and_back(page)


def write_two_sections(page: Page) -> None:
    """Write a section with a pool of items and one with an item that has alternatives. Move the second one up by keyboard."""
    page.get_by_label("Section 1", exact=True).fill("Repairs")
    page.get_by_role("button", name="Add items").click()
    pick(page, "Add to Repairs", "Four training steps, four broken orders", "Layers that nobody counts")
    page.get_by_label("Each candidate gets").select_option("1")
    page.get_by_role("button", name="Add section").click()
    expect(page.get_by_label("Section 2", exact=True)).to_be_focused()
    page.keyboard.press("Control+s")
    expect(bar(page).get_by_text("Add an item, or remove the section.")).to_be_visible()
    page.keyboard.type("Attention")
    page.get_by_role("region", name="Section 2").get_by_role("button", name="Add items").click()
    pick(page, "Add to Attention", "Attention with a key/value cache")
    page.get_by_role("button", name="Add alternative to Attention with a key/value cache").click()
    pick(page, "Add alternative to Attention with a key/value cache", "Grouped-query attention")
    page.get_by_label("Section 2", exact=True).press("Alt+ArrowUp")
    expect(page.get_by_label("Section 1", exact=True)).to_have_value("Attention")
    expect(page.get_by_label("Section 1", exact=True)).to_be_focused()
    page.get_by_label("Points for Layers that nobody counts").fill("15")
    expect(bar(page).get_by_text("30 to 35")).to_be_visible()


def keep_what_both_changed(page: Page, address: str) -> None:
    """Let another member save while this page has unsaved changes. When this page is saved, it must show both plans and merge
    the changes of both members. The merged plan is not saved yet.
    """
    other = page.context.new_page()
    other.goto(address)
    other.get_by_label("Time limit in minutes").fill("45")
    page.get_by_label("Attempts per candidate").fill("2")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(bar(other).get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="Someone else saved a change")
    expect(dialog.get_by_role("radiogroup")).to_have_count(2)
    assert faults(page) == []
    dialog.get_by_role("button", name="Use selected").click()
    # The dialog has labels with the same words as the form.
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("Time limit in minutes")).to_have_value("45")
    expect(page.get_by_label("Attempts per candidate")).to_have_value("2")


def put_away_and_back(page: Page) -> None:
    """Archive the assessment and restore it as a draft. While it is archived, its page must be read-only."""
    page.get_by_role("link", name="Plan").click()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Archive").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive").click()
    expect(page.get_by_text("1 item, drawn from 2")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Restore as draft").click()
    expect(page.get_by_role("button", name="Open for candidates", exact=True)).to_be_visible()


def draws(page: Page, address: str, seed: int) -> tuple[str, ...]:
    page.goto(f"{address}/preview?candidate={seed}")
    half = page.get_by_role("region", name="After the start")
    expect(half.get_by_text("in total")).to_be_visible()
    expect(half.get_by_role("link")).to_have_count(2)
    return tuple(half.get_by_role("link").all_inner_texts())


def test_leaving_asks_and_dark_and_narrow_pages_hold(open_page: Callable[..., Page]) -> None:
    page = open_page("/catalogue", bypass_csp=True, color_scheme="dark", viewport=PHONE)
    make_account(page, "Grace")
    address = new_assessment(page)
    page.goto(address)
    expect(page.get_by_role("button", name=re.compile("^Research engineer"))).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name=re.compile("^Research engineer")).click()
    expect(bar(page).get_by_text("Unsaved changes")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="Preview").click()
    page.get_by_role("button", name="Save and leave").click()
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    assert faults(page) == []


def in_a_while(route: Route) -> None:
    time.sleep(2)
    route.continue_()


def test_the_first_assessment_opens_even_when_the_list_of_them_is_there_before(open_page: Callable[..., Page]) -> None:
    page = open_page("/catalogue")
    make_account(page, "Edith")
    team = page.context.request.post("/api/teams", data={"name": "Hiring"}).json()["id"]
    page.goto(f"/teams/{team}")
    page.get_by_role("heading", name="No assessments yet").wait_for()
    page.get_by_role("button", name="New assessment").click()
    page.get_by_role("dialog").get_by_label("Name").fill("First round")
    # Delay the response to this request, so that the list of assessments arrives first. The list then replaces the empty page
    # and the dialog on it, before the dialog has opened the new assessment.
    page.route(f"**/api/teams/{team}", in_a_while)
    page.get_by_role("button", name="Create assessment", exact=True).click()
    expect(page).to_have_url(re.compile("/assessments/"))
    expect(page.get_by_role("button", name=re.compile("^Empty"))).to_be_visible()


def test_what_a_plan_could_name_and_did_not_come_is_asked_for_again(open_page: Callable[..., Page]) -> None:
    page = open_page("/catalogue", bypass_csp=True)
    make_account(page, "Mary")
    page.route("**/api/topics", lambda route: route.fulfill(status=500, body="broken"))
    page.goto(new_assessment(page))
    expect(page.get_by_text("Something went wrong")).to_be_visible()
    assert faults(page) == []
    page.unroute("**/api/topics")
    page.get_by_role("button", name="Try again", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Empty"))).to_be_visible()


@pytest.mark.parametrize(("scheme", "size"), [("light", None), ("dark", PHONE)])
def test_items_are_read_before_they_are_added(
    open_page: Callable[..., Page], scheme: str, size: dict[str, int] | None
) -> None:
    look = {"viewport": size} if size else {}
    page = open_page("/catalogue", bypass_csp=True, color_scheme=scheme, **look)
    make_account(page, f"Rosa{scheme}")
    page.goto(new_assessment(page))
    page.get_by_role("button", name=re.compile("^Empty")).click()
    page.get_by_role("button", name="Add items").click()
    chooser = page.get_by_role("dialog", name="Add to section 1")
    chooser.get_by_label("Search").fill("Attention with a key/value cache")
    chooser.get_by_role("button", name="Show preview of Attention with a key/value cache").click()
    preview = chooser.get_by_role("region", name="Preview of Attention with a key/value cache")
    expect(preview.get_by_text("Starter code")).to_be_visible()
    expect(preview.locator("pre").last).to_contain_text("def ")
    assert faults(page) == []
    chooser.get_by_role("button", name="Hide preview of Attention with a key/value cache").click()
    expect(preview).to_be_hidden()
    chooser.get_by_text("Quizzes", exact=True).click()
    chooser.get_by_label("Search").fill("")
    chooser.get_by_role("button", name=re.compile("^Show preview of")).first.click()
    expect(chooser.get_by_role("link", name="Try the quiz")).to_be_visible()
    assert faults(page) == []


def test_a_moved_section_keeps_the_focus_at_once(open_page: Callable[..., Page]) -> None:
    """A focus that came a frame later once took the keystrokes of an author who had moved on to another field."""
    page = open_page("/catalogue")
    make_account(page, "Hedy")
    page.goto(new_assessment(page))
    page.get_by_role("button", name=re.compile("^Empty")).click()
    page.get_by_role("button", name="Add section").click()
    for title, key in (("Section 2", "ArrowUp"), ("Section 1", "ArrowDown")):
        page.get_by_label(title, exact=True).focus()
        # The page handles the key and looks at the focus in the same turn, before any frame is drawn.
        moved = page.evaluate(
            """key => {
                const field = document.activeElement
                field.dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true, bubbles: true }))
                const other = document.createElement('input')
                document.body.append(other)
                const kept = document.activeElement === field
                other.focus()
                return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
                    () => done(kept && document.activeElement === other))))
            }""",
            key,
        )
        assert moved, key
