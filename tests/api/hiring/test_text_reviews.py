"""Tests how reviewers grade texts, and that nothing claims a final score before all texts are graded."""

import csv
import io
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.webhooks.models import TeamEvent
from api.judging.submissions.models import Judging
from tests.api.hiring.question_rig import (
    GUIDE,
    TEXT,
    begun,
    finish,
    grade,
    mark,
    row_of,
    settle,
    three_questions,
    write,
)
from tests.api.hiring.taking_rig import Rig, code_of, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment that contains three questions."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(sections=three_questions())
        yield rig


async def written(rig: Rig, text: str = "Because.", **person: Any) -> str:
    """Let a candidate answer only the question with a text, about the starter code. Return the participation's ID."""
    taker = await begun(rig, **person)
    await taker.save("x = 1\n", 1)
    await mark(taker, (1, 1))
    await write(taker, text)
    return await finish(taker)


async def events(rig: Rig) -> list[str]:
    async with rig.service.state.db.read() as session:
        return list(await session.scalars(select(TeamEvent.kind).order_by(TeamEvent.id)))


async def judge_all(rig: Rig) -> None:
    """Store a verdict for every submission."""
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).values(status="judged", verdict="WA", score=0, max_score=4))


async def test_a_score_says_how_many_points_are_still_to_review(rig: Rig) -> None:
    ended = await written(rig)
    row = await row_of(rig, ended)
    assert (row["adjusted"], row["to_review"], row["points"]) == (0, 20, 40)
    assert (await grade(rig, ended, 12.5)).status_code == 201
    row = await row_of(rig, ended)
    assert (row["adjusted"], row["to_review"], row["items"][3]["adjusted"]) == (12.5, 0, 12.5)


async def test_a_text_can_get_no_points_and_is_graded_then(rig: Rig) -> None:
    ended = await written(rig)
    await grade(rig, ended, 0)
    assert (await row_of(rig, ended))["to_review"] == 0


async def test_points_stay_within_the_item_and_removing_them_reopens_the_review(rig: Rig) -> None:
    ended = await written(rig)
    assert code_of(await grade(rig, ended, 20.25)) == (422, "points_out_of_range")
    seen = (await grade(rig, ended, 20)).json()["points"][0]["entries"][0]["id"]
    assert code_of(await grade(rig, ended, 3)) == (409, "changed_meanwhile")
    path = f"{rig.path}/participations/{ended}/items/{TEXT}/points"
    removed = await rig.owner.http.post(path, json={"mode": "none", "points": 0, "reason": "", "seen": seen})
    assert removed.status_code == 201
    assert (await row_of(rig, ended))["to_review"] == 20


async def test_a_text_that_was_changed_after_its_review_is_reviewed_again(rig: Rig) -> None:
    taker = await begun(rig)
    await write(taker, "Because.")
    running = (await taker.state())["id"]
    await grade(rig, running, 5)
    assert (await row_of(rig, running))["to_review"] == 0
    rig.clock.go(minutes=1)
    await write(taker, "Because of the mask.", 2)
    assert (await row_of(rig, running))["to_review"] == 20


async def test_results_and_files_do_not_claim_a_final_score(rig: Rig) -> None:
    ended = await written(rig, email="eve@example.org")
    told = (await rig.owner.http.get(f"{rig.path}/results")).json()
    (person,) = told["people"]
    assert (told["to_review"], person["to_review"], person["items"][3]["to_review"]) == (1, 20, 20)
    (figures,) = [each for each in told["items"] if each["name"] == "loop"]
    assert (figures["title"], figures["people"], figures["to_review"], figures["solved"]) == ("Your loop", 1, 1, 0)
    sheet = await rig.owner.http.get(f"{rig.path}/results.csv")
    (line,) = csv.DictReader(io.StringIO(sheet.text.removeprefix("\ufeff")))
    assert (line["score"], line["to_review"], line["loop: score"], line["rate: score"]) == ("0.0", "20", "", "0.0")
    await grade(rig, ended, 10)
    sheet = await rig.owner.http.get(f"{rig.path}/results.csv")
    (line,) = csv.DictReader(io.StringIO(sheet.text.removeprefix("\ufeff")))
    assert (line["score"], line["to_review"], line["loop: score"]) == ("10.0", "0", "10.0")


async def decide(rig: Rig, participation: str, seen: str | None = None) -> dict[str, Any]:
    """Decide to advance a candidate. Return the review."""
    body = {"decision": "advance", "reason": "", "seen": seen}
    made = await rig.owner.http.post(f"{rig.path}/participations/{participation}/decisions", json=body)
    assert made.status_code == 201, made.text
    review: dict[str, Any] = made.json()
    return review


