"""Tests how a candidate takes a whole assessment: opening the link, working on two devices, losing the connection, and seeing
the result.
"""

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.e2e.pages import ALL_TESTS, PATIENT_MS, SLUG, TOPIC, faults, make_account, write

pytestmark = pytest.mark.docker
ALLOWED = ["clipboard-read", "clipboard-write"]
PHONE = {"width": 390, "height": 844}
NAME = "First round"


def plan() -> dict[str, Any]:
    """Return a plan of half an hour, with a section of code and a section of questions that has a separate time limit."""
    code = {"key": "one", "points": 40, "choices": [{"kind": "challenge", "name": SLUG}]}
    quiz = {"key": "two", "points": 20, "choices": [{"kind": "quiz", "name": TOPIC}]}
    return {
        "minutes": 30,
        "verdicts": "at_once",
        "honour": "I work alone.",
        "instructions": "Take **your** time.",
        "recorded": ["edits", "pastes", "focus", "devices"],
        "sections": [
            {"key": "code", "title": "Code", "items": [code]},
            {"key": "questions", "title": "Questions", "minutes": 20, "items": [quiz]},
        ],
    }


@dataclass
class Team:
    """The team whose assessment the candidate takes. The class uses the API, not the pages."""

    page: Page
    path: str = ""

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.page.context.request.fetch(f"{self.path}{path}", method=method, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def invite(self) -> str:
        """Create a team with an open assessment. Return the address of an invitation to it."""
        make_account(self.page, "Grace")
        team = self.ask("POST", "/api/teams", {"name": f"Team {uuid.uuid4().hex[:8]}"})["id"]
        made = self.ask("POST", f"/api/teams/{team}/assessments", {"name": NAME, "plan": plan()})
        self.path = f"/api/teams/{team}/assessments/{made['id']}"
        self.ask("POST", "/open")
        link: str = self.ask("POST", "/invitations", {"people": [{"name": "Ada"}]})["items"][0]["link"]
        return f"/take/{link.rpartition('/')[2]}"

    @property
    def one(self) -> str:
        """The address of the only participation, relative to `path`."""
        return f"/participations/{self.ask('GET', '/participations')['items'][0]['id']}"


def step(page: Page, position: int) -> Locator:
    return page.get_by_role("navigation", name="Items").get_by_role("link", name=re.compile(f"^{position}"))


def saved(page: Page) -> None:
    expect(page.get_by_text("saved", exact=True)).to_be_visible()


def fits(page: Page) -> None:
    assert faults(page) == []


def start(page: Page) -> None:
    """Check the information, agree to the statement, and start."""
    expect(page.get_by_text("Every change you make in the editor")).to_be_visible()
    begin = page.get_by_role("button", name="Start assessment")
    expect(begin).to_be_disabled()
    fits(page)
    page.get_by_label("I agree to this statement.").check()
    begin.click()
    expect(page.get_by_text(re.compile(r"^(30:00|29:\d\d)$"))).to_be_visible()
    fits(page)


def solve(page: Page, answers: Path) -> str:
    """Run and submit a right answer. Return the answer."""
    right = (answers / "accepted" / "a-reference.py").read_text()
    page.get_by_role("link", name=re.compile("Scaled dot-product")).click()
    write(page, right)
    region = page.get_by_role("region", name="Your answer")
    page.get_by_role("button", name="Run samples").click()
    expect(region.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    page.get_by_role("button", name="Submit").click()
    expect(region.get_by_text(ALL_TESTS)).to_be_visible(timeout=PATIENT_MS)
    expect(step(page, 1)).to_contain_text("accepted, 40 of 40 points")
    fits(page)
    return right


def answer_a_question(page: Page) -> None:
    step(page, 2).click()
    expect(page.get_by_text("its own time limit: 20 minutes")).to_be_visible()
    page.get_by_role("button", name="Open section").click()
    page.get_by_role("textbox").first.fill("(1, 1)")
    page.get_by_role("button", name="Submit answer").first.click()
    expect(page.get_by_text(re.compile("1 of [0-9]+ questions answered"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Section 1[89]:|^Section 20:"))).to_be_visible()
    fits(page)


def test_a_candidate_loses_nothing_and_is_told_everything(open_page: Callable[..., Page], answers: Path) -> None:
    team = Team(open_page("/"))
    link = team.invite()
    laptop = open_page(link, permissions=ALLOWED, bypass_csp=True)
    start(laptop)
    right = solve(laptop, answers)
    answer_a_question(laptop)
    # The connection is lost, and then the page is closed.
    step(laptop, 1).click()
    laptop.context.set_offline(True)
    write(laptop, f"{right}\n# written without a connection\n")
    expect(laptop.get_by_text("saved in this browser", exact=True)).to_be_visible()
    context = laptop.context
    laptop.close()
    context.set_offline(False)
    laptop = context.new_page()
    laptop.goto(link)
    laptop.get_by_role("link", name="Continue", exact=True).click()
    laptop.get_by_role("link", name=re.compile("Scaled dot-product")).click()
    expect(laptop.locator(".cm-content")).to_contain_text("# written without a connection")
    saved(laptop)
    assert "# written without" in team.ask("GET", team.one)["items"][0]["draft"]["source"]
    edits = team.ask("GET", f"{team.one}/items/1/edits")["items"]
    assert played(edits) == f"{right}\n# written without a connection\n"
    # A second device takes over. The extra time then appears on it without any action.
    phone = open_page(link, viewport=PHONE, color_scheme="dark", bypass_csp=True)
    phone.get_by_role("button", name="Continue here", exact=True).click()
    expect(laptop.get_by_role("heading", name="The assessment was opened on another device")).to_be_visible()
    fits(laptop)
    phone.get_by_role("link", name=re.compile("Scaled dot-product")).click()
    expect(phone.locator(".cm-content")).to_contain_text("# written without a connection")
    fits(phone)
    team.ask("PUT", f"{team.one}/extra-time", {"minutes": 40})
    expect(phone.get_by_text(re.compile(r"^1:0\d:\d\d$"))).to_be_visible()
    laptop.get_by_role("button", name="Continue here instead").click()
    expect(laptop.get_by_text(re.compile(r"^1:0\d:\d\d$"))).to_be_visible()
    expect(phone.get_by_role("heading", name="The assessment was opened on another device")).to_be_visible()
    # The dialog for finishing lists the questions that are not answered. The candidate keeps working, and then the team ends
    # the assessment.
    laptop.get_by_role("button", name="Finish").click()
    missing = laptop.get_by_role("dialog").get_by_role("listitem")
    expect(missing).to_have_count(1)
    told = re.fullmatch(r"2\. Convolution.*: (\d+) of (\d+) questions unanswered", missing.inner_text())
    assert told, missing.inner_text()
    assert int(told[1]) == int(told[2]) - 1
    laptop.get_by_role("button", name="Keep working").click()
    team.ask("POST", f"{team.one}/finish")
    expect(laptop.get_by_role("heading", name="Ended by the team")).to_be_visible()
    expect(laptop.get_by_text("accepted, 40 of 40 points")).to_be_visible(timeout=PATIENT_MS)
    fits(laptop)
    assert laptop.evaluate("Object.keys(localStorage).filter(key => key.startsWith('take:'))") == []


def played(batches: list[dict[str, Any]]) -> str:
    """Apply all recorded edits in order, and return the resulting text."""
    text = ""
    for edit in (edit for batch in batches for edit in batch["events"]):
        text = text[: edit["from"]] + edit["text"] + text[edit["to"] :]
    return text


def test_what_was_noticed_at_a_quiz_and_not_told_survives_the_page(open_page: Callable[..., Page]) -> None:
    team = Team(open_page("/"))
    page = open_page(team.invite(), bypass_csp=True)
    start(page)
    page.get_by_role("link", name=re.compile("Convolution")).click()
    page.get_by_role("button", name="Open section").click()
    page.get_by_role("textbox").first.wait_for()
    page.route("**/signals", lambda route: route.abort())
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    waiting = (
        "() => Object.keys(localStorage).filter(key => key.endsWith(':noticed')).map(key => localStorage.getItem(key))"
    )
    [[kept]] = map(json.loads, page.evaluate(waiting))
    assert kept["kind"] == "blur"
    page.unroute("**/signals")
    told: list[Response] = []
    page.on("response", lambda answer: told.append(answer) if answer.url.endswith("/signals") else None)
    page.reload()
    page.wait_for_function(f"({waiting})().length === 0")
    assert [answer.status for answer in told if not answer.ok] == []
    # The reload counts as leaving the page, and adds another signal. The page sends that signal alone or together with the
    # stored one.
    sent = [signal for answer in told for signal in json.loads(answer.request.post_data or "")["signals"]]
    assert kept in sent
