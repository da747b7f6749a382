"""Provides fixtures for the end-to-end tests: one live service for the whole session (with real HTTP, SQL, a node and Docker
cells), and a real browser.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Error, Page, Response, expect, sync_playwright

from tests.e2e.assessed import Interviewer
from tests.e2e.pages import CHROMIUM, PASSWORD, PATIENT_MS, QUIETLY
from tests.live import Candidate, Live, service
from tests.model_server import ModelServer, model_server

# The time that a test waits for content on a page, in milliseconds. A user would see this content immediately, but on a busy
# test machine, it can take many seconds to appear.
expect.set_options(timeout=PATIENT_MS)


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """The server of the model that assists candidates."""
    with model_server() as model:
        yield model


@pytest.fixture(scope="session")
def live(grader_image: str, model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A ready service with one slot, which all tests of the session share. They create all accounts from the same address, so
    the limits per address are high.
    """
    settings = {
        "node_slots": "1",
        "node_image": grader_image,
        "registrations_per_hour": "1000",
        "guests_per_hour": "1000",
        "assistant": model.setting,
    }
    with service(tmp_path_factory.mktemp("live"), **settings) as running:
        yield running


@pytest.fixture(scope="session")
def admin(live: Live) -> str:
    """The email address of the site's first admin, who can be created only once per test session."""
    email = f"{uuid.uuid4().hex[:10]}@example.org"
    body = {"token": live.setup_token(), "email": email, "name": "Root", "password": PASSWORD}
    answer = httpx.post(f"{live.url}/api/setup", json=body, timeout=30)
    if answer.status_code == 409:
        pytest.fail("a test of this session has claimed the site itself; it must use this fixture")
    assert answer.status_code == 201, answer.text
    return email


@pytest.fixture
def interviewer(live: Live) -> Iterator[Callable[[str], Interviewer]]:
    """A function that creates an interviewer with the given name. After the test, the interviewers' connections are closed,
    even if the test failed.
    """
    made: list[Interviewer] = []

    def interviewer(name: str) -> Interviewer:
        made.append(Interviewer.made(live.url, name))
        return made[-1]

    yield interviewer
    for one in made:
        one.http.close()


@pytest.fixture
def sign_up() -> Iterator[Callable[[Live], Candidate]]:
    """A function that creates a new account on a service."""
    made: list[Candidate] = []

    def sign_up(where: Live) -> Candidate:
        made.append(Candidate(where.url))
        return made[-1]

    yield sign_up
    for one in made:
        one.http.close()


@pytest.fixture
def candidate(live: Live, sign_up: Callable[[Live], Candidate]) -> Candidate:
    """A new account on the session's service."""
    return sign_up(live)


@pytest.fixture(scope="session")
def answers() -> Path:
    """The folder with the accepted and wrong answers to the challenge that the tests use."""
    root = Path(__file__).resolve().parents[2]
    return root / "challenges" / "architectures" / "scaled-dot-product-attention" / "submissions"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        yield opened
        opened.close()


def told_to_the_reader(page: Page) -> None:
    """From now on, print the failed requests and console errors of a page. Pytest shows them if the test fails."""

    def refused(response: Response) -> None:
        if response.status >= 400:
            print(f"{response.request.method} {response.url}: {response.status}")

    page.on("response", refused)
    page.on("requestfailed", lambda request: print(f"{request.method} {request.url}: {request.failure}"))
    page.on("console", lambda said: print(f"console: {said.text}") if said.type == "error" else None)


@pytest.fixture
def open_page(browser: Browser, live: Live) -> Iterator[Callable[..., Page]]:
    """A function that opens a page of the site in a fresh browser profile. If any page raises an uncaught exception, the test
    fails.
    """
    raised: list[str] = []
    contexts = []

    def open_page(path: str, **options: object) -> Page:
        contexts.append(browser.new_context(base_url=live.url, **options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENT_MS)
        page.on("pageerror", lambda error: raised.append(str(error)))
        told_to_the_reader(page)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            with suppress(Error):
                print(f"-- {page.url} at the end:", page.locator("body").inner_text(timeout=2000)[:800], sep="\n")
        context.close()
    assert raised == []
