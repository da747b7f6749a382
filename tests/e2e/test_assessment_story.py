"""Tests a whole assessment through the pages, with two interviewers and three candidates who work at the same time, each in
a separate browser profile.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from api.hiring.results.similarity import FENCE
from tests.clock import WallClock
from tests.e2e.pages import PATIENT_MS, write
from tests.e2e.test_builder_story import open_all_the_same
from tests.live import Live, service
from tests.mailbox import Mailbox, link_in, mailbox, text_of

pytestmark = pytest.mark.docker
PASSWORD = "a good long one"
TITLE = "Scaled dot-product attention"
ALLOWED = ["clipboard-read", "clipboard-write"]
MINUTES, EXTRA = 30, 20
WRONG = "def attention(q, k, v, mask=None):\n    raise NotImplementedError\n"
CANDIDATES = ("Cleo", "Dan", "Eve")


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mailbox() as box:
        yield box


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> WallClock:
    """The wall clock of the service, which the tests can set."""
    clock = WallClock(tmp_path_factory.mktemp("clock") / "clock")
    assert clock.is_there, "libfaketime is missing: deploy/packages.sh test installs it"
    return clock


@pytest.fixture(scope="module")
def live(grader_image: str, box: Mailbox, clock: WallClock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service for the tests of this file only, because they need a mail server and a clock that can be set."""
    settings = {"node_slots": "1", "node_image": grader_image, "smtp_url": box.url, "sweep_s": "1"}
    where = tmp_path_factory.mktemp("assessment")
    with service(where, environment=clock.variables, **settings) as running:
        yield running


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def enter(page: Page, box: Mailbox, name: str) -> Page:
    """Create an account, and confirm it by its email."""
    body = {"email": address(name), "name": name, "password": PASSWORD}
    assert page.context.request.post("/api/accounts", data=body).status == 202
    _, token = link_in(box.wait_for(address(name)))
    told = page.context.request.post("/api/accounts/confirm", data={"token": token, "password": PASSWORD})
    assert told.status == 201, told.text()
    return page


def found_team(ada: Page, bob: Page, box: Mailbox) -> str:
    """Create Ada's team, and let Bob join it as an author. Return the address of the team's page."""
    team: str = ada.context.request.post("/api/teams", data={"name": "Training infrastructure"}).json()["id"]
    invited = {"email": address("Bob"), "role": "author"}
    assert ada.context.request.post(f"/api/teams/{team}/invitations", data=invited).status == 201
    _, token = link_in(box.wait_for(address("Bob"), 2))
    joined = bob.context.request.post("/api/team-invitations/accept", data={"token": token})
    assert joined.ok, joined.text()
    return f"/teams/{team}"


def build(ada: Page) -> str:
    """Create and open an assessment with one challenge. Return the address of its page."""
    expect(ada.get_by_role("heading", name="No assessments yet")).to_be_visible()
    ada.get_by_role("button", name="New assessment").click()
    ada.get_by_role("dialog").get_by_label("Name").fill("First round")
    ada.get_by_role("button", name="Create assessment", exact=True).click()
    ada.get_by_role("button", name=re.compile("^Empty")).click()
    ada.get_by_label("Section 1", exact=True).fill("Attention")
    ada.get_by_role("button", name="Add items").click()
    chooser = ada.get_by_role("dialog", name="Add to Attention")
    chooser.get_by_label("Search").fill(TITLE)
    chooser.get_by_role("button", name=f"Add {TITLE}", exact=True).click()
    chooser.get_by_role("button", name="Done").click()
    ada.get_by_label("Time limit in minutes").fill(str(MINUTES))
    open_all_the_same(ada, f"“{TITLE}” can be practised in public")
    return re.sub(r"[?#].*", "", ada.url)


def invite(ada: Page, box: Mailbox) -> list[str]:
    """Invite all candidates by email. Return the links in the emails."""
    ada.get_by_role("link", name="Invitations").click()
    for number, name in enumerate(CANDIDATES, start=1):
        if number > 1:
            ada.get_by_role("button", name="Add candidate").click()
        ada.get_by_label(f"Email of candidate {number}").fill(address(name))
        ada.get_by_label(f"Name of candidate {number}").fill(name)
    ada.get_by_role("button", name="Invite 3 candidates").click()
    letters = [text_of(box.wait_for(address(name))) for name in CANDIDATES]
    return [found[0] for letter in letters if (found := re.search(r"/take/\S+", letter))]


def start(page: Page) -> Page:
    """Start the assessment, and open the challenge."""
    expect(page.get_by_text("When you paste into an answer")).to_be_visible()
    page.get_by_label("I agree to this statement.").check()
    page.get_by_role("button", name="Start assessment").click()
    page.get_by_role("link", name=re.compile(TITLE)).click()
    expect(page.locator(".cm-content")).to_contain_text("raise NotImplementedError")
    return page


def saved(page: Page) -> None:
    expect(page.get_by_text("saved", exact=True)).to_be_visible()


