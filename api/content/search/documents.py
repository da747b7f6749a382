"""Turns each item of the catalogue into a searchable document, which consists of labelled texts. A document contains only
text that the item's public page shows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from api.content.catalogue.catalogue import Catalogue, Challenge
from grader.content.package import Difficulty
from grader.content.quizzes.quiz import Quiz
from grader.content.topic import Topic
from grader.content.track import Track

Kind = Literal["challenge", "topic", "quiz", "track"]
Where = Literal["title", "summary", "tags", "question", "error", "text"]
# How much it counts if a word is found in a text, by the label of the text.
WEIGHTS: dict[Where, float] = {"title": 6, "tags": 4, "error": 3, "summary": 2.5, "question": 2, "text": 1}
# Markdown syntax that is removed from excerpts: code fences, emphasis, headings, pictures, and the addresses of links.
_MARKUP = re.compile(
    r"^\s*(?:`{3,}|~{3,}).*$|^#+ |[*`$]+|!?\[(?P<kept>[^\]\n]*)\]\([^)\s]*\)|\|?(?:\s*:?-{3,}:?\s*\|)+", re.M
)


@dataclass(frozen=True)
class Field:
    """A text of a document. The label `where` says what kind of text it is; the weight of a word found in it depends on it."""

    where: Where
    text: str


@dataclass(frozen=True)
class Document:
    """An item that a search can find."""

    kind: Kind
    id: str
    title: str
    section: str
    difficulty: Difficulty | None
    fields: tuple[Field, ...]


def documents(catalogue: Catalogue) -> Iterator[Document]:
    """Yield the documents of all items in a catalogue."""
    yield from map(_challenge, catalogue.challenges)
    for topic in catalogue.topics.values():
        yield _topic(topic)
        if topic.quiz:
            yield _quiz(topic, topic.quiz)
    yield from map(_track, catalogue.tracks.values())


def plain(markdown: str) -> str:
    """Convert Markdown to one line of plain text, for excerpts."""
    return " ".join(_MARKUP.sub(lambda found: found["kept"] or " ", markdown).replace("|", " ").split())


def _document(
    kind: Kind, name: str, title: str, about: tuple[str, Difficulty | None], *fields: tuple[Where, str]
) -> Document:
    texts = (Field(where, plain(text)) for where, text in (("title", title), *fields))
    return Document(kind, name, title, *about, tuple(field for field in texts if field.text))


def _challenge(challenge: Challenge) -> Document:
    package, info = challenge.package, challenge.package.info
    return _document(
        "challenge",
        package.slug,
        info.title,
        (info.section, info.difficulty),
        ("summary", info.summary),
        ("tags", ", ".join((package.slug, info.section, *info.topics, *info.application))),
        ("text", f"{info.skill} {info.why}"),
        ("text", package.statement),
    )


def _topic(topic: Topic) -> Document:
    info = topic.info
    pitfalls: list[tuple[Where, str]] = [
        ("error", f"{pitfall.raises} {pitfall.title}. {pitfall.why} {pitfall.wrong}") for pitfall in info.pitfall
    ]
    return _document(
        "topic",
        topic.id,
        info.title,
        (info.section, info.difficulty),
        ("summary", info.purpose),
        ("tags", f"{topic.id}, {info.section}"),
        *(("question", phrasing) for phrasing in info.phrasings),
        *pitfalls,
        ("text", f"{info.answer} {info.skill} {info.why}"),
        ("text", topic.page),
    )


def _quiz(topic: Topic, quiz: Quiz) -> Document:
    # Only the question is indexed. Options, reasons and explanations would reveal the answer.
    prompts: list[tuple[Where, str]] = [("question", question.prompt) for question in quiz.questions]
    return _document("quiz", topic.id, topic.info.title, (topic.info.section, topic.info.difficulty), *prompts)


def _track(track: Track) -> Document:
    info = track.info
    stages = ". ".join(stage.title for stage in info.stage)
    return _document(
        "track", track.id, info.title, ("", None), ("summary", info.summary), ("text", f"{info.scope} {stages}")
    )
