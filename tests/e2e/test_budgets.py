"""Tests that the scripts of the first load stay below a size limit, and that layout shifts stay small while a page loads."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.pages import SLUG
from tests.live import ROOT, Live

DIST = ROOT / "frontend" / "web" / "dist"
FIRST_LOAD_KB = 300
SHIFT = 0.05
# This script records every layout shift, except those within half a second of a key press or click.
WATCH = """
window.shifts = []
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      window.shifts.push([entry.value, ...entry.sources.map(each => each.node?.outerHTML?.slice(0, 160) ?? '?')])
}).observe({ type: 'layout-shift', buffered: true })
"""


def test_first_load_is_small_and_leaves_the_editor_out() -> None:
    page = (DIST / "index.html").read_text()
    scripts = re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page)
    assert scripts
    sizes = {name: len(gzip.compress((DIST / name).read_bytes())) / 1024 for name in scripts}
    assert sum(sizes.values()) <= FIRST_LOAD_KB, json.dumps(sizes, indent=1)
    assert not [name for name in scripts if "Editor" in name or "Rendered" in name]


@pytest.mark.docker
@pytest.mark.parametrize("path", ["/", "/catalogue", f"/challenges/{SLUG}"])
@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_jumps_while_a_page_comes(
    open_page: Callable[..., Page], live: Live, path: str, width: int, tmp_path: Path
) -> None:
    page = open_page("/nowhere", viewport={"width": width, "height": 850})
    page.add_init_script(WATCH)
    page.goto(path, wait_until="networkidle")
    page.wait_for_timeout(500)
    shifts = page.evaluate("window.shifts")
    assert sum(shift[0] for shift in shifts) <= SHIFT, json.dumps(shifts, indent=1)
