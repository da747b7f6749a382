"""Tests the tab "Your own input": a candidate runs the answer and the reference on an input of their own, and reads how the two
results compare.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import SLUG, faults, make_account, write

pytestmark = pytest.mark.docker
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 780}
ALL_LEFT = "10 of 10 left this hour"
COMPARE = "Compare with the reference"


def opened(open_page: Callable[..., Page], **options: object) -> Page:
    """Open the challenge with a new account."""
    page = open_page("/", bypass_csp=True, permissions=["clipboard-read", "clipboard-write"], **options)
    make_account(page, "Own")
    page.goto(f"/challenges/{SLUG}")
    return page


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Your own input")


def fill(page: Page, text: str) -> None:
    """Replace the input by pasting."""
    panel(page).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def compare(page: Page, said: str | re.Pattern[str]) -> None:
    """Compare, and wait until the result says this."""
    panel(page).get_by_role("button", name=COMPARE).click()
    expect(page.get_by_role("region", name="Result of your input")).to_contain_text(said)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_input_of_ones_own_is_compared_with_the_reference(
    open_page: Callable[..., Page], answers: Path, scheme: str
) -> None:
    page = opened(open_page, color_scheme=scheme, viewport=DESKTOP)
    write(page, sorted((answers / "accepted").glob("*.py"))[1].read_text())
    page.get_by_role("tab", name="Your own input").click()
    # The input begins as an example from the sample tests, and can be used as it is.
    expect(panel(page).locator(".cm-content")).to_contain_text("attention(")
    expect(panel(page)).to_contain_text(ALL_LEFT)
    assert faults(page) == []
    compare(page, re.compile(r"Shape \[1, 2\], float32: matches the reference, largest difference"))
    expect(panel(page)).to_contain_text("9 of 10 left this hour")
    assert faults(page) == []
    fill(page, "q = torch.randn(2, 3, 4)\nprint('built')\nattention(q, q, q[..., :2])")
    compare(page, re.compile(r"Shape \[2, 3, 2\], float32: matches the reference"))
    expect(page.get_by_role("region", name="Result of your input")).to_contain_text("built")
    fill(page, "q = torch.randn(2, 3, 4)\nattention(q, q)")
    compare(page, re.compile("Both your answer and the reference raise TypeError"))
    fill(page, "q = torch.randn(2, 3, 4)\nattention(q, q, v)")
    compare(page, "Line 2 of your input: NameError: name 'v' is not defined")
    expect(panel(page)).to_contain_text("6 of 10 left this hour")
    # A wrong answer: the sentence says how far off it is, and nothing of the reference is shown.
    page.reload()
    write(
        page,
        "def attention(q, k, v, mask=None):\n    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])\n",
    )
    page.get_by_role("tab", name="Your own input").click()
    panel(page).get_by_label("Insert an example").select_option("attention")
    compare(page, re.compile(r"differs from the reference, largest difference \d"))
    assert faults(page) == []
    # The list of submissions keeps the inputs apart from answers.
    page.goto("/submissions")
    expect(page.get_by_text("Differs (own input)")).to_be_visible()
    expect(page.get_by_text("Matches (own input)").first).to_be_visible()


def test_on_a_phone(open_page: Callable[..., Page], answers: Path) -> None:
    page = opened(open_page, viewport=PHONE, has_touch=True)
    page.get_by_role("button", name="Results").click()
    page.get_by_role("tab", name="Your own input").click()
    fill(page, "attention(torch.ones(1, 2), torch.ones(3, 2), torch.ones(3, 1))")
    panel(page).get_by_role("button", name=COMPARE).click()
    # The starter returns nothing.
    expect(page.get_by_role("region", name="Result of your input")).to_contain_text("the reference")
    assert faults(page) == []


def test_the_eleventh_input_of_an_hour_waits(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, viewport=DESKTOP)
    sent = 0
    while sent < 10:
        body = {"source": "def attention(q, k, v, mask=None): return q\n", "input": f"attention({sent}, 1, 1)"}
        # 429 is answered too while many of the account's submissions are not judged yet.
        sent += page.context.request.post(f"/api/challenges/{SLUG}/own-inputs", data=body).status == 201
        page.wait_for_timeout(300)
    page.reload()
    page.get_by_role("tab", name="Your own input").click()
    expect(panel(page)).to_contain_text(re.compile(r"All 10 inputs of this hour are used\. Next one at \d"))
    expect(panel(page).get_by_role("button", name=COMPARE)).to_be_disabled()
    body = {"source": "x = 1", "input": "attention(1, 1, 1)"}
    for _ in range(100):
        refused = page.context.request.post(f"/api/challenges/{SLUG}/own-inputs", data=body)
        if "not judged yet" not in refused.json()["message"]:
            break
        page.wait_for_timeout(300)
    assert refused.status == 429
    assert "The next one is accepted from" in refused.json()["message"]


def test_a_guest_is_asked_to_sign_up_and_other_challenges_do_not_offer_it(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/challenges/{SLUG}", viewport=DESKTOP, bypass_csp=True)
    assert page.context.request.post("/api/guest").status in (200, 201)
    page.reload()
    page.get_by_role("tab", name="Your own input").click()
    expect(panel(page).get_by_role("link", name="Create an account")).to_be_visible()
    expect(panel(page).get_by_role("button", name=COMPARE)).to_be_disabled()
    assert faults(page) == []
    page.goto("/challenges/training-loop")
    expect(page.get_by_role("tab", name="Try it")).to_be_visible()
    expect(page.get_by_role("tab", name="Your own input")).to_have_count(0)
