"""The site in a real browser, against the real stack: a new person's first minutes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.live import Live

pytestmark = pytest.mark.docker
SLUG = "scaled-dot-product-attention"
TOPIC = "conv2d-shapes-and-maths"
CHROMIUM = "/usr/bin/chromium"
QUIETLY = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
QUIETLY += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
PATIENT_MS = 60_000
AXE = Path(__file__).resolve().parents[2] / "frontend" / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "/",
    "/catalogue",
    "/catalogue?view=topics",
    f"/topics/{TOPIC}",
    f"/challenges/{SLUG}",
    "/tracks",
    "/sign-in",
    "/nowhere",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Browser, live: Live) -> Iterator[Callable[..., Page]]:
    """Opens pages of the site, each in a fresh profile; a page that raises an error fails the test."""
    raised: list[str] = []
    contexts = []

    def open_page(path: str, **options: object) -> Page:
        contexts.append(browser.new_context(base_url=live.url, **options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENT_MS)
        page.on("pageerror", lambda error: raised.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert raised == []


def write(page: Page, text: str) -> None:
    """Put a text in place of what is in the editor, as somebody who pastes it."""
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def sign_up(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail").fill(f"{name.lower()}@example.org")
    page.get_by_label(re.compile("^Password")).first.fill("a good long one")
    page.get_by_role("button", name="Make the account").click()


def test_a_new_person_gets_from_the_home_page_to_an_accepted_answer(
    open_page: Callable[..., Page], live: Live, answers: Path
) -> None:
    page = open_page("/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Start with attention").click()
    expect(page.get_by_role("heading", name="Scaled dot-product attention")).to_be_visible(timeout=PATIENT_MS)
    write(page, (answers / "wa" / "no-scale.py").read_text())
    # As a guest: no wall before the first verdict.
    page.get_by_role("button", name="Run samples").click()
    answer = page.get_by_role("region", name="Your answer")
    expect(answer.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("largest error").first).to_be_visible()
    page.locator("header").get_by_role("link", name="Make an account").click()
    sign_up(page, "Newcomer")
    # Back at the challenge: what was written and what was sent are there.
    page.wait_for_url(f"**/challenges/{SLUG}")
    expect(page.locator(".cm-content")).to_contain_text("def attention", timeout=PATIENT_MS)
    page.get_by_role("tab", name="My answers").click()
    expect(page.get_by_role("cell", name="Wrong answer (samples)")).to_be_visible()
    write(page, (answers / "accepted" / "a-reference.py").read_text())
    page.keyboard.press("Control+Enter")
    expect(answer.get_by_text("Accepted", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_text("Well done. Next:")).to_be_visible()
    expect(page.get_by_role("cell", name="Accepted")).to_be_visible()


def test_a_quiz_is_marked_with_its_reasons_and_no_key_comes_before(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/topics/{TOPIC}/quiz")
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/api/attempts/" in answer.url else None)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Question 1 of")).to_be_visible(timeout=PATIENT_MS)
    expect(page.get_by_role("button", name="Answer")).to_be_visible()
    assert all('"explanation"' not in body for body in bodies)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("/", color_scheme=scheme, bypass_csp=True)
    found = {}
    for path in PAGES:
        page.goto(path, wait_until="networkidle")
        page.add_script_tag(path=str(AXE))
        violations = page.evaluate("async () => (await axe.run(document)).violations")
        found[path] = [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in violations]
    assert {path: told for path, told in found.items() if told} == {}


def test_a_phone_shows_pages_without_sideways_scrolling(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport={"width": 390, "height": 844})
    for path in PAGES:
        page.goto(path, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