def finish(page: Page) -> None:
    page.get_by_role("button", name="Finish", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Finish", exact=True).click()
    expect(page.get_by_role("heading", name="Finished")).to_be_visible()


def loses_the_connection(cleo: Page, right: str) -> None:
    """Check that text that Cleo writes offline stays in her browser, and is sent once the connection is back."""
    write(cleo, "# half of it\n")
    saved(cleo)
    cleo.context.set_offline(True)
    write(cleo, right)
    expect(cleo.get_by_text("saved in this browser", exact=True)).to_be_visible()
    cleo.context.set_offline(False)
    saved(cleo)
    cleo.get_by_role("button", name="Submit").click()
    expect(cleo.get_by_text("its result is shown after you finish.")).to_be_visible(timeout=PATIENT_MS)
    finish(cleo)


def gets_more_time(bob: Page, dan: Page) -> None:
    """Give Dan more time while he tries code. The clock on his page must show this without a reload."""
    write(dan, WRONG)
    saved(dan)
    dan.get_by_role("tab", name="Try it").click()
    dan.get_by_role("button", name="Run snippet").click()
    expect(dan.get_by_label("Snippet output")).to_contain_text("torch.Size([2, 3])", timeout=PATIENT_MS)
    row = line(bob, "Dan")
    expect(row).to_contain_text(TITLE)
    row.get_by_role("button", name="Actions for Dan").click()
    bob.get_by_role("menuitem", name="Change extra time").click()
    bob.get_by_label(re.compile("Total extra minutes")).fill(str(EXTRA))
    bob.get_by_role("button", name="Save", exact=True).click()
    expect(dan.get_by_text(re.compile(r"^(50:00|4\d:\d\d|3[1-9]:\d\d)$"))).to_be_visible()


def line(page: Page, name: str) -> Locator:
    return page.get_by_role("row", name=re.compile(name))


def the_deadline_passes(clock: WallClock, bob: Page, dan: Page, eve: Page) -> None:
    """Let the deadline pass for Eve, whose text must be submitted as it is. Dan has extra time, and finishes before his own
    deadline.
    """
    clock.ahead(MINUTES * 60)
    expect(eve.get_by_role("heading", name="Time is up")).to_be_visible(timeout=PATIENT_MS)
    expect(line(bob, "Eve")).to_contain_text("Time ran out")
    expect(line(bob, "Dan")).to_contain_text("In progress")
    finish(dan)
    for name, came in (("Cleo", "20 of 20"), ("Dan", "0 of 20"), ("Eve", "20 of 20")):
        expect(line(bob, name)).to_contain_text(came, timeout=PATIENT_MS)
        expect(line(bob, name)).not_to_contain_text("being judged")


def decide(bob: Page, pasted: str) -> None:
    """Check the signals about Eve, and save a decision."""
    line(bob, "Eve").get_by_role("link", name="Eve").click()
    expect(bob.get_by_text(f"Pasted {len(pasted)} characters")).to_be_visible()
    bob.get_by_role("button", name="Make a decision", exact=True).click()
    bob.get_by_role("radiogroup", name="Decision").get_by_text("Hold").click()
    bob.get_by_label("Reason").fill("Let us talk about it.")
    bob.get_by_role("button", name="Save decision", exact=True).click()
    # The form is closed a moment after the decision is shown.
    expect(bob.get_by_label("Reason")).to_have_count(0)
    expect(bob.get_by_text("Let us talk about it.")).to_be_visible()
    bob.get_by_role("button", name="Actions", exact=True).click()
    assert fetched(bob, "Download report (PDF)").startswith(b"%PDF-")


def compare(ada: Page) -> None:
    """Compare Eve's answer with the editorial, line by line."""
    ada.get_by_role("button", name="Compare the answers").click()
    ada.get_by_role("button", name=re.compile("Eve and The editorial")).click()
    expect(ada.get_by_text(re.compile("shared passage"))).to_be_visible()


def fetched(page: Page, name: str) -> bytes:
    """Click an entry of the open menu, and return the content of the file that it downloads."""
    with page.expect_download() as coming:
        page.get_by_role("menuitem", name=name).click()
    return Path(coming.value.path()).read_bytes()


def take_away(ada: Page) -> None:
    """Download the results as files."""
    files = []
    for name in ("Table (CSV)", "Data (JSON)", "Report (PDF)"):
        ada.get_by_role("button", name="Download").click()
        files.append(fetched(ada, name))
    table, data, paper = files
    assert sorted(row["name"] for row in csv.DictReader(io.StringIO(table.decode("utf-8-sig")))) == list(CANDIDATES)
    shares = {person["name"]: person["share"] for person in json.loads(data)["results"]["people"]}
    assert shares == {"Cleo": 1, "Dan": 0, "Eve": 1}
    assert paper.startswith(b"%PDF-")


def erase(ada: Page, at: str) -> None:
    """Delete all data about Eve, which only owners may do."""
    ada.goto(f"{at}/live")
    line(ada, "Eve").get_by_role("link", name="Eve").click()
    ada.get_by_role("button", name="Actions", exact=True).click()
    ada.get_by_role("menuitem", name="Delete all data").click()
    ada.get_by_role("button", name="Delete permanently").click()
    expect(line(ada, "Cleo")).to_be_visible()
    expect(line(ada, "Eve")).to_have_count(0)


def test_an_assessment_from_its_plan_to_its_erasure(
    open_page: Callable[..., Page], box: Mailbox, clock: WallClock, answers: Path
) -> None:
    right = sorted((answers / "accepted").glob("*.py"))[1].read_text()
    editorial = (answers.parent / "editorial.md").read_text()
    pasted = f"import math\n\nimport torch\n\n\n{FENCE.findall(editorial)[0]}"
    ada, bob = (enter(open_page("/teams"), box, name) for name in ("Ada", "Bob"))
    ada.goto(found_team(ada, bob, box))
    at = build(ada)
    links = invite(ada, box)
    assert len(links) == len(CANDIDATES)
    cleo, dan, eve = (start(open_page(link, permissions=ALLOWED)) for link in links)
    bob.goto(f"{at}/live")
    write(eve, pasted)
    loses_the_connection(cleo, right)
    gets_more_time(bob, dan)
    saved(eve)
    the_deadline_passes(clock, bob, dan, eve)
    decide(bob, pasted)
    ada.goto(f"{at}/results")
    compare(ada)
    take_away(ada)
    erase(ada, at)
    eve.goto(links[2])
    expect(eve.get_by_role("heading", name="This link is not valid")).to_be_visible()
