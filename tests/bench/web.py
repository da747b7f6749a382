"""Measures how soon a page can be used, and how long a script needs from sign-up to an accepted answer.

Run it with `python -m tests.bench.web`.

Each page is loaded in a fresh browser profile with an empty cache, on this machine. Its time is from the request until its main
element (USABLE) is visible.
"""

import json
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.e2e.newcomer import ALLOWED, get_accepted
from tests.e2e.pages import CHROMIUM, QUIETLY, SLUG
from tests.live import ROOT, service

OUT = ROOT / "var" / "bench" / "web.json"
TIMES = 7
# These elements are what users need first on each page.
USABLE = {
    "/": "a[href='/challenges/scaled-dot-product-attention']",
    "/catalogue": "main a[href^='/challenges/']",
    f"/challenges/{SLUG}": ".cm-content",
}


def cold(browser: Browser, url: str, path: str) -> tuple[float, float]:
    """Load a page in a fresh profile. Return the seconds until it can be used, and the kilobytes of scripts that it loaded."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    began = time.perf_counter()
    page.goto(path, wait_until="commit")
    page.locator(USABLE[path]).first.wait_for()
    took = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    script = "performance.getEntriesByType('resource').filter(r => r.name.endsWith('.js')).map(r => r.encodedBodySize)"
    size = sum(page.evaluate(script)) / 1024
    context.close()
    return took, size


def first_minutes(browser: Browser, url: str) -> float:
    """Open the home page, sign up, and get an answer accepted. Return the seconds that this takes."""
    context = browser.new_context(base_url=url, permissions=ALLOWED)
    page = context.new_page()
    began = time.perf_counter()
    page.goto("/")
    get_accepted(page, ROOT / "challenges" / "architectures" / SLUG / "submissions", "Newcomer")
    took = time.perf_counter() - began
    context.close()
    return took


def main() -> None:
    """Measure each page, and the time from sign-up to a first accepted answer. Print a table and write var/bench/web.json."""
    found = {}
    table = Table("page", "usable, median", "slowest", "scripts")
    with tempfile.TemporaryDirectory() as folder, service(Path(folder) / "data") as live, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        for path in USABLE:
            runs = [cold(browser, live.url, path) for _ in range(TIMES)]
            seconds, size = [took for took, _ in runs], runs[0][1]
            found[path] = {"median_s": statistics.median(seconds), "max_s": max(seconds), "scripts_kb": size}
            table.add_row(path, f"{statistics.median(seconds):.2f} s", f"{max(seconds):.2f} s", f"{size:.0f} kB")
        first = first_minutes(browser, live.url)
        found["first accepted answer"] = {"seconds": first}
        table.add_row("home to accepted, once", f"{first:.1f} s", "", "")
        browser.close()
    Console().print(table)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
