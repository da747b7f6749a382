"""Tests one draft on two devices. Both devices show it, and neither overwrites a change that it has not seen."""

import json
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.pages import SLUG, sign_up, write

pytestmark = pytest.mark.docker
WRITES = ("clipboard-read", "clipboard-write")
PATH = f"/challenges/{SLUG}"


def device(open_page: Callable[..., Page], account: dict[str, str]) -> Page:
    """Open the challenge in a new browser profile that is signed in to this account."""
    page = open_page("/", permissions=list(WRITES))
    asked = page.context.request
    if not asked.post("/api/accounts", data=account).ok:
        known = {name: account[name] for name in ("email", "password")}
        assert asked.post("/api/session", data=known).ok
    page.goto(PATH)
    expect(page.locator(".cm-content").first).to_be_visible()
    return page


def saved(page: Page) -> None:
    expect(page.get_by_text("saved", exact=True)).to_be_visible()


def test_two_devices_keep_one_draft(open_page: Callable[..., Page]) -> None:
    account = {"email": f"{uuid.uuid4().hex}@example.org", "name": "Ada", "password": "a good long one"}
    laptop = device(open_page, account)
    write(laptop, "first = 1\n")
    saved(laptop)
    phone = device(open_page, account)
    expect(phone.locator(".cm-content").first).to_contain_text("first = 1")
    # The text is edited on the phone while it is offline, and at the same time on the laptop.
    phone.context.set_offline(True)
    write(phone, "first = 1\nphone = 3\n")
    expect(phone.get_by_text("offline, saved in this browser")).to_be_visible()
    write(laptop, "first = 1\nlaptop = 2\n")
    saved(laptop)
    phone.context.set_offline(False)
    dialog = phone.get_by_role("dialog", name="This draft was changed in another tab or on another device")
    expect(dialog.get_by_text("laptop = 2")).to_be_visible()
    expect(dialog.get_by_text("phone = 3")).to_be_visible()
    dialog.get_by_role("button", name="Use the other version").click()
    expect(phone.locator(".cm-content").first).to_contain_text("laptop = 2")
    # One undo brings back the phone's own text, which is then saved as the draft.
    phone.locator(".cm-content").first.click()
    phone.keyboard.press("Control+z")
    expect(phone.locator(".cm-content").first).to_contain_text("phone = 3")
    saved(phone)
    laptop.reload()
    expect(laptop.locator(".cm-content").first).to_contain_text("phone = 3")


def test_what_is_written_offline_and_reloaded_is_still_there(open_page: Callable[..., Page]) -> None:
    page = open_page(PATH, permissions=list(WRITES))
    page.get_by_role("tab", name="Hints").click()
    write(page, "unsaved = True\n")
    expect(page.get_by_text("saved in this browser", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator(".cm-content").first).to_contain_text("unsaved = True")
    page.goto(f"/sign-in?new=1&then={PATH}")
    sign_up(page, f"N{uuid.uuid4().hex[:8]}")
    page.wait_for_url(f"**{PATH}")
    saved(page)
    kept = page.context.request.get(f"/api/drafts/{SLUG}").json()
    assert kept["source"] == "unsaved = True\n"


def test_nothing_of_another_person_or_of_the_solution_comes_with_the_page(open_page: Callable[..., Page]) -> None:
    secret = f"secret = '{uuid.uuid4().hex}'\n"
    owner = device(
        open_page, {"email": f"{uuid.uuid4().hex}@example.org", "name": "Ada", "password": "a good long one"}
    )
    write(owner, secret)
    saved(owner)
    bodies: list[str] = []

    def kept(route: Route) -> None:
        answer = route.fetch()
        bodies.append(answer.text())
        route.fulfill(response=answer)

    other = open_page("/")
    other.route("**/api/**", kept)
    for tab in ("statement", "hints", "samples", "history", "editorial"):
        other.goto(f"{PATH}?tab={tab}", wait_until="networkidle")
    assert len(bodies) > 4
    told = json.dumps(bodies)
    assert secret.strip() not in told
    assert "Why this formula" not in told, "the editorial"
    assert "masked_fill" not in told, "the reference"
