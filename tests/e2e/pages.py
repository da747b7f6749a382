"""Contains helpers for tests of the site: lists of its pages, actions on a page, and checks of a page's width and accessibility
(with axe).
"""

import re
import uuid
from pathlib import Path

import httpx
from playwright.sync_api import Page

from tests.live import Live

SLUG = "scaled-dot-product-attention"
TOPIC = "conv2d-shapes-and-maths"
TRACK = "fundamentals"
# Matches the count of tests of an accepted answer, for example “7 of 7 tests”.
ALL_TESTS = re.compile(r"(\d+) of \1 tests")
PATIENT_MS = 60_000
PASSWORD = "a good long one"
CHROMIUM = "/usr/bin/chromium"
QUIETLY = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
QUIETLY += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
# This script waits for animations to end, because colours that fade from one colour scheme to the other have a wrong contrast
# for a moment. Animations without end, such as loaders, are left out, and those that follow a scroll position instead of time.
SETTLED = """async () => {
  await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const timed = document.getAnimations().filter(each => each.timeline instanceof DocumentTimeline)
  const ending = timed.filter(each => each.effect.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(each => each.finished))
}"""
# The widths that every examined page must fit: a desktop, a tablet, a phone, and the smallest phone (or a zoom of 400 %).
WIDTHS = (1440, 768, 390, 320)
AXE = Path(__file__).resolve().parents[2] / "frontend" / "web" / "node_modules" / "axe-core" / "axe.min.js"
# What axe checks in the page's own colour scheme, and in the other one.
OWN_SCHEME: dict[str, object] = {"resultTypes": ["violations"]}
OTHER_SCHEME = {"runOnly": ["color-contrast"], **OWN_SCHEME}
# These pages are public. Axe checks each in both colour schemes, and each must fit on a phone.
PAGES = [
    "/",
    "/catalogue",
    "/catalogue?view=topics",
    f"/topics/{TOPIC}",
    f"/topics/{TOPIC}/quiz",
    f"/challenges/{SLUG}",
    "/search?q=attention",
    "/tracks",
    f"/tracks/{TRACK}",
    "/cards",
    "/interview",
    "/leaderboard",
    "/weekly",
    "/suggest",
    "/my-reports",
    "/sign-in",
    "/reset",
    "/verify",
    "/nowhere",
]
# These pages show the data of one person, and are opened with an account. The checks of PAGES apply to them too.
OWN_PAGES = [
    "/",
    "/submissions",
    "/account",
    "/cards",
    "/interview",
    "/suggest",
    "/my-reports",
]


def write(page: Page, text: str) -> None:
    """Replace the text in the editor by pasting."""
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def sign_up(page: Page, name: str) -> None:
    """Fill in the form for a new account, and send it."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Email").fill(f"{name.lower()}@example.org")
    page.get_by_label(re.compile("^Password")).first.fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()


def make_account(page: Page, name: str) -> None:
    """Create an account through the API, which signs in the browser profile of the page."""
    account = {"email": f"{uuid.uuid4().hex[:12]}@example.org", "name": name, "password": PASSWORD}
    made = page.context.request.post("/api/accounts", data=account)
    assert made.status == 201, made.text()


def register(live: Live, name: str) -> str:
    """Create an account. Return its email address; its password is PASSWORD."""
    email = f"{uuid.uuid4().hex[:10]}@example.org"
    body = {"email": email, "name": name, "password": PASSWORD}
    assert httpx.post(f"{live.url}/api/accounts", json=body, timeout=30).status_code == 201
    return email


def enter(page: Page, email: str, then: str) -> None:
    """Sign in with PASSWORD, and go on to the page `then`."""
    page.goto(f"/sign-in?then={then}")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"**{then}")


def sign_in_as(page: Page, http: httpx.Client) -> None:
    """Sign in on a page with the session of an API client."""
    url = str(http.base_url)
    page.context.add_cookies([{"name": name, "value": value, "url": url} for name, value in http.cookies.items()])


def overflows(page: Page) -> bool:
    """Return whether the content is wider than the page. Space that is reserved for a scroll bar does not count as part of the
    page.
    """
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide


def faults(page: Page) -> list[tuple[str, list[str]]]:
    """Return what is wrong with a page as it is now: the names of the rules that it breaks in the light or the dark colour
    scheme, each with the first elements that break it (axe), and the widths at which its content is wider than the screen. The
    page must have been opened with `bypass_csp`. Its size and colour scheme are as before afterwards.
    """
    page.add_script_tag(path=str(AXE))
    dark = bool(page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
    found = []
    for scheme in ("light", "dark") if dark else ("dark", "light"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.evaluate(SETTLED)
        # Only the contrast depends on the scheme, so the other rules are checked once, in the page's own scheme.
        rules = OWN_SCHEME if dark == (scheme == "dark") else OTHER_SCHEME
        violations = page.evaluate("async rules => (await axe.run(document, rules)).violations", rules)
        found += [
            (f"{each['id']} ({scheme})", [node["html"][:160] for node in each["nodes"][:3]]) for each in violations
        ]
    if wide := _widths_that_overflow(page):
        found.append(("wider than the screen", wide))
    return found


def _widths_that_overflow(page: Page) -> list[str]:
    size = page.viewport_size
    assert size is not None
    wide = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": size["height"]})
        page.evaluate(SETTLED)
        if overflows(page):
            wide.append(f"{width} px")
    page.set_viewport_size(size)
    page.evaluate(SETTLED)
    return wide
