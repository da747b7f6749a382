"""Tests a challenge that is judged on CPUs and on GPUs. The user chooses the device. If there is no GPU, the page says so, and
nothing is lost.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.api.challenge_folders import write_challenge, write_for_both
from tests.e2e.pages import PATIENT_MS, faults, make_account, write
from tests.live import Live, service

RIGHT = "def add_one(x):\n    return x + 1\n"
WRITES = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Live]:
    """A service without a GPU, with a challenge for CPUs and GPUs and one for CPUs only."""
    challenges = tmp_path / "challenges"
    write_challenge(challenges)
    write_for_both(challenges)
    with service(tmp_path / "data", challenges=challenges, node_slots="1", node_cells="process") as running:
        yield running


def test_a_device_is_chosen_and_a_missing_gpu_is_told(browser: Browser, both: Live) -> None:
    context = browser.new_context(base_url=both.url, permissions=WRITES, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(PATIENT_MS)
    page.goto("/")
    make_account(page, "Gita")
    page.goto("/challenges/add-one")
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    expect(page.get_by_role("radiogroup", name="Device")).to_have_count(0)

    page.goto("/challenges/on-both")
    choice = page.get_by_role("radiogroup", name="Device")
    expect(choice.get_by_role("radio", name="CPU")).to_be_checked()
    assert faults(page) == []
    write(page, RIGHT)
    choice.get_by_text("GPU").click()
    page.get_by_role("button", name="Submit").click()
    region = page.get_by_role("region", name="Your answer")
    expect(region.get_by_text("Waiting for a machine")).to_be_visible()
    waiting = region.get_by_text("No machine with a GPU is available right now. Your code is saved", exact=False)
    expect(waiting).to_be_visible()
    region.get_by_role("button", name="Cancel").click()
    choice.get_by_text("CPU").click()
    page.get_by_role("button", name="Submit").click()
    expect(region.get_by_text("Accepted", exact=True)).to_be_visible()
    expect(region.get_by_text("on a GPU")).to_have_count(0)
    context.close()
