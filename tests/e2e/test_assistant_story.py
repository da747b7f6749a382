"""Tests AI assistants in an assessment, in a real browser: an author allows one, a candidate asks it while writing an answer,
it fails and recovers, and the team reads the conversation beside the playback of the edits.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, TOPIC, faults, make_account, write
from tests.model_server import ModelServer, Reply

pytestmark = pytest.mark.docker
ALLOWED = ["clipboard-read", "clipboard-write"]
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
REPLY = (
    "Scale by `q.shape[-1] ** 0.5` **before** the softmax:\n\n```python\nscores = q @ k.mT / q.shape[-1] ** 0.5\n```\n"
)
ANSWER = "def attention(q, k, v, mask=None):\n    return v\n"


def plan(policy: str) -> dict[str, Any]:
    code = {"key": "one", "points": 40, "choices": [{"kind": "challenge", "name": SLUG}]}
    quiz = {"key": "two", "points": 20, "choices": [{"kind": "quiz", "name": TOPIC}]}
    return {
        "minutes": 30,
        "verdicts": "at_once",
        "recorded": ["edits", "pastes"],
        "sections": [
            {"key": "code", "title": "Code", "assistant": policy, "items": [code]},
            {"key": "questions", "title": "Questions", "items": [quiz]},
        ],
    }


def post(page: Page, path: str, body: Any = None) -> Any:
    answer = page.context.request.post(path, data=body)
    assert answer.ok, answer.text()
    return answer.json()


def assess(page: Page, policy: str) -> str:
    """Create a draft. Return the path of its page."""
    team = post(page, "/api/teams", {"name": "Kernel people"})["id"]
    body = {"name": "Research engineer", "plan": plan(policy)}
    return f"/teams/{team}/assessments/{post(page, f'/api/teams/{team}/assessments', body)['id']}"


def invite(page: Page, path: str) -> str:
    """Return the path of an invitation."""
    made = post(page, f"/api{path}/invitations", {"people": [{"name": "Eve"}]})["items"][0]
    return f"/take/{made['link'].rpartition('/')[2]}"


def fits(page: Page) -> None:
    assert faults(page) == []


def view(page: Page, name: str) -> None:
    """On a phone, switch to this view."""
    if page.viewport_size and page.viewport_size["width"] < 500:
        page.get_by_role("group", name="View").get_by_role("button", name=name).click()


def allow(page: Page, path: str) -> None:
    """Provide the assistant in the first section, and open the assessment."""
    page.goto(path)
    page.get_by_label("AI assistant", exact=True).first.select_option("provided")
    expect(page.get_by_text("Candidates can ask small-test-model, with 20,000 tokens")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    fits(page)
    page.goto(f"{path}/preview")
    expect(page.get_by_text("You may use the AI assistant beside the editor")).to_be_visible()
    post(page, f"/api{path}/open")


def begin(taker: Page) -> None:
    """Read the policy, start, and write a first answer."""
    expect(taker.get_by_text("AI assistant provided")).to_be_visible()
    expect(taker.get_by_text("What you ask the assistant, its replies, and when.")).to_be_visible()
    fits(taker)
    taker.get_by_role("button", name="Start assessment").click()
    taker.get_by_role("link", name=re.compile("^1")).click()
    view(taker, "Code")
    write(taker, ANSWER)
    expect(taker.get_by_text("saved", exact=True)).to_be_visible()
    view(taker, "Read")
    taker.get_by_role("tab", name="Assistant").click()
    expect(taker.get_by_text("it does not know the hidden tests")).to_be_visible()
    fits(taker)


def ask(taker: Page, model: ModelServer) -> None:
    """Ask three times. The second reply breaks: nothing is lost, and asking again works."""
    model.replies = [Reply(parts=tuple(re.split("(?<= )", REPLY))), Reply(parts=("Be",), breaks=True), Reply()]
    question, talk = taker.get_by_label("Question to the assistant"), taker.get_by_role("list", name="Conversation")
    question.fill("How do I scale the scores?")
    question.press("Enter")
    expect(talk.get_by_text("scores = q @ k.mT")).to_be_visible()
    expect(taker.get_by_text("300 of 20,000 tokens used")).to_be_visible()
    expect(taker.get_by_role("button", name="Ask", exact=True)).not_to_have_attribute("data-loading", "true")
    assert "return v" in model.sent, "the code of the editor is sent along"
    fits(taker)
    question.fill("And the mask?")
    taker.get_by_role("button", name="Ask", exact=True).click()
    expect(talk.get_by_text("stopped in the middle of its reply")).to_be_visible()
    fits(taker)
    taker.get_by_role("button", name="Ask again").click()
    expect(question).to_have_value("And the mask?")
    taker.get_by_role("button", name="Ask", exact=True).click()
    expect(talk.get_by_text("x.sum(-1)")).to_be_visible()
    taker.reload()
    expect(talk.get_by_role("listitem")).to_have_count(3)


def finish(taker: Page) -> None:
    """Submit and finish. The conversation can still be read."""
    view(taker, "Code")
    write(taker, f"# with a mask\n{ANSWER}")
    taker.get_by_role("button", name="Submit", exact=True).click()
    expect(taker.get_by_text("Wrong answer").first).to_be_visible(timeout=PATIENT_MS)
    taker.get_by_role("button", name="Finish").first.click()
    taker.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(taker.get_by_role("heading", name="Finished")).to_be_visible()
    taker.get_by_role("link", name=re.compile("^1")).click()
    taker.get_by_role("tab", name="Assistant").click()
    expect(taker.get_by_role("list", name="Conversation").get_by_role("listitem")).to_have_count(3)
    expect(taker.get_by_label("Question to the assistant")).to_have_count(0)


def review(page: Page, path: str) -> None:
    """Read the conversation in the report, and beside the edits."""
    person = page.context.request.get(f"/api{path}/participations").json()["items"][0]["id"]
    page.goto(f"{path}/people/{person}")
    expect(page.get_by_text("3 messages to the assistant that this site provides")).to_be_visible()
    page.get_by_text(re.compile("caled.*: 3 messages")).click()
    expect(page.get_by_text("How do I scale the scores?").first).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Play back edits").click()
    beside = page.get_by_role("region", name="Assistant, at this point in the recording")
    expect(beside.get_by_text("And the mask?").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Go to: Asked the assistant"))).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile("^Go to: Submitted: Wrong answer"))).to_have_count(1)
    beside.scroll_into_view_if_needed()
    fits(page)
    page.get_by_label("Position in the recording").press("Home")
    expect(beside.get_by_text("Nothing asked yet.")).to_be_visible()


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_a_candidate_works_with_the_assistant_and_the_team_reads_it(
    open_page: Callable[..., Page], model: ModelServer, scheme: str, size: dict[str, int]
) -> None:
    look = {"viewport": size, "color_scheme": scheme}
    page = open_page("/", bypass_csp=True, **look)
    make_account(page, f"Ada{scheme}")
    path = assess(page, "none")
    allow(page, path)
    taker = open_page(invite(page, path), bypass_csp=True, permissions=ALLOWED, **look)
    begin(taker)
    ask(taker, model)
    finish(taker)
    review(page, path)


@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_a_candidate_says_how_they_used_their_own(
    open_page: Callable[..., Page], scheme: str, size: dict[str, int]
) -> None:
    look = {"viewport": size, "color_scheme": scheme}
    page = open_page("/", bypass_csp=True, **look)
    make_account(page, f"Bo{scheme}")
    path = assess(page, "own")
    post(page, f"/api{path}/open")
    taker = open_page(invite(page, path), bypass_csp=True, **look)
    expect(taker.get_by_text("At the end, you are asked how you used it.")).to_be_visible()
    taker.get_by_role("button", name="Start assessment").click()
    taker.get_by_role("link", name=re.compile("^1")).click()
    expect(taker.get_by_text("your own AI assistant is allowed")).to_be_visible()
    expect(taker.get_by_role("tab", name="Assistant")).to_have_count(0)
    taker.get_by_role("button", name="Finish").first.click()
    taker.get_by_role("dialog").get_by_role("button", name="Finish").click()
    said = taker.get_by_label("How you used an AI assistant")
    said.fill("It reminded me of the scale. I wrote the rest.")
    taker.get_by_role("button", name="Save", exact=True).click()
    expect(taker.get_by_role("button", name="Saved")).to_be_disabled()
    fits(taker)
    taker.reload()
    expect(said).to_have_value("It reminded me of the scale. I wrote the rest.")
    person = page.context.request.get(f"/api{path}/participations").json()["items"][0]["id"]
    page.goto(f"{path}/people/{person}")
    expect(page.get_by_text("It reminded me of the scale. I wrote the rest.")).to_be_visible()
    fits(page)
