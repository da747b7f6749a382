"""Request and response bodies of quizzes. The right answer to a question is sent only with the mark of an answer."""

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

from api.kit.text import CleanText
from api.practice.quizzes.models import QuizAnswer, QuizAttempt
from grader.content.quizzes.marking import part_id
from grader.content.quizzes.predictions import ERRORS, Ask
from grader.content.quizzes.quiz import Choice, Match, Numeric, Order, Predict, Question, Quiz

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
    """Validate an answer. If the answer has none of the allowed forms, raise a single error. Pydantic alone would report one
    error for each form.
    """
    try:
        return validate(value)
    except ValidationError:
        reason = (
            "must be a list of ids, an object of pairs, a finite number, or a text of at most 2000 plain characters"
        )
        raise PydanticCustomError("answer_form", "{reason}", {"reason": reason}) from None


Given = Annotated[Forms, WrapValidator(_in_one_form)]


class NewAnswer(BaseModel):
    """An answer to a question: a list of IDs of options or steps, an object that maps IDs of left sides to IDs of right
    sides, a number, or a text.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"question": "sum-keepdim", "answer": "(2, 1, 4)"}}
    )
    question: PartId
    answer: Given


class PartView(BaseModel):
    """A part of a question: an option, one side of a pair, or a step. An answer refers to a part by its ID."""

    id: str
    text: str


class MarkView(BaseModel):
    """The mark of an answer. `key` is the right answer, in the same form as an answer."""

    right: bool
    points: int
    reasons: list[str]
    key: Any
    explanation: str
    answer: Any


class QuestionView(BaseModel):
    """A question without its right answer. Its parts are in an order that is specific to this attempt. `mark` is null until the
    question is answered.

    Which fields are set depends on `kind`. `parts` are the options of a choice, the left sides of the pairs to match, or the
    steps to put in order. `others` are the right sides of the pairs, or the exceptions from which to choose. `single` says
    whether exactly one option is right. `ask` says what must be predicted about the `code`: a shape, a dtype, a value or an
    error.
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
    """An attempt with its questions. `current` is false if the quiz was changed after the attempt began. Such an attempt
    accepts no more answers.
    """

    current: bool
    questions: list[QuestionView]


class AttemptPage(BaseModel):
    """One page of attempts, newest first; `next_cursor` is null on the last page."""

    items: list[AttemptCard]
    next_cursor: str | None


def attempt_card(attempt: QuizAttempt) -> AttemptCard:
    return AttemptCard(
        id=attempt.id,
        topic=attempt.topic,
        points=attempt.points,
        max_points=attempt.max_points,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
    )


def attempt_view(attempt: QuizAttempt, answers: Iterable[QuizAnswer], quiz: Quiz | None) -> AttemptView:
    """Build the view of an attempt: its questions with shuffled parts, and the marks of those that were answered."""
    current = quiz is not None and quiz.digest == attempt.digest
    marks = {answer.question: MarkView.model_validate(json.loads(answer.mark)) for answer in answers}
    questions = quiz.questions if quiz is not None and current else ()
    views = [question_view(question, attempt.id, marks.get(question.id)) for question in questions]
    return AttemptView(**attempt_card(attempt).model_dump(), current=current, questions=views)


def question_view(question: Question, attempt_id: str, mark: MarkView | None) -> QuestionView:
    """Build the view of a question without its right answer. The order of its parts depends only on the attempt and the
    question, so it is the same on every request.
    """
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
    # Several pairs may have the same right side, which is then shown once.
    parts = [PartView(id=part_id(text), text=text) for text in dict.fromkeys(texts)]
    shuffle.shuffle(parts)
    return parts
