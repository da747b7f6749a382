"""Tests that former faults in the site's appearance do not return. They were in links, panels, lists and the header, which must
stay in place.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import AXE, CHROMIUM, QUIETLY, SETTLED, SLUG, TOPIC, make_account
from tests.live import Live

pytestmark = pytest.mark.docker
STYLE = "(element, name) => getComputedStyle(element)[name]"
THEMED = """() => {
  const probe = document.createElement('span')
  probe.style.color = 'var(--g-link)'
  document.body.append(probe)
  return getComputedStyle(probe).color
}"""
# The contrast of the text of each button that has a background of its own. Axe reports no text that has exactly the colour of its
# background, because such text can be hidden on purpose.
CONTRASTS = """() => {
  const { Color, getContrast } = axe.commons.color
  const colour = (element, name) => {
    const read = new Color()
    read.parseString(getComputedStyle(element)[name])
    return read
  }
  const buttons = [...document.querySelectorAll('.mantine-Button-root:not(:disabled, [data-disabled])')]
  return buttons
    .filter(each => each.checkVisibility() && colour(each, 'backgroundColor').alpha === 1)
    .map(each => [each.innerText, getContrast(colour(each, 'backgroundColor'), colour(each, 'color'))])
}"""
LEAST_CONTRAST = 4.5


@pytest.fixture
def with_scroll_bars(browser: Browser, live: Live) -> Iterator[Page]:
    """A page in a browser whose scroll bars take up space, as on most desktops."""
    opened = browser.browser_type.launch(
        executable_path=CHROMIUM, args=QUIETLY, ignore_default_args=["--hide-scrollbars"]
    )
    yield opened.new_page(base_url=live.url)
    opened.close()


def test_the_header_stays_in_its_place(with_scroll_bars: Page) -> None:
    page = with_scroll_bars
    places = set()
    for path in ("/", f"/challenges/{SLUG}", "/nowhere"):
        page.goto(path, wait_until="networkidle")
        places.add(page.locator("header").first.evaluate("header => header.lastElementChild.clientWidth"))
    page.goto("/", wait_until="networkidle")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    places.add(page.locator("header").first.evaluate("header => header.lastElementChild.clientWidth"))
    assert len(places) == 1, places


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_without_a_class_have_the_colour_of_the_site(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("/", color_scheme=scheme)
    for link in ("All easy challenges", "Skip to content"):
        assert page.get_by_role("link", name=link).evaluate(STYLE, "color") == page.evaluate(THEMED), link


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_of_buttons_differs_from_their_background(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page("/", color_scheme=scheme, bypass_csp=True)
    contrasts: list[tuple[str, float]] = []
    for path in ("/", "/catalogue", f"/challenges/{SLUG}", f"/topics/{TOPIC}", "/leaderboard", "/sign-in"):
        page.goto(path, wait_until="networkidle")
        page.add_script_tag(path=str(AXE))
        page.evaluate(SETTLED)
        contrasts += page.evaluate(CONTRASTS)
    # A link, buttons of a form, and the buttons of the editor.
    assert {"Start with attention", "Submit", "Sign in"} <= {text for text, _ in contrasts}
    assert [each for each in contrasts if each[1] < LEAST_CONTRAST] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_find_panel_is_of_the_site(open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page(f"/challenges/{SLUG}", color_scheme=scheme)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    button = page.get_by_role("button", name="Replace all")
    assert button.evaluate(STYLE, "backgroundImage") == "none"
    assert button.evaluate(STYLE, "borderRadius") == "6px"


def test_submissions_are_listed_by_title_and_a_try_has_no_points(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    make_account(page, "Lister")
    sent = page.context.request.post("/api/scratch", data={"slug": SLUG, "source": "x = 1", "snippet": "print(x)"})
    assert sent.status == 201, sent.text()
    page.goto("/submissions")
    expect(page.get_by_role("link", name="Scaled dot-product attention")).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile(r"\(snippet\)$"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"\d%"))).to_have_count(0)


def test_the_legend_of_the_solved_map_names_each_colour(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    make_account(page, "Mapper")
    own = page.context.request.get("/api/me").json()["id"]
    page.goto(f"/people/{own}")
    for words in ("easy (green)", "medium (amber)", "hard (red)"):
        expect(page.get_by_text(words)).to_be_visible()
    solved = page.get_by_text("✓").first
    assert solved.get_attribute("data-level") is None, "solved has no colour of its own"
