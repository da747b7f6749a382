"""Tests what the page shows when the connection, the node or the service is lost during a judging and comes back. Nothing
may be lost.
"""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import ALL_TESTS, PATIENT_MS, SLUG, make_account, write
from tests.live import Live, launch, service

pytestmark = pytest.mark.docker
WRITES = ["clipboard-read", "clipboard-write"]
# This code is appended to a right answer, and makes it slow enough to be interrupted. The answer sleeps most of the time.
SLOW = """
import time
_right = attention
def attention(*args, **named):
    time.sleep(0.05)
    return _right(*args, **named)
"""
LOST = "The connection was lost. Reconnecting."


@pytest.fixture
def own(grader_image: str, tmp_path: Path) -> Iterator[Live]:
    """A service that is started for each test, so that the test can kill its node."""
    with service(tmp_path, node_slots="1", node_image=grader_image, lease_s="6", sweep_s="0.5") as running:
        yield running


@pytest.fixture
def page_of(browser: Browser) -> Iterator[Callable[[Live], Page]]:
    """A function that opens the page of the challenge on a service, signed in to a new account."""
    contexts = []

    def page_of(live: Live) -> Page:
        contexts.append(browser.new_context(base_url=live.url, permissions=WRITES))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENT_MS)
        page.goto("/")
        make_account(page, "Connie")
        page.goto(f"/challenges/{SLUG}")
        return page

    yield page_of
    for context in contexts:
        context.close()


def begin(page: Page, answers: Path) -> None:
    """Send a slow right answer, and wait until its first tests have ended."""
    write(page, (answers / "accepted" / "a-reference.py").read_text() + SLOW)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[class*=good]").first).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("Judging", exact=True)).to_be_visible()


def accepted(page: Page) -> None:
    region = page.get_by_role("region", name="Your answer")
    expect(region.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(region.get_by_text(ALL_TESTS)).to_be_visible()
    expect(page.get_by_text(LOST)).not_to_be_visible()


def test_connection_lost_in_the_middle_of_a_judging(own: Live, page_of: Callable[[Live], Page], answers: Path) -> None:
    page = page_of(own)
    begin(page, answers)
    page.context.set_offline(True)
    expect(page.get_by_text(LOST)).to_be_visible()
    page.context.set_offline(False)
    accepted(page)


def test_node_killed_in_the_middle_of_a_judging(own: Live, page_of: Callable[[Live], Page], answers: Path) -> None:
    page = page_of(own)
    begin(page, answers)
    os.kill(own.node_pid(), signal.SIGKILL)
    # The submission waits for a node, and is judged once there is one. The page can be reloaded in the meantime.
    expect(page.get_by_text("Waiting for a machine")).to_be_visible(timeout=PATIENT_MS)
    page.reload()
    accepted(page)


def test_service_restarted_in_the_middle_of_a_judging(
    grader_image: str, tmp_path: Path, page_of: Callable[[Live], Page], answers: Path
) -> None:
    settings: dict[str, Any] = {"node_slots": "1", "node_image": grader_image, "lease_s": "6", "sweep_s": "0.5"}
    first = launch(tmp_path, **settings)
    try:
        first.wait_until_ready()
        page = page_of(first)
        begin(page, answers)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        expect(page.get_by_text(LOST)).to_be_visible()
    finally:
        first.stop()
    second = launch(tmp_path, port=int(first.url.rpartition(":")[2]), **settings)
    try:
        accepted(page)
    finally:
        second.stop()


def test_a_page_that_was_opened_offline_keeps_its_header_and_opens_when_the_connection_is_back(
    live: Live, page_of: Callable[[Live], Page]
) -> None:
    page = page_of(live)
    expect(page.locator(".cm-content")).to_be_visible()
    page.context.set_offline(True)
    page.locator("header").get_by_role("link", name="Catalogue").click()
    expect(page.get_by_role("heading", name="This page could not be loaded")).to_be_visible()
    expect(page.locator("header").get_by_role("link", name="Tracks")).to_be_visible()
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Catalogue", level=1)).to_be_visible()