async def text_of(rig: Rig, path: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the words that a PDF report contains, in the order of the report."""
    given: list[bytes] = []

    async def seen(program: Path, report: bytes, limit_s: float) -> bytes:
        given.append(report)
        return b""

    monkeypatch.setattr(rig.service.state.subprocess_pool, "run", seen)
    answer = await rig.owner.http.get(f"{rig.path}{path}")
    assert answer.status_code == 200, answer.text
    return " ".join(words_in(json.loads(given[0])))


def words_in(part: Any) -> Iterator[str]:
    """Yield all texts of a JSON document."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, (list, dict)):
        for each in part.values() if isinstance(part, dict) else part:
            yield from words_in(each)


async def pending_by_view(rig: Rig, participation: str) -> tuple[int, int, int, str]:
    """Return how many answers are pending by the review, by the report, by the results and by the CSV file."""
    review = (await rig.owner.http.get(f"{rig.path}/participations/{participation}/review")).json()
    (person,) = (await rig.owner.http.get(f"{rig.path}/results")).json()["people"]
    sheet = await rig.owner.http.get(f"{rig.path}/results.csv")
    (line,) = csv.DictReader(io.StringIO(sheet.text.removeprefix("\ufeff")))
    return (
        review["answers_pending"],
        (await row_of(rig, participation))["answers_pending"],
        person["answers_pending"],
        line["answers_pending"],
    )


async def test_a_decision_before_all_points_are_given_says_so_everywhere(rig: Rig) -> None:
    ended = await written(rig)
    # The candidate's code is not judged yet, and the text has no points.
    assert await pending_by_view(rig, ended) == (2, 2, 2, "2")
    (early,) = (await decide(rig, ended))["decisions"]
    await judge_all(rig)
    assert await pending_by_view(rig, ended) == (1, 1, 1, "1")
    await grade(rig, ended, 10)
    assert await pending_by_view(rig, ended) == (0, 0, 0, "0")
    later, first = (await decide(rig, ended, early["id"]))["decisions"]
    assert (first["id"], first["answers_pending"], later["answers_pending"]) == (early["id"], 2, 0)


async def test_reports_say_that_a_decision_was_made_while_points_are_pending(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = await written(rig)
    await judge_all(rig)
    await decide(rig, ended)
    report, results = f"/participations/{ended}/report.pdf", "/results.pdf"
    assert "Advance points pending" in await text_of(rig, report, monkeypatch), "a figure and its label"
    assert "1 answer has no final points yet, so the score is not final." in await text_of(rig, report, monkeypatch)
    assert "Advance, points pending" in await text_of(rig, results, monkeypatch)
    await grade(rig, ended, 10)
    for path in (report, results):
        text = await text_of(rig, path, monkeypatch)
        assert "Advance" in text
        assert "pending" not in text
        assert "not final" not in text


async def test_an_empty_text_is_not_pending(rig: Rig) -> None:
    ended = await written(rig, "")
    await judge_all(rig)
    assert await pending_by_view(rig, ended) == (0, 0, 0, "0")


async def test_the_invitation_list_says_that_a_score_is_not_final(rig: Rig) -> None:
    await written(rig)
    (listed,) = (await rig.owner.http.get(f"{rig.path}/invitations")).json()["items"]
    assert listed["outcome"]["to_review"] == 20


async def test_programs_are_told_of_a_judged_participation_only_after_the_review(rig: Rig) -> None:
    ended = await written(rig)
    await judge_all(rig)
    await settle(rig)
    await settle(rig)
    assert "participation.judged" not in await events(rig)
    await grade(rig, ended, 10)
    assert (await events(rig)).count("participation.judged") == 1
    await settle(rig)
    assert (await events(rig)).count("participation.judged") == 1


async def test_a_review_before_the_answers_are_judged_leaves_the_event_to_the_sweeper(rig: Rig) -> None:
    ended = await written(rig)
    await grade(rig, ended, 10)
    assert "participation.judged" not in await events(rig)
    await judge_all(rig)
    await settle(rig)
    assert (await events(rig)).count("participation.judged") == 1


async def test_a_tracking_system_does_not_read_a_final_score(rig: Rig) -> None:
    made = await rig.owner.http.post(
        f"/api/teams/{rig.team}/tokens", json={"name": "ATS", "scopes": ["invite", "read_results"]}
    )
    program = rig.service.client(headers={"Authorization": f"Bearer {made.json()['token']}"})
    invitation = await rig.invite(email="eve@example.org")
    taker = await rig.start(invitation["token"])
    await taker.open(TEXT)
    await write(taker, "Because.")
    ended = await finish(taker)
    path = f"/api/tracking/invitations/{invitation['id']}"
    told = (await program.get(path)).json()
    assert (told["state"], told["attempts"][0]["judged"], told["attempts"][0]["to_review"]) == ("finished", False, 20)
    await grade(rig, ended, 10)
    told = (await program.get(path)).json()
    assert (told["state"], told["attempts"][0]["judged"], told["attempts"][0]["adjusted"]) == ("judged", True, 10)


async def test_a_shared_report_contains_the_text_without_the_guide(rig: Rig) -> None:
    ended = await written(rig, "<b>Because</b>")
    made = await rig.owner.http.post(f"{rig.path}/participations/{ended}/report-links", json={})
    token = made.json()["link"].rpartition("/report/")[2]
    answer = await rig.service.client().get(f"/api/shared-reports/{token}")
    told = answer.json()
    assert (told["to_review"], told["items"][3]["text"]["text"]) == (20, "<b>Because</b>")
    assert told["items"][3]["text"]["about"]["marked"]["lines"] == [[1, 1]]
    assert GUIDE not in answer.text
    paper = await rig.service.client().get(f"/api/shared-reports/{token}/report.pdf")
    assert (paper.status_code, paper.content[:5]) == (200, b"%PDF-")


async def test_a_report_is_drawn_with_the_text_and_the_marked_lines(rig: Rig) -> None:
    ended = await written(rig)
    for path in (f"{rig.path}/participations/{ended}/report.pdf", f"{rig.path}/results.pdf"):
        answer = await rig.owner.http.get(path)
        assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-"), answer.text


async def test_only_texts_are_read_as_texts(rig: Rig) -> None:
    ended = await written(rig)
    for position in (1, 2):
        refused = await rig.owner.http.get(f"{rig.path}/participations/{ended}/items/{position}/text")
        assert code_of(refused) == (409, "other_kind")
    refused = await rig.owner.http.get(f"{rig.path}/participations/{ended}/items/{TEXT}/quiz")
    assert code_of(refused) == (409, "other_kind")
