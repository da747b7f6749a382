"""Tests a live interview in real browsers: an interviewer, a candidate and an observer in one room, each in a separate browser
profile. The candidate loses the connection in between.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.pages import PATIENT_MS, faults, make_account

pytestmark = pytest.mark.docker
ALLOWED = ["clipboard-read", "clipboard-write"]
PHONE = {"width": 390, "height": 844}
TITLE = "Scaled dot-product attention"
WRONG = "import torch\n\ndef attention(q, k, v, mask=None):\n    return v * 0.5\n"


class Network:
    """The candidate's connection to the room, which the test can cut."""

    def __init__(self, page: Page) -> None:
        self.is_cut, self._open = False, list[WebSocketRoute]()
        page.route_web_socket(re.compile("/socket$"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=4999)
            return
        socket.connect_to_server()
        self._open.append(socket)

    def cut(self) -> None:
        self.is_cut = True
        for socket in self._open:
            socket.close(code=4999)
        self._open.clear()

    def mend(self) -> None:
        self.is_cut = False


def show(page: Page, view: str, phone: bool) -> None:
    """On a phone, switch to this view."""
    if phone:
        page.get_by_role("group", name="View").get_by_role("button", name=view).click()


def sound(page: Page) -> None:
    """Check that axe finds nothing, and that the page is not wider than the screen."""
    assert faults(page) == []


def create(page: Page, phone: bool) -> tuple[str, str]:
    """Create a room through the team's page. Return the links for the candidate and for observers."""
    new = page.get_by_role("button", name="New live interview")
    expect(new).to_be_visible()
    sound(page)
    new.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Research engineer, second round")
    dialog.get_by_label("Challenges").fill(TITLE)
    page.get_by_role("option", name=TITLE, exact=True).click()
    dialog.get_by_label("Link to a video call").fill("https://call.example.org/1")
    sound(page)
    dialog.get_by_role("button", name="Create interview").click()
    links = page.get_by_role("region", name="Interview links")
    expect(links).to_be_visible()
    found = re.findall(r"http\S+/rooms/join#\S+", links.inner_text())
    assert len(found) == 2
    sound(page)
    candidate, observer = found
    return candidate, observer


def editor(page: Page) -> Any:
    return page.locator(".cm-content")


def type_at_end(page: Page, text: str) -> None:
    editor(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


@pytest.mark.parametrize(("scheme", "phone"), [("light", False), ("dark", True)])
def test_a_live_interview(open_page: Callable[..., Page], scheme: str, phone: bool) -> None:
    look: dict[str, Any] = {"bypass_csp": True, "permissions": ALLOWED, "color_scheme": scheme}
    look["viewport"] = PHONE if phone else {"width": 1440, "height": 900}
    ada = open_page("/", **look)
    make_account(ada, f"Ada{scheme}")
    team = ada.context.request.post("/api/teams", data={"name": "Kernel people"}).json()["id"]
    ada.goto(f"/teams/{team}/rooms")
    for_candidate, for_observer = create(ada, phone)

    # The candidate needs no account, and waits until a challenge is shown.
    cleo = open_page("/", **look)
    network = Network(cleo)
    cleo.goto(for_candidate)
    expect(cleo.get_by_text("Kernel people invites you")).to_be_visible()
    sound(cleo)
    cleo.get_by_label("Your name").fill("Cleo Curie")
    cleo.get_by_role("button", name="Enter").click()
    expect(cleo.get_by_role("heading", name="The interview starts soon")).to_be_visible()
    sound(cleo)
    ada.get_by_role("link", name="Enter the room").click()
    ada.get_by_role("button", name="Show a challenge").click()
    ada.get_by_role("menuitem", name=TITLE).click()
    expect(cleo.get_by_role("heading", name=TITLE)).to_be_visible()

    # Both write in one text, and see each other.
    for page in (ada, cleo):
        show(page, "Code", phone)
        expect(editor(page)).to_contain_text("def attention")
    type_at_end(cleo, "\n# by Cleo")
    expect(editor(ada)).to_contain_text("# by Cleo")
    expect(ada.locator(".cm-ySelectionInfo")).to_have_text("Cleo Curie")
    type_at_end(ada, " and Ada")
    expect(editor(cleo)).to_contain_text("# by Cleo and Ada")
    expect(cleo.get_by_role("button", name=re.compile(f"2 here: .*Ada{scheme}"))).to_be_visible()
    for page in (ada, cleo):
        sound(page)

    _lose_the_connection(ada, cleo, network, phone)
    _judge(ada, cleo, phone)
    _decide(ada, cleo, phone)
    _observe(open_page("/", **look), for_observer, phone)
    _replay(ada, cleo, phone)


def _lose_the_connection(ada: Page, cleo: Page, network: Network, phone: bool) -> None:
    """The candidate goes on writing meanwhile, and so does the interviewer."""
    network.cut()
    status = cleo.get_by_role("status").filter(has_text="Reconnecting") if not phone else None
    if status:
        expect(status).to_be_visible()
    type_at_end(cleo, "\n# written without a connection")
    type_at_end(ada, "\n# by Ada meanwhile")
    network.mend()
    for page in (ada, cleo):
        expect(editor(page)).to_contain_text("# written without a connection", timeout=PATIENT_MS)
        expect(editor(page)).to_contain_text("# by Ada meanwhile")


def _judge(ada: Page, cleo: Page, phone: bool) -> None:
    """A wrong answer: both see the verdict, and how far the tensors are apart."""
    editor(cleo).click()
    cleo.keyboard.press("Control+a")
    cleo.evaluate("text => navigator.clipboard.writeText(text)", WRONG)
    cleo.keyboard.press("Control+v")
    expect(editor(ada)).to_contain_text("return v * 0.5")
    cleo.get_by_role("button", name="Run samples").click()
    for page in (ada, cleo):
        show(page, "Results", phone)
        expect(page.get_by_text("Wrong answer", exact=True).first).to_be_visible(timeout=PATIENT_MS)
        expect(page.get_by_text("expected", exact=False).first).to_be_visible()
        sound(page)


def _decide(ada: Page, cleo: Page, phone: bool) -> None:
    """Extend the statement, start the timer, write a private note, and score."""
    ada.get_by_role("button", name="Extend statement").click()
    ada.get_by_label("Shown above the statement").fill("Now make it **causal**.")
    ada.get_by_role("dialog").get_by_role("button", name="Show everyone").click()
    show(cleo, "Read", phone)
    expect(cleo.get_by_role("region", name="Added by the interviewers")).to_contain_text("Now make it causal.")
    ada.get_by_role("button", name="Timer").click()
    ada.get_by_role("menuitem", name="30 minutes").click()
    expect(cleo.get_by_title("Time left")).to_have_text(re.compile("29:5|30:00"))
    show(ada, "Read", phone)
    ada.get_by_role("tab", name="Notes and rubric").click()
    ada.get_by_label("New note").fill("Asks about the mask at once.")
    ada.get_by_role("button", name="Add note").click()
    expect(ada.get_by_role("listitem").filter(has_text="Asks about the mask")).to_be_visible()
    ada.get_by_role("radiogroup", name="Explains the reasoning").get_by_text("3").click()
    sound(ada)
    expect(cleo.get_by_role("tab", name="Notes and rubric")).to_have_count(0)
    expect(cleo.get_by_text("Asks about the mask")).to_have_count(0)
    sound(cleo)


def _observe(page: Page, link: str, phone: bool) -> None:
    page.goto(link)
    expect(page.get_by_text("You watch a live interview of Kernel people.")).to_be_visible()
    page.get_by_label("Your name").fill("Oscar")
    page.get_by_role("button", name="Enter").click()
    show(page, "Code", phone)
    expect(editor(page)).to_contain_text("return v * 0.5")
    type_at_end(page, "# by Oscar")
    expect(editor(page)).not_to_contain_text("# by Oscar")
    expect(page.get_by_role("button", name="Submit", exact=True)).to_be_disabled()
    sound(page)


def _replay(ada: Page, cleo: Page, phone: bool) -> None:
    """End the interview, and read how it went."""
    ada.get_by_role("button", name="End interview").click()
    ada.get_by_role("dialog").get_by_role("button", name="End interview").click()
    expect(ada.get_by_role("heading", name="The interview has ended")).to_be_visible()
    expect(cleo.get_by_role("heading", name="The interview has ended")).to_be_visible()
    sound(cleo)
    ada.get_by_role("link", name="Open the replay").click()
    expect(ada.get_by_text("The recording is complete.")).to_be_visible()
    events = ada.get_by_role("list", name="Events")
    for words in ("Cleo Curie joined", f"showed “{TITLE}”", "ran the samples: Wrong answer", "set the timer to 30"):
        expect(events).to_contain_text(words)
    expect(events).to_contain_text("Asks about the mask at once.")
    expect(editor(ada)).to_contain_text("return v * 0.5")
    events.get_by_role("button", name=re.compile("showed")).click()
    expect(editor(ada)).not_to_contain_text("return v * 0.5")
    expect(editor(ada)).to_contain_text("def attention")
    sound(ada)
    ada.get_by_role("button", name="Play", exact=True).click()
    expect(editor(ada)).to_contain_text("# by Cleo", timeout=PATIENT_MS)
    ada.get_by_role("button", name="Pause").click()
    ada.get_by_role("button", name=re.compile("Show the results of")).click()
    expect(ada.get_by_role("dialog").get_by_text("Wrong answer", exact=True).first).to_be_visible()
    sound(ada)
