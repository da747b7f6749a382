"""Tests the discussion of a challenge: a user solves the challenge and writes, another one votes, replies and reports, and a
moderator hides a comment.
"""

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, enter, faults, make_account, overflows, write

pytestmark = pytest.mark.docker
WRITES = ["clipboard-read", "clipboard-write"]
HERE = f"/challenges/{SLUG}?tab=discussion"
QUIET = "rope-scaling-and-alibi"
# Only one test writes here, so it knows how many comments there are. A page of the discussion has 20.
LONG, MORE_THAN_A_PAGE = "rms-norm", 20
PHONE = {"width": 390, "height": 844}


def give_up(page: Page, slug: str) -> None:
    """Give up on a challenge, which opens its discussion."""
    assert page.context.request.post(f"/api/challenges/{slug}/giving-up").status == 200


def solve(page: Page, answers: Path) -> None:
    page.goto(f"/challenges/{SLUG}")
    write(page, f"# {uuid.uuid4().hex}\n{(answers / 'accepted' / 'a-reference.py').read_text()}")
    page.keyboard.press("Control+Enter")
    results = page.get_by_role("region", name="Your answer")
    expect(results.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)


def comment_on(page: Page, mark: str) -> Locator:
    """Write a comment with a spoiler, and look at its preview. Return the comment in the list."""
    field = page.get_by_label("Your comment")
    expect(page.get_by_role("button", name="Comment", exact=True)).to_be_disabled()
    field.fill("math.sqrt(d)")
    page.get_by_role("button", name="Spoiler").click()
    field.press("Control+Home")
    field.press_sequentially(f"Why **divide**? {mark}\n\n")
    page.get_by_role("button", name="Preview").click()
    preview = page.get_by_role("region", name="Preview")
    expect(preview.locator("strong", has_text="divide")).to_be_visible()
    expect(preview.get_by_text("math.sqrt(d)")).to_be_hidden()
    page.get_by_role("button", name="Comment", exact=True).click()
    asked = page.get_by_role("article", name=f"Comment by Ada {mark}")
    expect(asked).to_be_focused()
    # Posting while the preview is on leaves an empty field, not an empty preview.
    expect(field).to_have_value("")
    expect(asked.get_by_text("math.sqrt(d)")).to_be_hidden()
    asked.get_by_text("Spoiler").click()
    expect(asked.get_by_text("math.sqrt(d)")).to_be_visible()
    expect(asked.get_by_text("0 votes")).to_be_visible()
    return asked


def vote_and_reply(page: Page, mark: str) -> None:
    """Vote for Ada's comment, and reply to it with an advertisement."""
    thread = page.get_by_role("article", name=f"Comment by Ada {mark}")
    thread.get_by_role("button", name=re.compile("^Upvote Ada .*, 0 votes$")).click()
    voted = thread.get_by_role("button", name=re.compile("^Upvote Ada .*, 1 vote$"))
    expect(voted).to_have_attribute("aria-pressed", "true")
    thread.get_by_role("button", name="Reply", exact=True).click()
    page.get_by_label(f"Reply to Ada {mark}").fill(f"Buy my handbags {mark}")
    thread.get_by_role("button", name="Reply", exact=True).last.click()
    expect(thread.get_by_role("article", name=f"Reply by Bob {mark}")).to_contain_text("Buy my handbags")
    assert faults(page) == []
    page.reload()
    expect(voted).to_be_visible()


def report(page: Page, reply: Locator) -> None:
    reply.get_by_role("button", name="Report").click()
    dialog = page.get_by_role("dialog", name="Report this comment")
    dialog.get_by_label("Details").fill("It is an advertisement.")
    assert faults(page) == []
    dialog.get_by_role("button", name="Send report").click()
    dialog.get_by_role("button", name="Close").last.click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_people_discuss_a_challenge_and_a_moderator_hides_what_was_reported(
    open_page: Callable[..., Page], answers: Path, admin: str, scheme: str
) -> None:
    mark = uuid.uuid4().hex[:8]
    ada = open_page("/", permissions=WRITES, bypass_csp=True, color_scheme=scheme)
    make_account(ada, f"Ada {mark}")
    ada.goto(HERE)
    expect(ada.get_by_text("The discussion unlocks when you solve the challenge")).to_be_visible()
    assert faults(ada) == []
    solve(ada, answers)
    ada.get_by_role("navigation", name="What to do next").get_by_role("link", name="Discussion").click()
    asked = comment_on(ada, mark)
    assert faults(ada) == []

    bob = open_page("/", bypass_csp=True, color_scheme=scheme, viewport=PHONE)
    make_account(bob, f"Bob {mark}")
    give_up(bob, SLUG)
    bob.goto(HERE)
    vote_and_reply(bob, mark)

    ada.reload()
    reply = ada.get_by_role("article", name=f"Reply by Bob {mark}")
    report(ada, reply)
    desk = open_page("/", bypass_csp=True, color_scheme=scheme)
    enter(desk, admin, "/admin/reports")
    reported = desk.locator("article").filter(has_text=f"Buy my handbags {mark}")
    reported.get_by_role("button", name="Hide comment").click()
    expect(reported.get_by_role("button", name="Restore comment")).to_be_visible()
    assert faults(desk) == []
    ada.reload()
    expect(asked).to_be_visible()
    expect(reply).to_have_count(0)
    bob.reload()
    expect(bob.get_by_text("Only you and moderators can read it.")).to_be_visible()
    reported.get_by_role("button", name="Restore comment").click()
    expect(reported.get_by_role("button", name="Hide comment")).to_be_visible()

    # The link in the reporter's list leads to the comment.
    ada.goto("/my-reports")
    ada.get_by_role("link", name=f"a comment on {SLUG}").first.click()
    expect(reply).to_be_focused()
    asked.get_by_role("button", name="Delete").first.click()
    ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(ada.get_by_text("This comment was deleted.").first).to_be_visible()
    expect(reply).to_be_visible()


