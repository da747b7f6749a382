"""Tests questions that a team writes itself, in a real browser: an interviewer writes three of them, a candidate answers on a
desktop and on a phone, and a reviewer grades the text.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, ViewportSize, expect

from tests.e2e.pages import PATIENT_MS, faults, make_account, overflows, write
from tests.e2e.test_builder_story import bar, new_assessment, pick

pytestmark = pytest.mark.docker
PHONE: ViewportSize = {"width": 390, "height": 844}
CHALLENGE = "Attention with a key/value cache"
CODE = "import torch\n\n\ndef attention(query, key, value):\n    return value\n"
TEXT = "The cache grows by one row a step, <b>so the mask</b> must grow with it."


def test_three_questions_are_written_answered_and_graded(open_page: Callable[..., Page]) -> None:
    team = open_page("/catalogue", bypass_csp=True)
    make_account(team, "Ines")
    address = new_assessment(team)
    write_plan(team, address)
    link = team.context.request.post(f"/api{address}/invitations", data={"people": [{"name": "Eve"}]})
    token = link.json()["items"][0]["link"].rpartition("/")[2]
    taker = open_page(f"/take/{token}", bypass_csp=True)
    answer_on_a_desktop(taker)
    phone = open_page(f"/take/{token}", bypass_csp=True, viewport=PHONE, has_touch=True, color_scheme="dark")
    write_on_a_phone(phone)
    review(team, address)
    expect_points(phone)


def write_plan(page: Page, address: str) -> None:
    """Write and open an assessment with a challenge and three questions: options, a number, and a text about the code."""
    page.goto(address)
    page.get_by_role("button", name=re.compile("^Empty")).click()
    page.get_by_label("Section 1", exact=True).fill("Caches")
    page.get_by_role("button", name="Add items").click()
    pick(page, "Add to Caches", CHALLENGE)
    dialog = ask(page, "Precision", "Why is the softmax computed in `float32`?")
    dialog.get_by_role("button", name="Save question").click()
    expect(dialog.get_by_text("Write the option, or remove it.")).to_have_count(2)
    assert faults(page) == []
    dialog.get_by_label("Option 1", exact=True).fill("Its sum overflows in half precision")
    dialog.get_by_label("Option 2", exact=True).fill("It is *faster*")
    dialog.get_by_label("Why option 2 is wrong").fill("It is slower: the values are converted twice.")
    keep(dialog)

    dialog = ask(page, "Scale", "By what is a score divided if $d_k = 64$?")
    dialog.get_by_text("Preview", exact=True).click()
    expect(dialog.locator(".katex")).to_be_visible()
    dialog.get_by_text("Number", exact=True).click()
    dialog.get_by_label("Right answer").fill("8")
    keep(dialog)

    dialog = ask(page, "Your cache", "Which lines must change for a batch of sequences of different lengths, and why?")
    dialog.get_by_text("Text", exact=True).click()
    dialog.get_by_label("What a good answer says").fill("Names the mask, and the lengths of the sequences.")
    dialog.get_by_label("About the candidate’s own code").select_option(CHALLENGE)
    assert faults(page) == []
    keep(dialog)
    page.get_by_label("Points for Your cache").fill("20")
    expect(page.get_by_text("4 items, 50 points")).to_be_visible()

    limit_feedback(page, "Scale")

    # A question can be edited, and the plan is saved with it.
    page.get_by_role("button", name="Edit Scale").click()
    edit = page.get_by_role("dialog", name="Edit Scale")
    expect(edit.get_by_label("Right answer")).to_have_value("8")
    edit.get_by_label("Tolerance").fill("0.5")
    keep(edit)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(bar(page).get_by_text("Saved", exact=True)).to_be_visible()
    assert faults(page) == []
    page.set_viewport_size(PHONE)
    assert not overflows(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    saved = page.context.request.get(f"/api{address}").json()
    items = saved["plan"]["sections"][0]["items"]
    assert [each["points"] for each in items] == [20, 5, 5, 20]
    assert [each["feedback"] for each in items] == ["everything", "everything", "verdict", "everything"]
    assert items[2]["choices"][0]["question"]["answer"] == {"type": "number", "value": 8, "tolerance": 0.5}
    assert items[3]["choices"][0]["question"]["about"] == items[0]["key"]
    assert page.context.request.post(f"/api{address}/open").ok


def limit_feedback(page: Page, title: str) -> None:
    """Show candidates only whether their answer to this question is right."""
    page.get_by_role("button", name=f"Feedback of {title}", exact=True).click()
    rules = page.get_by_role("dialog", name=f"Feedback of {title}")
    expect(rules.get_by_text("Results are shown after the candidate finishes")).to_be_visible()
    rules.get_by_label("With the result, candidates see").select_option("Only whether they are right")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_text("Candidates see only whether they are right.")).to_be_visible()


def ask(page: Page, title: str, prompt: str) -> Locator:
    """Open the editor of a new question, and fill in its title and prompt."""
    page.get_by_role("button", name="Add question").click()
    dialog = page.get_by_role("dialog", name="Question for Caches")
    dialog.get_by_label("Title").fill(title)
    dialog.get_by_role("textbox", name="Question", exact=True).fill(prompt)
    return dialog


def keep(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Save question").click()
    expect(dialog).to_be_hidden()


def answer_on_a_desktop(page: Page) -> None:
    """Start, write code, and answer the questions with options and a number. Mark lines of the code with mouse and keyboard."""
    page.get_by_label("Your name").fill("Eve")
    agreement = page.get_by_role("checkbox")
    if agreement.is_visible():
        agreement.check()
    page.get_by_role("button", name="Start assessment").click()
    page.get_by_role("link", name=re.compile("^1")).click()
    write(page, CODE)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("its result is shown after you finish")).to_be_visible(timeout=PATIENT_MS)

    step(page, 2)
    page.get_by_label("Its sum overflows in half precision").check()
    page.get_by_role("button", name="Submit answer").click()
    expect(page.get_by_text("✓ Answered. The result is shown after you finish.")).to_be_visible()
    assert faults(page) == []
    step(page, 3)
    page.get_by_label("Number").fill("8,2")
    page.get_by_role("button", name="Submit answer").click()
    expect(page.get_by_text("✓ Answered.")).to_be_visible()

    release = hold_the_second_opening(page, 4)
    step(page, 4)
    expect(page.get_by_text("No lines are marked.")).to_be_visible()
    line(page, 4).hover()
    page.mouse.down()
    line(page, 5).hover()
    page.mouse.up()
    expect(page.get_by_text("Marked: lines 4–5.")).to_be_visible()
    expect(page.get_by_role("status").get_by_text("saved", exact=True)).to_be_visible()
    release()
    line(page, 5).press("ArrowUp")
    line(page, 4).press("Space")
    expect(page.get_by_text("Marked: line 5.")).to_be_visible()
    mark_offline(page)
    page.get_by_label("Your answer").fill("Not finished")
    expect(page.get_by_text("12 of 4,000 characters")).to_be_visible()
    expect(page.get_by_role("status").get_by_text("saved", exact=True)).to_be_visible()
    assert faults(page) == []


def hold_the_second_opening(page: Page, position: int) -> Callable[[], None]:
    """Hold the second reply to the request that opens an item: the page of a question about code sends it twice. Returns a
    function that lets the reply through. By then it is older than what the candidate has marked.
    """
    address = f"**/api/participation/items/{position}/open"
    opened: list[Route] = []
    held: list[tuple[Route, APIResponse]] = []

    def handle(route: Route) -> None:
        opened.append(route)
        if len(opened) == 2:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    def release() -> None:
        waited_ms = 0
        while not held and waited_ms < PATIENT_MS:
            page.wait_for_timeout(20)
            waited_ms += 20
        assert held, "the page has not opened the item a second time"
        route, response = held[0]
        with page.expect_response(address):
            route.fulfill(response=response)
        page.unroute(address, handle)

    page.route(address, handle)
    return release


def mark_offline(page: Page) -> None:
    """Mark another line without a connection, and close the page. The line is still marked when the page opens again."""
    page.context.set_offline(True)
    line(page, 1).click()
    expect(page.get_by_text("Marked: lines 1 and 5.")).to_be_visible()
    expect(page.get_by_role("status").get_by_text("saved in this browser", exact=True)).to_be_visible()
    address = page.url
    page.goto("about:blank")
    page.context.set_offline(False)
    # The page with all items sends the line, because the candidate may not open the question again.
    page.goto("/participation")
    expect(page.get_by_role("heading", name="Caches")).to_be_visible()
    expect(page.get_by_role("status").get_by_text("saved", exact=True)).to_be_visible()
    opened = page.context.request.post("/api/participation/items/4/open").json()
    assert opened["question"]["about"]["marked"]["lines"] == [[1, 1], [5, 5]]
    page.goto(address)
    expect(page.get_by_text("Marked: lines 1 and 5.")).to_be_visible()
    line(page, 1).click()
    expect(page.get_by_text("Marked: line 5.")).to_be_visible()


def step(page: Page, position: int) -> None:
    """Go to another item."""
    page.get_by_role("navigation", name="Items").get_by_role("link", name=re.compile(f"^{position}")).click()


def line(page: Page, number: int) -> Locator:
    return page.get_by_role("button", name=f"Line {number}", exact=True)


def write_on_a_phone(page: Page) -> None:
    """Continue on a phone: mark other lines by tapping, finish the text, and finish the assessment."""
    page.get_by_role("button", name=re.compile("^Continue")).click()
    page.get_by_role("link", name=re.compile("^4")).click()
    expect(page.get_by_label("Your answer")).to_have_value("Not finished")
    expect(page.get_by_text("Marked: line 5.")).to_be_visible()
    line(page, 1).tap()
    line(page, 3).tap()
    expect(page.get_by_text("Marked: lines 1–3 and 5.")).to_be_visible()
    line(page, 2).tap()
    expect(page.get_by_text("Marked: line 5.")).to_be_visible()
    page.get_by_label("Your answer").fill(TEXT)
    expect(page.get_by_role("status").get_by_text("saved", exact=True)).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Finish").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(
        page.get_by_text("20 points still waiting for review. The points of 1 other item are not shown")
    ).to_be_visible()
    page.get_by_role("link", name=re.compile("^4")).click()
    expect(page.get_by_text("Waiting for review.")).to_be_visible()
    assert faults(page) == []


def review(page: Page, address: str) -> None:
    """Read the answers as a reviewer, and grade the text."""
    page.goto(f"{address}/results")
    expect(page.get_by_text("1 text is still to review")).to_be_visible()
    expect(page.get_by_role("cell", name="to review", exact=True)).to_be_visible()
    page.get_by_role("link", name="Eve").click()
    expect(page.get_by_text("not final: 20 points still to review")).to_be_visible()
    expect(page.get_by_text("The candidate marked line 5.")).to_be_visible()
    expect(page.get_by_text(TEXT)).to_be_visible()
    expect(page.get_by_text("Names the mask, and the lengths of the sequences.")).to_be_visible()
    assert report_of(page, address).startswith(b"%PDF-")
    decide_early(page)
    page.get_by_role("button", name="Give points").click()
    dialog = page.get_by_role("dialog", name="Points: Your cache")
    dialog.get_by_label("Points").fill("15.5")
    dialog.get_by_label("Reason").fill("Names the mask.")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("still to review")).to_have_count(0)
    expect(page.get_by_text("15.5 of 20").first).to_be_visible()
    expect(page.get_by_text("The score is not final")).to_have_count(0)
    expect(page.get_by_text("points pending")).to_have_count(0)
    expect(page.get_by_text("1 answer had no final points at that time.")).to_be_visible()
    assert faults(page) == []


def decide_early(page: Page) -> None:
    """Decide before the text has points: the page says so before the decision, and marks it in the report and the results."""
    review = page.get_by_role("complementary", name="Review")
    # The candidate's code may still be judged.
    expect(review.get_by_text("1 question has no points yet.")).to_be_visible(timeout=PATIENT_MS)
    expect(review.get_by_role("link", name="4. Your cache")).to_have_attribute("href", "#item-4")
    review.get_by_role("button", name="Make a decision").click()
    review.get_by_text("Advance", exact=True).click()
    assert faults(page) == []
    review.get_by_role("button", name="Save decision").click()
    expect(review.get_by_text("1 answer had no final points at that time.")).to_be_visible()
    expect(page.get_by_text("Advance, points pending")).to_be_visible()
    person = page.url
    page.goto(re.sub("/people/.*", "/results", person))
    expect(page.get_by_role("cell", name="Advance, points pending")).to_be_visible()
    assert faults(page) == []
    page.goto(person)


def report_of(page: Page, address: str) -> bytes:
    """Return the PDF report of the candidate whose page is open."""
    person = page.url.partition("#")[0].rpartition("/")[2]
    return page.context.request.get(f"/api{address}/participations/{person}/report.pdf").body()


def expect_points(page: Page) -> None:
    """Expect that the candidate sees the points for the text."""
    page.reload()
    expect(page.get_by_text("15.5 of 20 points.")).to_be_visible()
