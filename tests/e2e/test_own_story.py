"""Tests a team's own challenge through its pages. The challenge is written, proven by the real gate, and used. Then existing
answers are judged on a newer version, and the new results are applied.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.assessed import Assessed, Interviewer, Writer, told
from tests.e2e.pages import faults, sign_in_as
from tests.e2e.test_builder_story import pick
from tests.live import Live
from tests.wrong_answers import wrong_answer

pytestmark = pytest.mark.docker
FOLDER = Path(__file__).resolve().parents[2] / "challenges" / "foundations" / "minimise"
# Only challenges of the catalogue have these files.
LOCKS = {"tests.lock", "gate.lock", "quiz.toml"}
TITLE = "Minimise a function with nothing but autograd"
LARGE = "@points(1)\ndef test_large_gradients"
# The time limit for the gate, in milliseconds. The gate judges more than a hundred answers, and the machine may be busy.
GATE_MS = 600_000


def ready_made() -> dict[str, str]:
    """Return the text files of a finished challenge by path, as `gradus push` sends them."""
    paths = [path for path in FOLDER.rglob("*") if path.is_file() and path.name not in LOCKS]
    named = {path.relative_to(FOLDER).as_posix(): path for path in paths}
    return {
        name: path.read_text() for name, path in named.items() if "/" not in name or name.startswith("submissions/")
    }


def push(http: httpx.Client, path: str, files: dict[str, str]) -> None:
    """Save these files in place of the current ones."""
    version = told(http.get(f"/api{path}"))["version"]
    told(http.put(f"/api{path}/files", json={"version": version, "files": files}))


def prove_and_publish(page: Page) -> None:
    """Run the gate in its own containers, then publish the challenge to the team."""
    page.reload()
    page.get_by_role("button", name="Run the gate").click()
    publish = page.get_by_role("button", name="Publish to the team")
    problems = page.get_by_text("Fix these problems first")
    expect(publish.or_(problems)).to_be_visible(timeout=GATE_MS)
    assert not problems.is_visible(), page.get_by_role("main").inner_text()
    publish.click()
    expect(publish).to_be_hidden()


def answer(writer: Writer, source: str) -> None:
    """Submit an answer, wait for its verdict, and finish the assessment."""
    writer.open()
    writer.put(writer.text, source, at_once=True)
    writer.save()
    writer.until_judged(writer.submit())
    writer.finish()
    writer.http.close()


def plan_with_it(page: Page, assessed: Assessed) -> None:
    """Choose the challenge in the builder, which offers the catalogue and the team's own challenges."""
    body: dict[str, Any] = {"name": "Research engineer, first round"}
    made = told(assessed.owner.post(f"/api/teams/{assessed.team}/assessments", json=body))["id"]
    assessed.path = f"/teams/{assessed.team}/assessments/{made}"
    page.goto(assessed.path)
    page.get_by_role("button", name=re.compile("^Empty")).click()
    page.get_by_label("Section 1", exact=True).fill("Autograd")
    page.get_by_role("button", name="Add items").click()
    pick(page, "Add to Autograd", "Minimise, our way")
    page.get_by_role("button", name="Open for candidates", exact=True).click()
    page.get_by_role("button", name="Save and open").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Open for candidates", exact=True)).to_be_hidden()


def test_a_challenge_of_their_own(
    open_page: Callable[..., Page], live: Live, interviewer: Callable[[str], Interviewer]
) -> None:
    mira = interviewer("Mira Lindqvist")
    team = told(mira.http.post("/api/teams", json={"name": "Perception hiring"}))["id"]
    page = open_page("/catalogue", bypass_csp=True)
    sign_in_as(page, mira.http)
    page.goto(f"/teams/{team}/challenges")
    expect(page.get_by_text("No challenges yet.")).to_be_visible()
    page.get_by_role("button", name="New challenge").click()
    page.get_by_label("Name").fill("minimise-ours")
    page.get_by_role("button", name="Create challenge", exact=True).click()
    expect(page.get_by_role("heading", name="Fix before you run the gate")).to_be_visible()
    expect(page.get_by_role("button", name="Run the gate")).to_be_disabled()
    assert faults(page) == []
    path = re.sub(r"^https?://[^/]+", "", page.url)

    files = ready_made()
    files["challenge.toml"] = files["challenge.toml"].replace(TITLE, "Minimise, our way")
    push(mira.http, path, files)
    prove_and_publish(page)
    expect(page.get_by_text("of mutants caught")).to_be_visible()
    assert faults(page) == []
    page.goto(f"/teams/{team}/challenges")
    expect(page.get_by_role("link", name="Minimise, our way")).to_be_visible()
    assert faults(page) == []

    assessed = Assessed(mira.http, team, "")
    plan_with_it(page, assessed)
    right, wrong = files["submissions/accepted/a-reference.py"], wrong_answer("minimise", "clipped")
    for name, source in (("Tomás Ferreira", right), ("Priya Raman", wrong)):
        answer(assessed.start(live.url, name), source)

    assert LARGE in files["tests.py"]
    push(mira.http, path, {**files, "tests.py": files["tests.py"].replace(LARGE, LARGE.replace("(1)", "(9)"))})
    page.goto(path)
    prove_and_publish(page)
    judge_again(page, assessed)


def judge_again(page: Page, assessed: Assessed) -> None:
    """Rejudge the answers on the newer version, check what would change, and apply the new results."""
    expect(page.get_by_text("2 answers were judged with a version older than 2.")).to_be_visible()
    page.get_by_role("link", name="Rejudge them").click()
    expect(page.get_by_label(re.compile("Research engineer, first round"))).to_be_checked()
    assert faults(page) == []
    page.get_by_role("button", name="Rejudge 2 answers").click()
    expect(page.get_by_role("heading", name="Version 2 changes results for 1 candidate")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("row", name=re.compile("Priya Raman"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Tomás Ferreira"))).to_be_hidden()
    assert faults(page) == []
    before = told(assessed.owner.get(f"/api{assessed.path}/participations"))["items"]
    page.get_by_role("button", name="Apply", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", name="Earlier rejudges")).to_be_visible()
    page.get_by_role("button", name="Show candidates").click()
    expect(page.get_by_role("row", name=re.compile("Priya Raman"))).to_be_visible()
    assert faults(page) == []
    after = told(assessed.owner.get(f"/api{assessed.path}/participations"))["items"]
    assert [after[0]["score"] < before[0]["score"], after[1]["score"] == before[1]["score"]] == [True, True]

    page.goto(f"{assessed.path}/results")
    expect(page.get_by_text("was rejudged with version 2")).to_be_visible()
    page.get_by_role("link", name="Priya Raman").click()
    expect(page.get_by_text("was rejudged with version 2")).to_be_visible()
    assert faults(page) == []
