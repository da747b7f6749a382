"""Tests that nothing secret reaches a browser. The tests search every response in a guest's session for hidden content."""

import ast
import contextlib
import json
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.e2e.pages import PATIENT_MS, SLUG, TOPIC, TRACK, write
from tests.live import ROOT, Candidate, Live
from tests.wrong_answers import wrong_answer

pytestmark = pytest.mark.docker
FOLDER = ROOT / "challenges" / "architectures" / SLUG
DRAFT = "# the draft of somebody else: quagga-7731\n"
LONG_ENOUGH = 36
OWN = wrong_answer(SLUG, "detached-keys")


def hidden_lines() -> set[str]:
    """Return those lines of the hidden tests, the reference and the editorial that no public text contains."""
    lock = json.loads((FOLDER / "tests.lock").read_text())
    samples = {test["id"].partition("[")[0] for test in lock["tests"] if test.get("sample")}
    # The guest's own answer (OWN) counts as public, because the service returns it as the guest's draft.
    known = ("statement.md", "starter.py", "challenge.toml")
    public = OWN + "".join((FOLDER / name).read_text() for name in known)
    lines: set[str] = set()
    source = (FOLDER / "tests.py").read_text()
    for node in ast.parse(source).body:
        shown = isinstance(node, ast.FunctionDef) and node.name in samples
        part = "" if shown else _body(node, source)
        public += _body(node, source) if shown else ""
        lines |= {line.strip() for line in part.splitlines()}
    for name in ("editorial.md", "submissions/accepted/a-reference.py"):
        lines |= {line.strip() for line in (FOLDER / name).read_text().splitlines()}
    return {line for line in lines if len(line) >= LONG_ENOUGH and line not in public}


def _body(node: ast.stmt, source: str) -> str:
    # A docstring is left out: it is the test's title, which candidates always see.
    parts = node.body[1:] if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) else [node]
    return "\n".join(ast.get_source_segment(source, part) or "" for part in parts)


def keys_of_the_quiz() -> set[str]:
    """Return the texts that a quiz reveals only after a question is answered: its explanation, and the reasons why its options
    and its slips (typical wrong answers) are right or wrong.
    """
    quiz = tomllib.loads(next((ROOT / "challenges" / "topics").glob(f"*/{TOPIC}/quiz.toml")).read_text())
    told = [question["explanation"] for question in quiz["question"]]
    parts = [part for question in quiz["question"] for part in (*question.get("option", ()), *question.get("slip", ()))]
    return {text.strip() for text in (*told, *(part.get("reason", "") for part in parts)) if len(text) >= LONG_ENOUGH}


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text and number in a JSON value, as text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)
    else:
        yield str(value)


class Traffic:
    """All responses to a page's own requests, including event streams."""

    def __init__(self, page: Page) -> None:
        self._told: dict[str, str] = {}
        self.events: list[str] = []
        # Read bodies on their way to the page, because a browser discards them when the next page opens.
        page.route("**/api/**", self._pass_on)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", lambda told: self.events.append(told["data"]))

    def _pass_on(self, route: Route) -> None:
        asked = route.request
        if "/events" in asked.url:
            route.continue_()
            return
        with contextlib.suppress(Error):  # the page was left in the meantime, so it gets no response
            answer = route.fetch()
            if answer.body():
                self._told[f"{asked.method} {asked.url} #{len(self._told)}"] = answer.text()
            route.fulfill(response=answer)

    def bodies(self) -> dict[str, str]:
        """Return the bodies of the responses by method and URL."""
        return dict(self._told)


def test_nothing_hidden_is_in_any_answer_of_a_strangers_session(
    open_page: Callable[..., Page], live: Live, answers: Path, candidate: Candidate
) -> None:
    kept = candidate.http.put(f"/api/drafts/{SLUG}", json={"source": DRAFT, "version": 0})
    assert kept.status_code < 300, kept.text
    page = open_page("/nowhere", permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    told: dict[str, str] = {}
    for path in ("/", "/catalogue", f"/search?q={SLUG}", f"/topics/{TOPIC}", f"/tracks/{TRACK}"):
        page.goto(path, wait_until="networkidle")
        told |= traffic.bodies()
    page.goto(f"/topics/{TOPIC}/quiz", wait_until="networkidle")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Question 1 of")).to_be_visible(timeout=PATIENT_MS)
    told |= traffic.bodies()
    page.goto(f"/challenges/{SLUG}", wait_until="networkidle")
    write(page, OWN)
    page.get_by_role("button", name="Submit", exact=True).click()
    region = page.get_by_role("region", name="Your answer")
    expect(region.get_by_text("Wrong answer", exact=True)).to_be_visible(timeout=PATIENT_MS)
    for tab in page.get_by_role("tab").all():
        tab.click()
    page.wait_for_load_state("networkidle")
    told |= {**traffic.bodies(), "events": f"[{','.join(traffic.events)}]"}

    assert any("/api/attempts/" in where for where in told)
    assert any("/api/search" in where for where in told)
    assert len(traffic.events) > 3, "the judging was followed live"
    with contextlib.closing(sqlite3.connect(live.data / "gradus.db", timeout=10.0)) as database:
        seeds = {str(seed) for (seed,) in database.execute("SELECT seed FROM judging WHERE seed IS NOT NULL")}
    secrets = hidden_lines() | keys_of_the_quiz() | {DRAFT.strip()}
    assert len(secrets) > 100
    assert seeds
    for where, body in told.items():
        words = [body] if "/pictures/" in where else list(texts_in(json.loads(body)))
        text = "\n".join(words)
        assert [secret for secret in secrets if secret in text] == [], where
        assert not seeds & set(words), where
