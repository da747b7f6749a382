"""Tests a team in a real browser, from its creation to its candidates: emails, roles, lists, and what each role may see."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS, SLUG, faults
from tests.live import Live, service_without_node
from tests.mailbox import Mailbox, link_in, mailbox, text_of

pytestmark = pytest.mark.docker
PASSWORD = "a good long one"
BOB, EVE = "bob@example.org", "eve@example.org"
PHONE = {"width": 390, "height": 844}
SHEET = "email,name,extra_minutes\ncyd@example.org,Cyd,15\nnobody,X,0\ndan@example.org,Dan,many\n"
PLAN = {
    "minutes": 60,
    "instructions": "Take your time.",
    "sections": [
        {
            "key": "code",
            "title": "Code",
            "items": [{"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": SLUG}]}],
        }
    ],
}


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mailbox() as box:
        yield box


@pytest.fixture(scope="module")
def live(box: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that sends emails and judges nothing."""
    with service_without_node(tmp_path_factory.mktemp("team"), smtp_url=box.url) as running:
        yield running


def enter(page: Page, box: Mailbox, email: str, name: str) -> None:
    """Create an account and confirm it by the email, without the forms."""
    body = {"email": email, "name": name, "password": PASSWORD}
    assert page.context.request.post("/api/accounts", data=body).status == 202
    _, token = link_in(box.wait_for(email))
    told = page.context.request.post("/api/accounts/confirm", data={"token": token, "password": PASSWORD})
    assert told.status == 201, told.text()


def sees(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible(timeout=PATIENT_MS)


def join_from_a_mail(page: Page, box: Mailbox) -> None:
    """Let Bob follow the link in the email, create an account, confirm it, and return to the invitation."""
    address, token = link_in(box.wait_for(BOB))
    page.goto(f"{address}#{token}")
    sees(page, "Join “Training infrastructure”")
    expect(page.get_by_text("You are invited as an author")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Create account").click()
    expect(page.get_by_label("Email")).to_have_value(BOB)
    page.get_by_label("Name").fill("Bob")
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Check your inbox")).to_be_visible()
    assert "team_" not in page.url, "the token stands in no address"
    address, token = link_in(box.wait_for(BOB, 2))
    page.goto(f"{address}#{token}")
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Verify and sign in").click()
    page.get_by_role("button", name="Join team").click()
    sees(page, "Training infrastructure")


def invite_candidates(page: Page, box: Mailbox) -> None:
    """Invite one candidate by email, try a list that is refused, and create a link for several candidates. Then add time to the
    link and revoke it.
    """
    page.get_by_label("Email of candidate 1").fill(EVE)
    page.get_by_label("Name of candidate 1").fill("Eve")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_text("Copy the link now")).to_be_visible()
    assert re.search(r"http\S+/take/take_\S+", text_of(box.wait_for(EVE)))

    page.get_by_text("CSV file", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": SHEET.encode()}
    )
    page.get_by_role("button", name="Invite all").click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("No one was invited")
    expect(refused.get_by_role("listitem")).to_have_count(2)
    expect(refused).to_contain_text("line 3")

    page.get_by_text("Link", exact=True).click()
    page.get_by_label("Name", exact=True).fill("Walk-in")
    page.get_by_role("button", name="Create link").click()
    row = page.get_by_role("listitem").filter(has_text="Walk-in")
    expect(row).to_contain_text("Link created")
    row.get_by_role("button", name="Add extra time for Walk-in").click()
    row.get_by_label("Extra time for Walk-in").fill("25")
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("+25 min")
    row.get_by_role("button", name="Actions for Walk-in").click()
    page.get_by_role("menuitem", name="Revoke", exact=True).click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    expect(row).to_contain_text("Revoked")


def test_a_team_is_made_joined_and_invites(open_page: Callable[..., Page], box: Mailbox) -> None:
    ada, bob = open_page("/"), open_page("/")
    enter(ada, box, "ada@example.org", "Ada")
    ada.goto("/teams")
    ada.get_by_label("Team name").fill("Training infrastructure")
    ada.get_by_role("button", name="Create team").click()
    sees(ada, "No assessments yet")
    team = ada.url.rpartition("/")[2]
    ada.get_by_role("link", name="Members").click()
    ada.get_by_role("textbox", name="Email").fill(BOB)
    ada.get_by_label("Role", exact=True).select_option("author")
    ada.get_by_role("button", name="Invite", exact=True).click()
    link = ada.get_by_role("status").locator("code")
    expect(link).to_contain_text("/join#team_")
    shown = link.inner_text()
    join_from_a_mail(bob, box)

    made = bob.context.request.post(f"/api/teams/{team}/assessments", data={"name": "First round", "plan": PLAN})
    at = f"/teams/{team}/assessments/{made.json()['id']}"
    bob.goto(f"{at}/invitations")
    expect(bob.get_by_text("This assessment is a draft")).to_be_visible(timeout=PATIENT_MS)
    assert bob.context.request.post(f"/api{at}/open").status == 200
    bob.reload()
    invite_candidates(bob, box)

    # From now on, Bob is a reviewer and may only read.
    ada.reload()
    ada.get_by_label("Role of Bob").select_option("reviewer")
    expect(ada.get_by_label("Role of Bob")).to_be_enabled()
    bob.reload()
    expect(bob.get_by_role("listitem").filter(has_text=EVE)).to_be_visible(timeout=PATIENT_MS)
    expect(bob.get_by_role("heading", name="Invite", exact=True)).to_have_count(0)
    expect(bob.get_by_role("button", name="Actions for Eve")).to_have_count(0)
    bob.goto(shown)
    expect(bob.get_by_text("This invitation was used already")).to_be_visible()

    pages = ["/teams", f"/teams/{team}", f"/teams/{team}/members", f"{at}/invitations", "/join"]
    state = ada.context.storage_state()
    read = open_page("/", bypass_csp=True, viewport=PHONE, storage_state=state)
    for path in pages:
        read.goto(path, wait_until="networkidle")
        assert faults(read) == [], path

    # A team can be deleted only after its name was typed.
    ada.get_by_role("button", name="Delete team").click()
    gone = ada.get_by_role("button", name="Delete permanently")
    expect(gone).to_be_disabled()
    ada.get_by_label("Type “Training infrastructure” to confirm").fill("Training infrastructure")
    gone.click()
    expect(ada.get_by_label("Team name")).to_be_visible()
    assert bob.context.request.get(f"/api/teams/{team}").status == 404
