"""The draw: questions to begin with, then one or two challenges, as many as fit the time. The same seed, catalogue and past give
the same draw.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from api.catalogue.service import Catalogue
from api.quizzes.service import LastMarks
from grader.topic import Topic

Kind = Literal["question", "challenge"]
Level = Literal["junior", "mid", "senior"]
Key = TypeVar("Key", str, tuple[str, str])
# How often a difficulty is drawn. None is impossible: a narrow focus may have nothing else.
MIX: dict[Level, dict[str, float]] = {
    "junior": {"easy": 1.0, "medium": 0.35, "hard": 0.01},
    "mid": {"easy": 0.25, "medium": 1.0, "hard": 0.25},
    "senior": {"easy": 0.01, "medium": 0.4, "hard": 1.0},
}
NEVER, MISSED, TRIED, DONE = 1.0, 0.7, 0.6, 0.1
QUESTION_MINUTES, MINUTES_OF_QUESTIONS = 2, 10
MOST_CHALLENGES, MOST_QUESTIONS, MOST_OF_A_TOPIC = 2, 12, 2


@dataclass(frozen=True)
class Wish:
    """What somebody wants to be asked about; no sections and no track: everything."""

    level: Level
    minutes: int
    sections: tuple[str, ...] = ()
    track: str = ""


@dataclass(frozen=True)
class Past:
    """What was done lately: challenges sent (True if accepted), and whether the last answer to a question was right."""

    sent: Mapping[str, bool] = field(default_factory=dict)
    marks: LastMarks = field(default_factory=dict)


@dataclass(frozen=True)
class Drawn:
    """An item of the interview; `topic` is empty for a challenge."""

    kind: Kind
    name: str
    topic: str
    minutes: int


def draw(catalogue: Catalogue, wish: Wish, past: Past, seed: int) -> list[Drawn]:
    """The items of an interview in their order; empty if nothing fits. Raises `TrackNotFound`."""
    dice = random.Random(seed)
    topics = _topics(catalogue, wish)
    challenges = _challenges(catalogue, wish, past, topics, dice)
    left = wish.minutes - sum(item.minutes for item in challenges)
    return [*_questions(wish, past, topics, left // QUESTION_MINUTES, dice), *challenges]


def _topics(catalogue: Catalogue, wish: Wish) -> list[Topic]:
    if wish.track:
        return [catalogue.topics[name] for name in catalogue.track(wish.track).topics]
    return [topic for topic in catalogue.topics.values() if not wish.sections or topic.info.section in wish.sections]


def _challenges(
    catalogue: Catalogue, wish: Wish, past: Past, topics: Iterable[Topic], dice: random.Random
) -> list[Drawn]:
    named = {slug for topic in topics for slug in topic.info.challenges}
    weights: dict[str, float] = {}
    for challenge in catalogue.challenges:
        slug, info = challenge.package.slug, challenge.package.info
        focused = slug in named or (not wish.track and (not wish.sections or info.section in wish.sections))
        if focused and "cpu" in info.devices:
            history = NEVER if slug not in past.sent else DONE if past.sent[slug] else TRIED
            weights[slug] = MIX[wish.level][info.difficulty] * history
    chosen: list[Drawn] = []
    left = wish.minutes - MINUTES_OF_QUESTIONS
    for slug in _in_drawn_order(weights, dice):
        minutes = catalogue.by_slug[slug].package.info.minutes
        if minutes <= left and len(chosen) < MOST_CHALLENGES:
            chosen.append(Drawn("challenge", slug, "", minutes))
            left -= minutes
    return chosen


def _questions(wish: Wish, past: Past, topics: Iterable[Topic], count: int, dice: random.Random) -> list[Drawn]:
    weights: dict[tuple[str, str], float] = {}
    for topic in topics:
        for question in topic.quiz.questions if topic.quiz else ():
            key = (topic.id, question.id)
            history = NEVER if key not in past.marks else DONE if past.marks[key] else MISSED
            weights[key] = MIX[wish.level][topic.info.difficulty] * history
    chosen: list[Drawn] = []
    for topic_id, question_id in _in_drawn_order(weights, dice):
        if len(chosen) == min(count, MOST_QUESTIONS):
            break
        if sum(item.topic == topic_id for item in chosen) < MOST_OF_A_TOPIC:
            chosen.append(Drawn("question", question_id, topic_id, QUESTION_MINUTES))
    return chosen


def _in_drawn_order(weights: Mapping[Key, float], dice: random.Random) -> list[Key]:
    """All keys, the heavy ones likely first (a weighted draw without putting back)."""
    # Sorted, so that the order of reading folders changes nothing.
    places = {key: dice.random() ** (1 / weights[key]) for key in sorted(weights)}
    return sorted(places, key=lambda key: -places[key])
