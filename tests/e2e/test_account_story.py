"""Tests the life of an account in a real browser and with a real mail server, from the first email to the deletion."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import PATIENT_MS
from tests.live import Live, service_without_node
from tests.mailbox import Mailbox, link_in, mailbox

pytestmark = pytest.mark.docker
ADA, OLD, NEW = "ada@example.org", "a good long one", "a better long one"


@pytest.fixture(scope="module")
def box() -> Iterator[Mailbox]:
    with mailbox() as box:
        yield box


@pytest.fixture(scope="module")
def live(box: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that sends emails and judges nothing."""
    with service_without_node(tmp_path_factory.mktemp("account"), smtp_url=box.url) as running:
        yield running


def follow(page: Page, box: Mailbox, count: int) -> None:
    """Open the link in the `count`th email to Ada."""
    address, token = link_in(box.wait_for(ADA, count))
    page.goto("about:blank")
    page.goto(f"{address}#{token}")


def sign_in(page: Page, password: str) -> None:
    page.goto("/sign-in?then=/account")
    page.get_by_label("Email").fill(ADA)
    page.get_by_label("Password").first.fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_an_account_from_its_first_letter_to_its_end(
    open_page: Callable[..., Page], box: Mailbox, tmp_path: Path
) -> None:
    page = open_page("/sign-in?new=1")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Email").fill(ADA)
    page.get_by_label("Password").first.fill(OLD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Check your inbox")).to_be_visible(timeout=PATIENT_MS)
    follow(page, box, 1)
    page.get_by_label("Password").first.fill(OLD)
    page.get_by_role("button", name="Verify and sign in").click()
    page.wait_for_url("**/catalogue")

    # The user has forgotten the password, and resets it in another browser.
    page = open_page("/sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    # The previous page also has a field with this label, so wait for the new page.
    expect(page.get_by_role("heading", name="Forgot your password?")).to_be_visible()
    page.get_by_label("Email").fill(ADA)
    page.get_by_role("button", name="Send email").click()
    expect(page.get_by_text(f"If there is an account for {ADA}")).to_be_visible()
    follow(page, box, 2)
    page.get_by_label("New password").first.fill(NEW)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password was changed.")).to_be_visible(timeout=PATIENT_MS)
    sign_in(page, OLD)
    expect(page.get_by_text("The email or the password is wrong.")).to_be_visible(timeout=PATIENT_MS)
    sign_in(page, NEW)
    expect(page.get_by_role("heading", name="Account", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("Verified", exact=True)).to_be_visible()

    with page.expect_download() as download:
        page.get_by_role("link", name="Download your data").click()
    download.value.save_as(tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text())["account"][0]["email"] == ADA

    page.get_by_role("button", name="Delete my account").click()
    leave = page.get_by_role("button", name="Delete permanently")
    page.get_by_role("dialog").get_by_label("Password").first.fill(NEW)
    expect(leave).to_be_disabled()
    page.get_by_label(f"Type “{ADA}” to confirm").fill(ADA)
    leave.click()
    expect(page.get_by_text("Your account was deleted.")).to_be_visible(timeout=PATIENT_MS)
    expect(page.locator("header").get_by_role("link", name="Sign in")).to_be_visible(timeout=PATIENT_MS)
    sign_in(page, NEW)
    expect(page.get_by_text("The email or the password is wrong.")).to_be_visible(timeout=PATIENT_MS)
