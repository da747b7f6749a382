"""Marks an answer to a quiz question. A mark says whether the answer is right and why parts of the answer are wrong. It also
contains the right answer, which candidates see only after they have answered.

Each part of a question (an option, a side of a pair, or a step) has an id, which is a hash of the part's text. So parts can be
shuffled, an id does not reveal whether its part is right, and ids stay the same when another part is added.
"""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

from grader.content.quizzes import predictions
from grader.content.quizzes.predictions import Unreadable
from grader.content.quizzes.quiz import Choice, Match, Numeric, Order, Predict, Question, Quiz

__all__ = ["Mark", "Unreadable", "mark", "part_id"]


@dataclass(frozen=True)
class Mark:
    """The result for one answer. `key` is the right answer, as JSON in the format in which candidates send answers."""

    right: bool
    points: int
    reasons: tuple[str, ...]
    key: Any


def part_id(text: str) -> str:
    """Return the id of an option, a side or a step, given its text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def mark(quiz: Quiz, question: Question, answer: Any) -> Mark:
    """Return the mark for an answer. Raises `Unreadable` if the answer does not have the form that the question needs. The
    error's message says what to send.
    """
    match question:
        case Choice():
            right, reasons, key = _choice(question, answer)
        case Match():
            right, reasons, key = _match(question, answer)
        case Order():
            right, reasons, key = _order(question, answer)
        case Numeric():
            right, reasons, key = _numeric(question, answer)
        case Predict():
            right, reasons, key = _predict(question, quiz.keys[question.id], answer)
    return Mark(right, question.points if right else 0, tuple(reasons), key)


Outcome = tuple[bool, list[str], Any]


def _choice(question: Choice, answer: Any) -> Outcome:
    options = {part_id(option.text): option for option in question.option}
    chosen = _ids(answer, options.keys(), "options")
    if question.single and len(chosen) != 1:
        raise Unreadable("Choose exactly one option.")
    if not chosen:
        raise Unreadable("Choose at least one option.")
    key = [name for name, option in options.items() if option.right]
    reasons = [option.reason for name, option in options.items() if name in chosen and not option.right]
    if missed := [options[name].text for name in key if name not in chosen]:
        reasons += [] if question.single else [f"Also right: {text}" for text in missed]
    return set(chosen) == set(key), reasons, key


def _match(question: Match, answer: Any) -> Outcome:
    lefts = {part_id(pair.left): pair for pair in question.pair}
    rights = {part_id(text) for text in (*(pair.right for pair in question.pair), *question.distractors)}
    if not isinstance(answer, dict) or answer.keys() != lefts.keys():
        raise Unreadable("Give every left side one right side.")
    _ids(list(answer.values()), rights, "right sides", distinct=False)
    key = {name: part_id(pair.right) for name, pair in lefts.items()}
    wrong = [pair.left for name, pair in lefts.items() if answer[name] != key[name]]
    return not wrong, [f"{left} belongs elsewhere." for left in wrong], key


def _order(question: Order, answer: Any) -> Outcome:
    key = [part_id(step) for step in question.steps]
    given = _ids(answer, set(key), "steps")
    if len(given) != len(key):
        raise Unreadable(f"Put all {len(key)} steps in order.")
    place = next((i for i, (mine, right) in enumerate(zip(given, key, strict=True)) if mine != right), None)
    reasons = [] if place is None else [f"Right up to step {place}." if place else "The first step comes later."]
    return place is None, reasons, key


def _numeric(question: Numeric, answer: Any) -> Outcome:
    value = _number(answer)
    right = abs(value - question.value) <= max(question.tolerance, 1e-9 * abs(question.value))
    slips = [
        slip.reason for slip in question.slip if not right and math.isclose(value, _number(slip.answer), rel_tol=1e-6)
    ]
    return right, slips, question.value


def _predict(question: Predict, lock: str, answer: Any) -> Outcome:
    if not isinstance(answer, str):
        raise Unreadable("Send the answer as text.")
    key, given = predictions.read(question.ask, lock), predictions.read(question.ask, answer)
    right = predictions.agree(question.ask, key, given)
    slips = [
        slip.reason
        for slip in question.slip
        if not right and predictions.agree(question.ask, predictions.read(question.ask, slip.answer), given)
    ]
    return right, slips, predictions.show(question.ask, key)


def _ids(answer: Any, known: Any, what: str, *, distinct: bool = True) -> list[str]:
    if not isinstance(answer, list) or not all(isinstance(item, str) for item in answer):
        raise Unreadable(f"Send the ids of {what} as a list.")
    if strange := [item for item in answer if item not in known]:
        raise Unreadable(f"This question has no such {what}: {strange[0][:40]!r}.")
    if distinct and len(set(answer)) != len(answer):
        raise Unreadable(f"Each of the {what} counts once.")
    return answer


def _number(answer: Any) -> float:
    try:
        value = float(answer.replace(",", "").replace("_", "") if isinstance(answer, str) else answer)
    except (TypeError, ValueError, OverflowError):
        raise Unreadable("Send a number, for example 42 or 0.25.") from None
    if isinstance(answer, bool) or not math.isfinite(value):
        raise Unreadable("Send a finite number.")
    return value
