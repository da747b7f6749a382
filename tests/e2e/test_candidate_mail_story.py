"""An owner writes what the team adds to the emails to candidates, sees both emails before anybody gets one, and a candidate gets
it.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.pages import faults, overflows
from tests.e2e.test_team_story import PLAN, enter
from tests.live import Live, service_without_node
from tests.mailbox import Mailbox, mailbox, text_of

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mailbox() as box:
        yield box


@pytest.fixture(scope="module")
def live(box: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that sends emails and judges nothing."""
    with service_without_node(tmp_path_factory.mktemp("mails"), smtp_url=box.url) as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_owner_writes_the_emails_and_a_candidate_gets_them(
    open_page: Callable[..., Page], box: Mailbox, tmp_path: Path, scheme: str
) -> None:
    page = open_page("/", viewport={"width": 1440, "height": 1000}, color_scheme=scheme)
    enter(page, box, f"ada-{scheme}@example.org", "Ada")
    ask = page.context.request
    team = ask.post("/api/teams", data={"name": "Tensor people"}).json()["id"]
    page.goto(f"/teams/{team}/members")
    form = page.get_by_role("region", name="Emails to candidates")
    email = form.frame_locator("iframe")
    expect(email.get_by_text("The team “Tensor people” invites you")).to_be_visible()

    form.get_by_label("Message").fill("Questions? See https://example.org")
    expect(form.get_by_text("must not contain links")).to_be_visible()
    expect(form.get_by_text("Correct the marked fields")).to_be_visible()
    form.get_by_label("Message").fill("Questions? Reply to this email.")
    form.get_by_label("Replies go to").select_option(label=f"Ada <ada-{scheme}@example.org>")
    Image.new("RGB", (300, 100), "navy").save(tmp_path / "logo.png")
    form.locator("input[type=file]").set_input_files(tmp_path / "logo.png")
    expect(email.get_by_text("Questions? Reply to this email.")).to_be_visible()
    expect(email.get_by_role("img", name="Tensor people")).to_be_visible()
    form.locator("iframe").evaluate("frame => { frame.dataset.of = 'the invitation' }")
    form.get_by_text("Reminder", exact=True).click()
    expect(email.get_by_text("You have not started")).to_be_visible()
    # A frame whose text is replaced quickly sometimes keeps the earlier text, so each text has a frame of its own.
    expect(form.locator("iframe[data-of]")).to_have_count(0)
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Saved.")).to_be_visible()
    state = page.context.storage_state()
    examined = open_page(page.url, storage_state=state, color_scheme=scheme, bypass_csp=True)
    expect(examined.frame_locator("iframe").get_by_text("Reply to this email")).to_be_visible()
    assert faults(examined) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not overflows(page)
    page.reload()
    expect(form.get_by_label("Message")).to_have_value("Questions? Reply to this email.")

    made = ask.post(f"/api/teams/{team}/assessments", data={"name": "First round", "plan": PLAN}).json()["id"]
    path = f"/api/teams/{team}/assessments/{made}"
    assert ask.post(f"{path}/open").status == 200
    invited = ask.post(f"{path}/invitations", data={"people": [{"email": f"eve-{scheme}@example.org"}]})
    assert invited.status == 201, invited.text()
    letter = box.wait_for(f"eve-{scheme}@example.org")
    assert letter["Reply-To"] == f"ada-{scheme}@example.org"
    assert "> Questions? Reply to this email." in text_of(letter)

    # The candidate sees the logo again on the page before the start, and it is drawn in the report.
    link = re.search(r"http\S+/take/\S+", text_of(letter))
    assert link is not None, text_of(letter)
    candidate = open_page(link[0], color_scheme=scheme, bypass_csp=True)
    logo = candidate.get_by_role("img", name="Logo of Tensor people")
    expect(logo).to_be_visible()
    assert logo.evaluate("image => image.naturalWidth") == 300
    assert faults(candidate) == []
