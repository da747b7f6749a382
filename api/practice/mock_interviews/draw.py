"""Draws the items of a mock interview at random: a few questions, then one or two challenges, as many as fit into the time. The
same seed gives the same items, as long as the account's choices, the catalogue and what the account has practised are the same.
"""

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from api.content.catalogue.catalogue import Catalogue
from api.practice.quizzes.service import LastMarks
from grader.content.topic import Topic

Kind = Literal["question", "challenge"]
Level = Literal["junior", "mid", "senior"]
Key = TypeVar("Key", str, tuple[str, str])
# How likely items of each difficulty are to be drawn, by the level of the interview. No weight is zero, because a narrow choice
# of topics may contain only items of one difficulty.
MIX: dict[Level, dict[str, float]] = {
    "junior": {"easy": 1.0, "medium": 0.35, "hard": 0.01},
    "mid": {"easy": 0.25, "medium": 1.0, "hard": 0.25},
    "senior": {"easy": 0.01, "medium": 0.4, "hard": 1.0},
}
NEVER, MISSED, TRIED, DONE = 1.0, 0.7, 0.6, 0.1
QUESTION_MINUTES, MINUTES_OF_QUESTIONS = 2, 10
MOST_CHALLENGES, MOST_QUESTIONS, MOST_OF_A_TOPIC = 2, 12, 2


@dataclass(frozen=True)
class Preferences:
    """The choices of an account for an interview. If `sections` and `track` are empty, items of all topics can be drawn."""

    level: Level
    minutes: int
    sections: tuple[str, ...] = ()
    track: str = ""


@dataclass(frozen=True)
class PracticeHistory:
    """What an account has practised. `sent` contains the challenges that it submitted recently, each with whether any of these
    submissions was accepted. `marks` contains the questions that it answered, each with whether its last answer was right.
    """

    sent: Mapping[str, bool] = field(default_factory=dict)
    marks: LastMarks = field(default_factory=dict)


@dataclass(frozen=True)
class DrawnItem:
    """An item of the interview; `topic` is empty for a challenge."""

    kind: Kind
    name: str
    topic: str
    minutes: int


def draw(
    catalogue: Catalogue,
    preferences: Preferences,
    past: PracticeHistory,
    seed: int,
    excluded: Collection[tuple[str, str]] = (),
) -> list[DrawnItem]:
    """Return the items of an interview in order, or an empty list if no item matches the preferences. `excluded` contains
    (kind, name) for each challenge that must not be drawn, and for each quiz whose questions must not be drawn. Raises
    `TrackNotFound`.
    """
    rng = random.Random(seed)
    topics = _topics(catalogue, preferences)
    open_to = [each.package.slug for each in catalogue.challenges if ("challenge", each.package.slug) not in excluded]
    challenges = _challenges(catalogue, preferences, past, topics, open_to, rng)
    left = preferences.minutes - sum(item.minutes for item in challenges)
    topics = [topic for topic in topics if ("quiz", topic.id) not in excluded]
    return [*_questions(preferences, past, topics, left // QUESTION_MINUTES, rng), *challenges]


def _topics(catalogue: Catalogue, preferences: Preferences) -> list[Topic]:
    if preferences.track:
        return [catalogue.topics[name] for name in catalogue.track(preferences.track).topics]
    return [
        topic
        for topic in catalogue.topics.values()
        if not preferences.sections or topic.info.section in preferences.sections
    ]


def _challenges(
    catalogue: Catalogue,
    preferences: Preferences,
    past: PracticeHistory,
    topics: Iterable[Topic],
    slugs: Iterable[str],
    rng: random.Random,
) -> list[DrawnItem]:
    named = {slug for topic in topics for slug in topic.info.challenges}
    weights: dict[str, float] = {}
    for slug in slugs:
        info = catalogue.by_slug[slug].package.info
        focused = slug in named or (
            not preferences.track and (not preferences.sections or info.section in preferences.sections)
        )
        if focused and "cpu" in info.devices:
            history = NEVER if slug not in past.sent else DONE if past.sent[slug] else TRIED
            weights[slug] = MIX[preferences.level][info.difficulty] * history
    chosen: list[DrawnItem] = []
    left = preferences.minutes - MINUTES_OF_QUESTIONS
    for slug in _in_drawn_order(weights, rng):
        minutes = catalogue.by_slug[slug].package.info.minutes
        if minutes <= left and len(chosen) < MOST_CHALLENGES:
            chosen.append(DrawnItem("challenge", slug, "", minutes))
            left -= minutes
    return chosen


def _questions(
    preferences: Preferences, past: PracticeHistory, topics: Iterable[Topic], count: int, rng: random.Random
) -> list[DrawnItem]:
    weights: dict[tuple[str, str], float] = {}
    for topic in topics:
        for question in topic.quiz.questions if topic.quiz else ():
            key = (topic.id, question.id)
            history = NEVER if key not in past.marks else DONE if past.marks[key] else MISSED
            weights[key] = MIX[preferences.level][topic.info.difficulty] * history
    chosen: list[DrawnItem] = []
    for topic_id, question_id in _in_drawn_order(weights, rng):
        if len(chosen) == min(count, MOST_QUESTIONS):
            break
        if sum(item.topic == topic_id for item in chosen) < MOST_OF_A_TOPIC:
            chosen.append(DrawnItem("question", question_id, topic_id, QUESTION_MINUTES))
    return chosen


def _in_drawn_order(weights: Mapping[Key, float], rng: random.Random) -> list[Key]:
    """Return all keys in a random order, in which keys with larger weights tend to come first. (This is weighted sampling
    without replacement.)
    """
    # The keys are sorted, so that the draw does not depend on the order in which folders were read.
    places = {key: rng.random() ** (1 / weights[key]) for key in sorted(weights)}
    return sorted(places, key=lambda key: -places[key])
