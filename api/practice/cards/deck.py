"""Generates the revision cards from the catalogue. The cards of a topic are its question with the one-line answer, its own
cards, its pitfalls, and those of its quiz questions that can be shown as plain text. Questions that need a form (order, match,
several options) become no cards.

A card's ID is derived from its topic and question, so it stays the same when an answer or explanation is corrected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from api.content.catalogue.service import LEVELS, Catalogue
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
    """A card with Markdown on the front and the back. `question` is the ID of the quiz question that the account must have
    answered before it sees the card. It is empty if there is no such question.
    """

    id: str
    topic: str
    kind: Kind
    front: str
    back: str
    question: str = ""


@dataclass(frozen=True)
class Deck:
    """All cards of a catalogue. `by_topic` contains the cards of each topic in the order of the catalogue, `by_id` each card by
    its ID.
    """

    by_topic: Mapping[str, Sequence[Card]]
    by_id: Mapping[str, Card]


@lru_cache(maxsize=1)
def deck_of(catalogue: Catalogue) -> Deck:
    """Return the deck of a catalogue. The last deck is cached."""
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
    """Return the IDs of the topics in a deck: those of a track in the track's order, those of a section with easy ones
    first, or all topics if `section` is empty. Raises `TrackNotFound`.
    """
    if track:
        return catalogue.track(track).topics
    wanted = (topic for topic in catalogue.topics.values() if section in ("", topic.info.section))
    return [topic.id for topic in sorted(wanted, key=lambda topic: LEVELS[topic.info.difficulty])]


def _sides(question: Question, quiz: Quiz) -> tuple[str, str] | None:
    """Return the front and the back of a card, or None for questions that need a form (order, match, several options)."""
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
