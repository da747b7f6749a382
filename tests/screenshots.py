"""Takes pictures of the main pages of a separate service, whose accounts have real submissions (`make screenshots`).

Every page in PAGES is taken at the widths in SIZES and in both colour schemes, and stored in var/screenshots. Pictures for the
README are also stored in docs/screenshots, as lossless WebP of at most SHOWN_KB each. To add a page, add a line to PAGES.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from grader.content.answers import header
from grader.contract.job import Verdict
from tests.e2e.pages import CHROMIUM, PATIENT_MS, QUIETLY, SLUG, TOPIC, TRACK, write
from tests.live import ROOT, Candidate, Live, service
from tests.wrong_answers import package_of, wrong_answer

ALL, SHOWN = ROOT / "var" / "screenshots", ROOT / "docs" / "screenshots"
SIZES = {1440: 900, 390: 844}
SCHEMES = ("light", "dark")
SHOWN_KB = 100
PEOPLE = ("Ada", "Grace", "Emmy", "Sofia", "Mary")
# The first account solves all of these challenges. Each further account solves one fewer.
SOLVED = (
    SLUG,
    "stable-softmax",
    "cross-entropy-from-logits",
    "rms-norm",
    "dropout-from-scratch",
)
TITLE = "main h1"


@dataclass(frozen=True)
class Shot:
    """A page to take a picture of. If `prepare` is given, it is called with the page before the picture is taken. `shown` lists
    the (width, colour scheme) pairs whose pictures the README shows.
    """

    name: str
    path: str
    prepare: Callable[[Page], None] | None = None
    shown: tuple[tuple[int, str], ...] = ()
    signed_in: bool = True


def judged(page: Page) -> None:
    """Submit an answer that is nearly right, and wait for the results of its tests."""
    if (
        code := page.get_by_role("button", name="Code", exact=True)
    ).is_visible():  # on a phone, the editor is a view of its own
        code.click()
    write(page, header(wrong_answer(SLUG, "scale-by-d")).code)
    page.keyboard.press("Control+Home")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("region", name="Your answer").get_by_text("Wrong answer", exact=True).wait_for()


def searched(page: Page) -> None:
    """Open the search, and wait for results."""
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("mat1 and mat2 shapes cannot be multiplied")
    page.get_by_role("option").first.wait_for()


def quizzed(page: Page) -> None:
    """Show the first question of a quiz. Start an attempt, unless one is open."""
    begin, question = page.get_by_role("button", name="Start", exact=True), page.get_by_text("Question 1 of")
    begin.or_(question).wait_for()
    if begin.is_visible():
        begin.click()
    question.wait_for()


PAGES = (
    Shot("home", "/", shown=((1440, "light"),), signed_in=False),
    Shot("welcome", "/"),
    Shot("catalogue", "/catalogue"),
    Shot("search", "/catalogue", searched, shown=((1440, "light"),)),
    Shot("topic", f"/topics/{TOPIC}", shown=((1440, "light"),)),
    Shot("quiz", f"/topics/{TOPIC}/quiz", quizzed),
    Shot("challenge", f"/challenges/{SLUG}", judged, shown=((1440, "light"), (1440, "dark"))),
    Shot("track", f"/tracks/{TRACK}"),
    Shot("leaderboard", "/leaderboard", shown=((1440, "dark"),)),
    Shot("weekly", "/weekly"),
    Shot("cards", "/cards"),
    Shot("interview", "/interview"),
    Shot("submissions", "/submissions"),
    Shot("account", "/account"),
)


def populate(live: Live) -> list[Candidate]:
    """Create the accounts, and have their right and wrong answers judged."""
    people = [Candidate(live.url, name) for name in PEOPLE]
    for number, person in enumerate(people):
        for slug in SOLVED[: len(SOLVED) - number]:
            found = package_of(slug)
            wrong = next(each.source for each in found.answers if each.verdict is Verdict.WA)
            for source in (wrong, found.reference):
                person.judged(person.submit(slug, source))
    return people


def viewer(browser: Browser, live: Live, who: Candidate | None, width: int, scheme: str) -> BrowserContext:
    """Create a browser profile with this width and colour scheme. If `who` is given, sign it in to that account."""
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
    """Take one picture."""
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
    """Write the pictures for the README. Exit with an error if a picture is too large."""
    SHOWN.mkdir(parents=True, exist_ok=True)
    for shot in PAGES:
        for width, scheme in shot.shown:
            taken = pictures[shot.name, width, scheme]
            picture = SHOWN / taken.with_suffix(".webp").name
            Image.open(taken).convert("RGB").save(picture, lossless=True, method=6)
            if picture.stat().st_size > SHOWN_KB * 1024:
                sys.exit(f"{picture.name} has {picture.stat().st_size // 1024} kB; the limit is {SHOWN_KB} kB")


def main() -> None:
    """Take all pictures, and print where they are."""
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
