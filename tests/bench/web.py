"""Measures how soon a page can be used, and how long a script needs from sign-up to an accepted answer.

Run it with `python -m tests.bench.web`. Exits with 1 if a page is above its goal (GOALS).

Each page is loaded in a fresh browser profile with an empty cache, on this machine. Its time is from the request until its main
element (USABLE) is visible. LCP is the largest contentful paint, as the browser reports it. The size is what was sent over the
network for the page and everything it loads. A long task keeps the page from reacting to input.
"""

import json
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

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
# The goals: the LCP in seconds and the size in kB. They hold on a quiet machine with two cores.
GOALS = {"/": (0.8, 300.0), f"/challenges/{SLUG}": (1.3, 450.0)}
LONGEST_TASK_MS = 150.0
OBSERVE = """
window.paints = []; window.tasks = [0];
new PerformanceObserver((list) => window.paints.push(...list.getEntries().map((e) => e.startTime)))
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => e.duration)))
  .observe({ type: "longtask", buffered: true });
"""
SENT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, entry) => sum + entry.transferSize, 0)"""


@dataclass(frozen=True)
class Load:
    """One load of a page: seconds until it can be used, LCP in seconds, size in kB, and its longest task in ms."""

    usable_s: float
    lcp_s: float
    sent_kb: float
    longest_task_ms: float


def cold(browser: Browser, url: str, path: str) -> Load:
    """Load a page in a fresh profile."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    began = time.perf_counter()
    page.goto(path, wait_until="commit")
    page.locator(USABLE[path]).first.wait_for()
    took = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    paint, task = page.evaluate("[window.paints.at(-1) ?? 0, Math.max(...window.tasks)]")
    sent = page.evaluate(SENT)
    context.close()
    return Load(took, paint / 1000, sent / 1000, task)


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
    found: dict[str, dict[str, float]] = {}
    missed = []
    table = Table("page", "usable", "slowest", "LCP", "goal", "size", "goal", "longest task")
    with tempfile.TemporaryDirectory() as folder, service(Path(folder) / "data") as live, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        for path in USABLE:
            loads = [cold(browser, live.url, path) for _ in range(TIMES)]
            figures = {name: median(getattr(load, name) for load in loads) for name in vars(loads[0])}
            figures["max_s"] = max(load.usable_s for load in loads)
            found[path] = figures
            lcp, size = GOALS.get(path, (math.inf, math.inf))
            if figures["lcp_s"] > lcp or figures["sent_kb"] > size or figures["longest_task_ms"] > LONGEST_TASK_MS:
                missed.append(path)
            table.add_row(
                path,
                f"{figures['usable_s']:.2f} s",
                f"{figures['max_s']:.2f} s",
                f"{figures['lcp_s']:.2f} s",
                f"{lcp} s" if path in GOALS else "",
                f"{figures['sent_kb']:.0f} kB",
                f"{size:.0f} kB" if path in GOALS else "",
                f"{figures['longest_task_ms']:.0f} ms",
            )
        first = first_minutes(browser, live.url)
        found["first accepted answer"] = {"seconds": first}
        browser.close()
    console = Console()
    console.print(table)
    console.print(f"from the home page to an accepted answer: {first:.1f} s, once")
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(found, indent=1))
    if missed:
        console.print(f"above its goal: {', '.join(missed)}")
        raise SystemExit(1)


if __name__ == "__main__":
    main()
