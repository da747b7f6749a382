"""Generates the revision cards from the catalogue. A topic has these cards: one with its main question and the one-line answer,
the cards that its author wrote, one for each pitfall, and one for each quiz question that can be asked as plain text. Quiz
questions that need a form (put steps in order, match pairs, choose several options) have no card.

A card's ID does not depend on its answer or explanation, so it stays the same when these are corrected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.topic_folders import LEVELS
from grader.content.quizzes import predictions
from grader.content.quizzes.marking import part_id
from grader.content.quizzes.quiz import Choice, Numeric, Predict, Question, Quiz
from grader.content.topic import Pitfall, Topic

Kind = Literal["answer", "card", "quiz", "pitfall"]
ASKED = {
    "shape": "What is the shape of `{of}`?",
    "dtype": "What is the dtype of `{of}`?",
    "value": "What is `{of}`?",
    "error": "Which exception does it raise, if any?",
}


@dataclass(frozen=True)
class Card:
    """A card, with Markdown on the front and the back. If the card was made from a quiz question, `question` is the ID of that
    question, and an account sees the card only after it has answered the question in the quiz. Otherwise `question` is empty.
    """

    id: str
    topic: str
    kind: Kind
    front: str
    back: str
    question: str = ""


@dataclass(frozen=True)
class Deck:
    """All cards of a catalogue: `by_topic` maps the ID of each topic to its cards, and `by_id` maps the ID of each card to the
    card. Topics are in the order of the catalogue.
    """

    by_topic: Mapping[str, Sequence[Card]]
    by_id: Mapping[str, Card]


@lru_cache(maxsize=1)
def deck_of(catalogue: Catalogue) -> Deck:
    """Return the deck of a catalogue. The result is cached until the function is called with another catalogue."""
    by_topic = {topic.id: tuple(_cards_of(topic)) for topic in catalogue.topics.values()}
    return Deck(by_topic, {card.id: card for cards in by_topic.values() for card in cards})


def _cards_of(topic: Topic) -> Iterator[Card]:
    info = topic.info
    yield Card(f"{topic.id}:answer", topic.id, "answer", info.phrasings[0], info.answer)
    for own in info.card:
        yield Card(f"{topic.id}:card:{part_id(own.front)}", topic.id, "card", own.front, own.back)
    if topic.quiz:
        for question in topic.quiz.questions:
            if sides := _sides(question, topic.quiz):
                yield Card(f"{topic.id}:quiz:{question.id}", topic.id, "quiz", *sides, question=question.id)
    for pitfall in info.pitfall:
        identifier = f"{topic.id}:pitfall:{part_id(pitfall.title)}"
        yield Card(identifier, topic.id, "pitfall", _wrong(pitfall), _right(pitfall))


def topics_of(catalogue: Catalogue, *, section: str = "", track: str = "") -> Iterable[str]:
    """Return the IDs of the topics in a deck. If `track` is given, these are the topics of the track, in its order. Otherwise
    they are the topics of the section, or all topics if `section` is empty, the easy ones first. Raises `TrackNotFound`.
    """
    if track:
        return catalogue.track(track).topics
    wanted = (topic for topic in catalogue.topics.values() if section in ("", topic.info.section))
    return [topic.id for topic in sorted(wanted, key=lambda topic: LEVELS[topic.info.difficulty])]


def _sides(question: Question, quiz: Quiz) -> tuple[str, str] | None:
    """Return the front and the back of a quiz question's card, or None if the question needs a form."""
    match question:
        case Choice() if question.single:
            right = next(option.text for option in question.option if option.right)
            options = "\n".join(f"- {option.text}" for option in sorted(question.option, key=lambda each: each.text))
            return f"{question.prompt}\n\n{options}", f"**{right}**\n\n{question.explanation}"
        case Numeric():
            value = f"{question.value:.10g} {question.unit}".strip()
            return question.prompt, f"**{value}**\n\n{question.explanation}"
        case Predict():
            asked = question.prompt or ASKED[question.ask].format(of=question.of)
            key = predictions.show(question.ask, predictions.read(question.ask, quiz.keys[question.id]))
            return f"{asked}\n\n{_fenced(question.code)}", f"{_code(key)}\n\n{question.explanation}"
    return None


def _wrong(pitfall: Pitfall) -> str:
    return f"**{pitfall.title}**: what is wrong here, and what is right?\n\n{_fenced(pitfall.wrong)}"


def _right(pitfall: Pitfall) -> str:
    raises = f"It raises {_code(pitfall.raises)}. " if pitfall.raises else ""
    return f"{raises}{pitfall.why}\n\n{_fenced(pitfall.right)}"


def _fenced(code: str) -> str:
    fence = _ticks(code, 3)
    return f"{fence}python\n{code.strip()}\n{fence}"


def _code(text: str) -> str:
    ticks = _ticks(text, 1)
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"


def _ticks(text: str, least: int) -> str:
    """Return a run of at least `least` backticks that is longer than any run of backticks in the text."""
    ticks = "`" * least
    while ticks in text:
        ticks += "`"
    return ticks
