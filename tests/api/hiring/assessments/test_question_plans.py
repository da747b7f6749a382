"""Tests which questions a plan can contain."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from api.hiring.plans.plan import Plan
from api.hiring.plans.warnings import question_problems
from tests.api.hiring.question_rig import A_NUMBER, ABOUT_CODE, ONE_OF_TWO, item_of, sections_of, three_questions
from tests.api.hiring.taking_rig import Rig, plan_of, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team without an assessment."""
    async with rig_in(home, monkeypatch) as rig:
        yield rig


def plan(*items: dict[str, Any], **more: Any) -> Plan:
    return Plan.model_validate(plan_of(sections=sections_of(*items, **more)))


def answered(answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"title": "A question", "prompt": "Why?", "answer": answer, **more}


@pytest.mark.parametrize(
    "question",
    [
        answered({"type": "choice", "options": [{"text": "a", "right": True}]}),
        answered({"type": "choice", "options": [{"text": "a"}, {"text": "b"}]}),
        answered({"type": "choice", "options": [{"text": "a", "right": True}, {"text": " a "}]}),
        answered({"type": "choice", "options": [{"text": "a", "right": True}, {"text": ""}]}),
        answered({"type": "choice", "options": [{"text": str(n), "right": True} for n in range(11)]}),
        answered({"type": "number", "value": float("nan")}),
        answered({"type": "number", "value": 1, "tolerance": -1}),
        answered({"type": "number", "value": "many"}),
        answered({"type": "text", "max_length": 0}),
        answered({"type": "text", "max_length": 10_001}),
        answered({"type": "essay"}),
        answered({"type": "text"}, prompt=" \n "),
        answered({"type": "text"}, prompt="x" * 20_001),
        answered({"type": "text"}, title=""),
        answered({"type": "number", "value": 1}, about="one"),
        answered({"type": "text"}, extra=1),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(question: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        plan(item_of("mine", 5, question))


def test_only_questions_have_content() -> None:
    for choice in ({"kind": "question", "name": "x"}, {"kind": "quiz", "name": "adding", "question": A_NUMBER}):
        with pytest.raises(ValidationError, match="has a `question` if its kind is question"):
            plan({"key": "two", "points": 5, "choices": [choice]})


def test_a_question_can_be_about_an_earlier_challenge_that_every_candidate_gets() -> None:
    assert question_problems(plan(item_of("loop", 5, ABOUT_CODE))) == []
    (unknown,) = question_problems(plan(item_of("loop", 5, {**ABOUT_CODE, "about": "nothing"})))
    assert unknown.field == "sections.1.items.0.choices.0.question.about"
    assert "There is no item 'nothing' before this question" in unknown.message
    (of_quiz,) = question_problems(
        plan(item_of("rate", 5, A_NUMBER), item_of("loop", 5, {**ABOUT_CODE, "about": "rate"}))
    )
    assert "Not every candidate gets a challenge as item 'rate'" in of_quiz.message
    (itself,) = question_problems(plan(item_of("loop", 5, {**ABOUT_CODE, "about": "loop"})))
    assert "before this question" in itself.message


def test_a_question_cannot_be_about_a_challenge_that_may_not_be_drawn() -> None:
    code = [{"key": key, "points": 5, "choices": [{"kind": "challenge", "name": key}]} for key in ("one", "other")]
    sections = [
        {"key": "code", "title": "Code", "items": code, "draw": 1},
        {"key": "why", "title": "Why", "items": [item_of("loop", 5, ABOUT_CODE)]},
    ]
    (problem,) = question_problems(Plan.model_validate(plan_of(sections=sections)))
    assert "Not every candidate gets" in problem.message


async def test_an_assessment_with_a_question_about_nothing_is_not_opened(rig: Rig) -> None:
    plan = plan_of(sections=sections_of(item_of("loop", 5, {**ABOUT_CODE, "about": "nothing"})))
    made = await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "A", "plan": plan})
    assert [each["field"] for each in made.json()["problems"]] == ["sections.1.items.0.choices.0.question.about"]
    rig.assessment = made.json()["id"]
    refused = await rig.owner.http.post(f"{rig.path}/open")
    assert (refused.status_code, refused.json()["code"]) == (422, "plan_unusable")


async def test_the_same_question_cannot_be_in_a_plan_twice(rig: Rig) -> None:
    twice = plan_of(
        sections=sections_of(item_of("mine", 5, A_NUMBER), {**item_of("mine", 5, ONE_OF_TWO), "key": "again"})
    )
    made = await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "A", "plan": twice})
    assert [each["message"] for each in made.json()["problems"]] == ["the question 'mine' is already in the plan"]


async def test_a_saved_plan_contains_its_questions_and_the_preview_their_titles(rig: Rig) -> None:
    await rig.assess(sections=three_questions())
    saved = (await rig.owner.http.get(rig.path)).json()
    assert saved["plan"]["sections"][1]["items"][2]["choices"][0]["question"] == ABOUT_CODE
    assert saved["pinned"] == ["challenge:add-one"]
    shown = (await rig.owner.http.get(f"{rig.path}/preview")).json()
    assert [each["title"] for each in shown["sections"][1]["items"]] == ["Precision", "Learning rate", "Your loop"]
