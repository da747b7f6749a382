"""Tests that hostile titles, statements, names, code and output are shown as plain text, on every page that contains them."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.api.challenge_folders import write_challenge
from tests.e2e.pages import PATIENT_MS, write
from tests.live import Live, service

pytestmark = pytest.mark.docker
TRAP = "<img src=x onerror=window.hacked=1>"
STATEMENT = f"""{TRAP} <script>window.hacked = 2</script> <svg onload=window.hacked=3></svg>

[a link](javascript:window.hacked=4) [another](data:text/html,<script>window.hacked=5</script>) ![x](x" onerror="window.hacked=6)

<iframe srcdoc="<script>parent.hacked=7</script>"></iframe> <form action=/api/session method=post><button>Sign in</button></form>
<a href="/sign-in" target="_blank" style="position:fixed;inset:0">everywhere</a>

$$\\href{{javascript:window.hacked=8}}{{x}} \\htmlData{{a=b}}{{y}} \\includegraphics{{x}}$$

```html
{TRAP}
```
"""
ANSWER = f"""print({TRAP!r})
def add_one(x):
    print("\\x1b[31m{TRAP}")
    raise ValueError({TRAP!r})
"""


@pytest.fixture
def hostile(grader_image: str, tmp_path: Path) -> Iterator[Live]:
    """A service whose only challenge has hostile text in every place where an author can write text."""
    folder = write_challenge(tmp_path / "challenges", title=json.dumps(TRAP)[1:-1], topic=json.dumps(TRAP)[1:-1])
    (folder / "statement.md").write_text(STATEMENT)
    (folder / "starter.py").write_text(f"# {TRAP}\n</textarea><script>window.hacked = 9</script>\n")
    options = {"node_slots": "1", "node_image": grader_image}
    with service(tmp_path / "data", challenges=tmp_path / "challenges", **options) as running:
        yield running


def test_hostile_texts_stay_text(browser: Browser, hostile: Live) -> None:
    context = browser.new_context(base_url=hostile.url, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PATIENT_MS)
    asked: list[str] = []

    def asks(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", asks)
    account = {"email": f"{uuid.uuid4().hex}@example.org", "name": TRAP, "password": "a good long one"}
    made = context.request.post("/api/accounts", data=account)
    assert made.status == 201, made.text()
    for path in ("/", "/catalogue", "/search?q=img", "/account"):
        page.goto(path, wait_until="networkidle")
        expect(page.get_by_text(TRAP).first).to_be_visible()
        _nothing_ran(page)
    page.goto("/challenges/add-one", wait_until="networkidle")
    expect(page.get_by_role("heading", name=TRAP)).to_be_visible()
    _nothing_ran(page)
    links = page.locator("main a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert [link for link in links if link and not link.startswith(("/", "#"))] == []
    assert page.locator("main iframe, main form, main script, main [onerror], main [onload]").count() == 0
    write(page, ANSWER)
    page.get_by_role("button", name="Run samples").click()
    region = page.get_by_role("region", name="Your answer")
    expect(region.get_by_text("Runtime error", exact=True)).to_be_visible(timeout=PATIENT_MS)
    expect(region.get_by_text(TRAP).first).to_be_visible()
    _nothing_ran(page)
    page.goto("/submissions", wait_until="networkidle")
    _nothing_ran(page)
    assert asked == []
    context.close()


def _nothing_ran(page: Page) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0
