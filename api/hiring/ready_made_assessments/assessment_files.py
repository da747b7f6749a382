"""Reads and validates ready-made assessments.

A file has `name`, `about`, `order` (its place on the page), `minutes` (the time limit until enough candidates have shown how
long it takes), optionally `verdicts`, and sections. An item of a section is a list of alternatives: slugs of challenges, or
`quiz:` followed by a topic.
"""

import tomllib
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from api.content.catalogue.service import Catalogue
from api.hiring.plans.plan import AssistantPolicy, Choice, Minutes, Title, Verdicts

log = structlog.get_logger()
FOLDER = "assessments"
ReadyMadeId = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,60}$")]


class ReadyMadeSection(BaseModel):
    """A section of a ready-made assessment, as its file describes it."""

    model_config = ConfigDict(extra="forbid")
    title: Title
    minutes: Minutes | None = None
    draw: Annotated[int, Field(ge=1, le=40)] | None = None
    assistant: AssistantPolicy = "none"
    items: Annotated[list[Annotated[list[str], Field(min_length=1, max_length=10)]], Field(min_length=1, max_length=40)]

    @property
    def choices(self) -> list[list[Choice]]:
        """The items with their alternatives."""
        return [[choice_of(name) for name in item] for item in self.items]


class ReadyMade(BaseModel):
    """A ready-made assessment, as its file describes it."""

    model_config = ConfigDict(extra="forbid")
    id: ReadyMadeId
    name: Title
    about: Annotated[str, Field(min_length=1, max_length=300)]
    order: Annotated[int, Field(ge=1)]
    minutes: Minutes
    verdicts: Verdicts = "after"
    section: Annotated[list[ReadyMadeSection], Field(min_length=1, max_length=12)]


def choice_of(name: str) -> Choice:
    kind, _, topic = name.partition(":")
    return Choice(kind="quiz", name=topic) if kind == "quiz" else Choice(kind="challenge", name=name)


def read(path: Path) -> ReadyMade:
    """Read a file. Raises `ValueError` (and its subclass `ValidationError`) if it is not what this module describes."""
    return ReadyMade.model_validate({"id": path.stem, **tomllib.loads(path.read_text("utf-8"))})


def read_all(root: Path) -> list[ReadyMade]:
    """Return all ready-made assessments below the folder of challenges, in order. A file that cannot be used is left out, and
    the log says why.
    """
    found = []
    for path in sorted((root / FOLDER).glob("*.toml")):
        try:
            found.append(read(path))
        except (ValueError, ValidationError, OSError) as error:
            log.error("ready_made_assessment_left_out", file=path.name, error=str(error))
    return sorted(found, key=lambda each: (each.order, each.id))


def missing(item: ReadyMade, catalogue: Catalogue) -> list[str]:
    """Return the names of challenges and quizzes that the catalogue does not have."""
    choices = [choice for section in item.section for alternatives in section.choices for choice in alternatives]
    return [f"{each.kind}:{each.name}" for each in choices if not _is_there(each, catalogue)]


def _is_there(choice: Choice, catalogue: Catalogue) -> bool:
    if choice.kind == "challenge":
        return choice.name in catalogue.by_slug
    topic = catalogue.topics.get(choice.name)
    return topic is not None and topic.quiz is not None
