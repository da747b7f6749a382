"""Tests the contents of the PDF reports: the answer that counts, its tests, the answers to questions, and the numbers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from api.hiring.results.answers import JudgedAnswer
from api.hiring.results.pdf.block_formats import percent, plain
from api.hiring.results.pdf.challenge_answer_blocks import judged
from api.hiring.results.pdf.quiz_answer_blocks import answered
from api.hiring.results.schemas import LaterAnswer
from api.hiring.taking.question_items import QuizItem
from api.judging.intake import schemas

AT, LATER = datetime(2026, 5, 4, 9, 20, tzinfo=UTC), datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def a_test(name: str, verdict: str, message: str = "", title: str = "Look at `q.mT`.") -> dict[str, Any]:
    return {
        "id": f"tests.py::test_{name}", "title": title, "points": 27, "sample": False, "attested": True, "verdict": verdict,
        "seconds": 0.1, "message": message, "line": None, "stdout": "", "exhibits": [],
    }  # fmt: skip


def an_answer(verdict: str | None, *tests: dict[str, Any], later: LaterAnswer | None = None) -> JudgedAnswer:
    views = [schemas.TestView.model_validate(test) for test in tests]
    submission = schemas.SubmissionView.model_construct(
        verdict=verdict, status="judged", created_at=AT, tests=views, environment={}
    )
    return JudgedAnswer(submission, "x = 1", later)


def test_the_answer_that_counts_comes_with_a_line_about_a_later_one() -> None:
    later = LaterAnswer(sent_at=LATER, verdict="RE")
    text, table, code = judged(an_answer("AC", a_test("scale", "AC"), a_test("mask_2d", "AC"), later=later))
    assert text["text"] == (
        "The answer that counts, submitted 04 May 2026, 09:20 UTC: Accepted, 2 of 2 tests passed. "
        "The last answer, submitted 04 May 2026, 09:30 UTC, does not count: Runtime error."
    )
    assert (table["head"], table["rows"]) == (["Test", "Result"], [["scale", "Passed"], ["mask 2d", "Passed"]])
    assert code["source"] == "x = 1"
    text, _ = judged(an_answer(None))
    assert text["text"] == "The last answer, submitted 04 May 2026, 09:20 UTC: judged."


def test_a_failed_test_has_its_name_and_what_it_says() -> None:
    _, table, _ = judged(an_answer("WA", a_test("scale", "AC"), a_test("mask", "WA")))
    assert table["head"] == ["Test", "Result", "What to look at"]
    assert table["rows"] == [["scale", "Passed", ""], ["mask", "Wrong answer", "Look at q.mT."]]
    assert table["marked"] == [1]
    lost = "not run: the answer could not be loaded"
    _, table, _ = judged(an_answer("RE", a_test("scale", "RE", lost), a_test("mask", "RE", lost)))
    assert (table["head"], table["rows"]) == (["Test", "Result"], [["scale", "Not run"], ["mask", "Not run"]])


def question(**more: Any) -> dict[str, Any]:
    return {"id": "one", "kind": "choice", "prompt": "Why *upcast*?", "points": 2, **more}


def mark(answer: Any, key: Any, *, right: bool) -> dict[str, Any]:
    return {"right": right, "points": 0, "reasons": [], "key": key, "explanation": "", "answer": answer}


def blocks_of(*questions: dict[str, Any]) -> list[dict[str, Any]]:
    return list(answered(QuizItem.model_validate({"topic": "t", "questions": questions, "answered": []})))


def test_a_quiz_shows_each_answer_beside_the_right_one() -> None:
    parts = [{"id": "a", "text": "`float32` is *exact*"}, {"id": "b", "text": "It is faster"}]
    wrong = question(parts=parts, mark=mark(["b"], ["a"], right=False), code="x = 1\n")
    right = question(kind="order", parts=parts, mark=mark(["a", "b"], ["a", "b"], right=True))
    number = question(kind="numeric", unit="ms", mark=mark(3.5, 4, right=False))
    pairs = question(kind="match", parts=parts, mark=mark({"a": "b"}, {"a": "b"}, right=True))
    assert blocks_of(wrong, right, number, pairs, question()) == [
        {"kind": "note", "author": "Question 1: incorrect", "text": "Why upcast?"},
        {"kind": "code", "source": "x = 1\n"},
        {"kind": "text", "text": "Answer: It is faster. Correct answer: float32 is exact."},
        {"kind": "note", "author": "Question 2: correct", "text": "Why upcast?"},
        {"kind": "text", "text": "Answer: float32 is exact → It is faster."},
        {"kind": "note", "author": "Question 3: incorrect", "text": "Why upcast?"},
        {"kind": "text", "text": "Answer: 3.5 ms. Correct answer: 4 ms."},
        {"kind": "note", "author": "Question 4: correct", "text": "Why upcast?"},
        {"kind": "text", "text": "Answer: float32 is exact: It is faster."},
        {"kind": "note", "author": "Question 5: not answered", "text": "Why upcast?"},
    ]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A\n\n**Why** does `a*b*c` [work](https://example.org)?", "A\n\nWhy does a*b*c work?"),
        ("```python\nx = 2 * 3 * 4\n```\nand 2 * 3 * 4, x_a_b", "x = 2 * 3 * 4\n\nand 2 * 3 * 4, x_a_b"),
        ("**the `mask`**", "the mask"),
    ],
)
def test_markdown_becomes_plain_text(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_shares_are_rounded_as_on_the_page() -> None:
    assert [percent(share) for share in (0.325, 0.125, 0.324, 1, None)] == ["33%", "13%", "32%", "100%", "–"]
