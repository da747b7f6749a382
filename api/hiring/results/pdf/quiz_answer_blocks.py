"""Builds the part of a candidate's report about a quiz, or about a question with options or a number."""

from collections.abc import Iterator
from typing import Any

from api.hiring.results.pdf.block_formats import Block, plain
from api.hiring.taking.question_items import QuizItem
from api.practice.quizzes.schemas import QuestionView


def answered(quiz: QuizItem) -> Iterator[Block]:
    """Yield each question with the candidate's answer and, if that is wrong, the correct one."""
    for number, question in enumerate(quiz.questions, 1):
        mark = question.mark
        outcome = "not answered" if mark is None else "correct" if mark.right else "incorrect"
        yield {"kind": "note", "author": f"Question {number}: {outcome}", "text": plain(question.prompt)}
        if question.code:
            yield {"kind": "code", "source": question.code}
        if mark is not None:
            correct = "" if mark.right else f" Correct answer: {_spoken(question, mark.key)}."
            yield {"kind": "text", "text": f"Answer: {_spoken(question, mark.answer)}.{correct}"}


def _spoken(question: QuestionView, value: Any) -> str:
    """Return an answer as text. IDs of options are replaced by their texts."""
    texts = {part.id: plain(part.text) for part in (*question.parts, *question.others)}

    def text(key: Any) -> str:
        return texts.get(key, str(key)) if isinstance(key, str) else str(key)

    if isinstance(value, list):
        found = (" → " if question.kind == "order" else "; ").join(map(text, value))
    elif isinstance(value, dict):
        found = "; ".join(f"{text(left)}: {text(right)}" for left, right in value.items())
    else:
        found = f"{text(value)} {question.unit}"
    return found.strip().removesuffix(".")
