"""What travels when a quiz is answered. A question's key leaves the service only in the mark of an answer to it."""

import json
import random
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from api.quizzes.models import QuizAnswer, QuizAttempt
from api.text import CleanText
from grader.marking import part_id
from grader.predicted import ERRORS, Ask
from grader.quiz import Choice, Match, Numeric, Order, Predict, Question, Quiz

Kind = Literal["choice", "match", "order", "numeric", "predict"]
KINDS: dict[type[Question], Kind] = {
    Choice: "choice",
    Match: "match",
    Order: "order",
    Numeric: "numeric",
    Predict: "predict",
}
PartId = Annotated[str, StringConstraints(max_length=100), CleanText]
Typed = Annotated[str, StringConstraints(max_length=2000), CleanText]
Forms = (
    Annotated[list[PartId], Field(max_length=20)]
    | Annotated[dict[PartId, PartId], Field(max_length=20)]
    | Typed
    | Annotated[float, Field(strict=True, allow_inf_nan=False)]
)


def _in_one_form(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    """One sentence for an answer that has none of the forms, instead of one for each form."""
    try:
        return validate(value)
    except ValidationError:
        told = "must be a list of ids, an object of pairs, a finite number, or a text of at most 2000 plain characters"
        raise PydanticCustomError("answer_form", "{told}", {"told": told}) from None


Given = Annotated[Forms, WrapValidator(_in_one_form)]


class NewAnswer(BaseModel):
    """An answer: ids of options or steps as a list, pairs as an object from left to right, a number or a text."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"question": "sum-keepdim", "answer": "(2, 1, 4)"}}
    )
    question: PartId
    answer: Given


class PartView(BaseModel):
    """An option, a side or a step; answers name it by its id."""

    id: str
    text: str


class MarkView(BaseModel):
    """What an answer came to. `key` has the form of an answer."""

    right: bool
    points: int
    reasons: list[str]
    key: Any
    explanation: str
    answer: Any


class QuestionView(BaseModel):
    """A question as it is put; parts are in this attempt's own order. `mark` once it is answered.

    `parts` are the options of a choice, the left sides of a match, the steps of an order; `others` the right sides of a match, or
    the exceptions to choose from. `single`: exactly one option is right. `ask` says what a snippet's answer must be.
    """

    id: str
    kind: Kind
    prompt: str
    points: int
    single: bool = False
    parts: list[PartView] = []
    others: list[PartView] = []
    unit: str = ""
    code: str = ""
    ask: Ask | None = None
    of: str = ""
    mark: MarkView | None = None


class AttemptCard(BaseModel):
    """An attempt in a list."""

    id: str
    topic: str
    points: int
    max_points: int
    started_at: datetime
    ended_at: datetime | None


class AttemptView(AttemptCard):
    """An attempt with its questions. `current` is false when the quiz has changed since: then it can only be looked at."""

    current: bool
    questions: list[QuestionView]


class AttemptPage(BaseModel):
    """One page of attempts, newest first; `next_cursor` is null on the last page."""

    items: list[AttemptCard]
    next_cursor: str | None


def attempt_card(attempt: QuizAttempt) -> AttemptCard:
    """The card of an attempt."""
    return AttemptCard(
        id=attempt.id,
        topic=attempt.topic,
        points=attempt.points,
        max_points=attempt.max_points,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
    )


def attempt_view(attempt: QuizAttempt, answers: Iterable[QuizAnswer], quiz: Quiz | None) -> AttemptView:
    """An attempt as its owner sees it: every question in its own order, with the marks of those that are answered."""
    current = quiz is not None and quiz.digest == attempt.digest
    marks = {answer.question: MarkView.model_validate(json.loads(answer.mark)) for answer in answers}
    questions = quiz.questions if quiz is not None and current else ()
    views = [question_view(question, attempt.id, marks.get(question.id)) for question in questions]
    return AttemptView(**attempt_card(attempt).model_dump(), current=current, questions=views)


def question_view(question: Question, attempt_id: str, mark: MarkView | None) -> QuestionView:
    """A question without its key, shuffled the same way whenever this attempt is looked at."""
    view = QuestionView(
        id=question.id, kind=KINDS[type(question)], prompt=question.prompt, points=question.points, mark=mark
    )
    shuffle = random.Random(f"{attempt_id} {question.id}")
    match question:
        case Choice():
            view.single = question.single
            view.parts = _shuffled(shuffle, (option.text for option in question.option))
        case Match():
            view.parts = _shuffled(shuffle, (pair.left for pair in question.pair))
            view.others = _shuffled(shuffle, (*(pair.right for pair in question.pair), *question.distractors))
        case Order():
            view.parts = _shuffled(shuffle, question.steps)
        case Numeric():
            view.unit = question.unit
        case Predict():
            view.code, view.ask, view.of = question.code.strip("\n") + "\n", question.ask, question.of
            if question.ask == "error":
                view.others = [PartView(id=name, text=name if name != "none" else "no exception") for name in ERRORS]
    return view


def _shuffled(shuffle: random.Random, texts: Iterable[str]) -> list[PartView]:
    # Several pairs may share one right side: it is shown once.
    parts = [PartView(id=part_id(text), text=text) for text in dict.fromkeys(texts)]
    shuffle.shuffle(parts)
    return parts
