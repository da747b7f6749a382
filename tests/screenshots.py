"""`make screenshots`: pictures of the main pages, from a service of their own with people who really solve and fail.

Every page of PAGES at the widths of SIZES in both schemes goes to var/screenshots; what the README shows goes to
docs/screenshots, each at most MOST_KB. A page that is new is one line in PAGES.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.e2e.pages import CHROMIUM, PATIENT_MS, QUIETLY, SLUG, TOPIC, TRACK, write
from tests.live import ROOT, Candidate, Live, service

ALL, SHOWN = ROOT / "var" / "screenshots", ROOT / "docs" / "screenshots"
SIZES = {1440: 900, 390: 844}
SCHEMES = ("light", "dark")
MOST_KB = 250
ANSWERS = ROOT / "challenges" / "architectures" / SLUG / "submissions"
PEOPLE = ("Ada", "Grace", "Emmy", "Sofia", "Mary")
# Who solves what, in this order: the first person all of it, each later one less.
SOLVED = (
    ("architectures", SLUG),
    ("layers", "stable-softmax"),
    ("losses", "cross-entropy-from-logits"),
    ("architectures", "rms-norm"),
    ("regularization", "dropout-from-scratch"),
)
TITLE = "main h1"


@dataclass(frozen=True)
class Shot:
    """A page to take: its address, what is done on it first, which of its pictures the README shows, and who looks."""

    name: str
    path: str
    prepare: Callable[[Page], None] | None = None
    shown: tuple[tuple[int, str], ...] = ()
    signed_in: bool = True


def judged(page: Page) -> None:
    """An answer that is nearly right, with what its tests say."""
    answer = (ANSWERS / "wa" / "scale-by-d.py").read_text()
    write(page, answer.partition("\n")[2])
    page.keyboard.press("Control+Home")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("region", name="Your answer").get_by_text("Wrong answer", exact=True).wait_for()


def searched(page: Page) -> None:
    """A search in the middle of it."""
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("mat1 and mat2 shapes cannot be multiplied")
    page.get_by_role("option").first.wait_for()


def quizzed(page: Page) -> None:
    """The first question; of the attempt that is open already, if there is one."""
    begin, question = page.get_by_role("button", name="Begin"), page.get_by_text("Question 1 of")
    begin.or_(question).wait_for()
    if begin.is_visible():
        begin.click()
    question.wait_for()


PAGES = (
    Shot("home", "/", shown=((1440, "light"), (390, "light")), signed_in=False),
    Shot("welcome", "/"),
    Shot("catalogue", "/catalogue", shown=((1440, "light"), (390, "dark"))),
    Shot("search", "/catalogue", searched, shown=((1440, "light"),)),
    Shot("topic", f"/topics/{TOPIC}", shown=((1440, "light"),)),
    Shot("quiz", f"/topics/{TOPIC}/quiz", quizzed),
    Shot("challenge", f"/challenges/{SLUG}", judged, shown=((1440, "light"), (1440, "dark"))),
    Shot("track", f"/tracks/{TRACK}"),
    Shot("leaderboard", "/leaderboard", shown=((1440, "dark"),)),
    Shot("cards", "/cards", shown=((390, "light"),)),
    Shot("interview", "/interview"),
    Shot("submissions", "/submissions"),
    Shot("account", "/account"),
)


def populate(live: Live) -> list[Candidate]:
    """People with submissions that were really judged."""
    people = [Candidate(live.url, name) for name in PEOPLE]
    for number, person in enumerate(people):
        for section, slug in SOLVED[: len(SOLVED) - number]:
            answers = ROOT / "challenges" / section / slug / "submissions"
            wrong = next(iter(sorted((answers / "wa").glob("*.py"))), None)
            sources = [wrong] if wrong else []
            for path in (*sources, sorted((answers / "accepted").glob("*.py"))[0]):
                person.judged(person.submit(slug, path.read_text()))
    return people


def viewer(browser: Browser, live: Live, who: Candidate | None, width: int, scheme: str) -> BrowserContext:
    """A fresh profile, signed in as somebody or nobody."""
    context = browser.new_context(
        base_url=live.url,
        viewport={"width": width, "height": SIZES[width]},
        color_scheme="dark" if scheme == "dark" else "light",
        permissions=["clipboard-read", "clipboard-write"],
    )
    if who is not None:
        assert context.request.post("/api/session", data=who.credentials).ok
    return context


def take(context: BrowserContext, shot: Shot, to: Path) -> None:
    """One picture."""
    page = context.new_page()
    page.set_default_timeout(PATIENT_MS)
    page.goto(shot.path, wait_until="networkidle")
    page.locator(TITLE).first.wait_for()
    if shot.prepare:
        shot.prepare(page)
    page.wait_for_timeout(600)
    page.screenshot(path=to, animations="disabled", caret="hide")
    page.close()


def publish(pictures: dict[tuple[str, int, str], Path]) -> None:
    """Copy what the README shows. Exits when one is too large."""
    SHOWN.mkdir(parents=True, exist_ok=True)
    for shot in PAGES:
        for width, scheme in shot.shown:
            picture = pictures[shot.name, width, scheme]
            if picture.stat().st_size > MOST_KB * 1024:
                sys.exit(f"{picture.name} has {picture.stat().st_size // 1024} kB; at most {MOST_KB} are shown")
            shutil.copy(picture, SHOWN / picture.name)


def main() -> None:
    """Take all, and say where they are."""
    ALL.mkdir(parents=True, exist_ok=True)
    pictures = {}
    with tempfile.TemporaryDirectory() as folder, service(Path(folder) / "data") as live, sync_playwright() as driver:
        people = populate(live)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        for width in SIZES:
            for scheme in SCHEMES:
                for who in (people[0], None):
                    with viewer(browser, live, who, width, scheme) as context:
                        for shot in (each for each in PAGES if each.signed_in == (who is not None)):
                            to = pictures[shot.name, width, scheme] = ALL / f"{shot.name}-{width}-{scheme}.png"
                            take(context, shot, to)
        browser.close()
    publish(pictures)
    print(f"{len(pictures)} pictures in {ALL.relative_to(ROOT)}, those of the README in {SHOWN.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