def test_the_empty_discussion_invites_and_an_unsent_comment_survives(open_page: Callable[..., Page]) -> None:
    page = open_page("/", bypass_csp=True)
    make_account(page, "Eva")
    give_up(page, QUIET)
    page.goto(f"/challenges/{QUIET}?tab=discussion")
    expect(page.get_by_text("No comments yet. Ask what is still unclear")).to_be_visible()
    page.get_by_label("Your comment").fill("Half a thought")
    page.get_by_role("tab", name="Statement").click()
    page.get_by_role("tab", name="Discussion").click()
    expect(page.get_by_label("Your comment")).to_have_value("Half a thought")
    page.reload()
    expect(page.get_by_label("Your comment")).to_have_value("Half a thought")
    page.context.set_offline(True)
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_label("Your comment").press("Control+Enter")
    expect(page.get_by_role("article", name="Comment by Eva")).to_contain_text("Half a thought")
    expect(page.get_by_label("Your comment")).to_have_value("")


def test_a_link_to_a_comment_loads_the_pages_up_to_it(open_page: Callable[..., Page]) -> None:
    def comment(page: Page, text: str) -> str:
        sent = page.context.request.post(f"/api/challenges/{LONG}/comments", data={"text": text})
        assert sent.status == 201, sent.text()
        return f"comment-{sent.json()['id']}"

    first, page = open_page("/"), open_page("/")
    make_account(first, "First")
    give_up(first, LONG)
    oldest = comment(first, "The first comment")
    make_account(page, "Later")
    give_up(page, LONG)
    newest = [comment(page, f"Comment {number}") for number in range(MORE_THAN_A_PAGE)][-1]
    for order in ("", "&sort=newest"):
        page.goto(f"/challenges/{LONG}?tab=discussion{order}")
        expect(page.get_by_role("article", name="Comment by Later")).to_have_count(MORE_THAN_A_PAGE)
        expect(page.locator(f"#{oldest}")).to_have_count(0)
        page.goto("/nowhere")
        page.goto(f"/challenges/{LONG}?tab=discussion{order}#{oldest}")
        expect(page.get_by_role("article", name="Comment by First")).to_be_focused()
        expect(page.get_by_role("article", name="Comment by First")).to_be_in_viewport()
    page.locator(f"#{newest}").get_by_role("link", name=re.compile(r"\d")).first.click()
    page.wait_for_url(f"**/challenges/{LONG}?tab=discussion&sort=newest#{newest}")
    expect(page.locator(f"#{newest}")).to_be_focused()


def test_hostile_comments_stay_in_their_box(open_page: Callable[..., Page]) -> None:
    page = open_page("/", bypass_csp=True)
    make_account(page, "Mallory")
    give_up(page, SLUG)
    covering = "$\\rule{9999em}{9999em}\\raisebox{90em}{over}$ [x](javascript:window.hacked=2) [y](https://example.org)"
    deep = ">" * 3900
    for text in (
        f"<img src=x onerror=window.hacked=1> {covering}\n\n# A heading\n\n![pixel](https://example.org/p.png)",
        f">! {deep}",
        "a" * 4000,
        "Z\u0301\u0302\u0303" * 1000,
    ):
        sent = page.context.request.post(f"/api/challenges/{SLUG}/comments", data={"text": text})
        assert sent.status == 201, sent.text()
    page.goto(f"{HERE}&sort=newest")
    mine = page.get_by_role("article", name="Comment by Mallory")
    expect(mine).to_have_count(4)
    # Until the renderer has loaded, comments are plain text without links. The date above each comment is a link too.
    links = "a:not([title='Link to this comment'])"
    expect(mine.last.locator(links)).to_have_count(2)
    expect(mine.last.get_by_text("<img src=x onerror=window.hacked=1>")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert mine.locator("img, h1, h2, script, [onerror]").count() == 0
    assert mine.locator(links).evaluate_all("all => all.map(each => [each.getAttribute('href'), each.rel])") == [
        [None, "nofollow ugc noopener"],
        ["https://example.org", "nofollow ugc noopener"],
    ]
    assert not overflows(page)
    box = page.get_by_role("tabpanel", name="Discussion").bounding_box()
    assert box is not None
    for each in mine.all():
        inner = each.bounding_box()
        assert inner is not None
        assert inner["width"] <= box["width"] + 1
