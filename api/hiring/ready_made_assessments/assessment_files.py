"""Reads and validates ready-made assessments.

A file has `name`, `about`, `order` (its place on the page), `minutes` (the time limit until enough candidates have shown how
long it takes), optionally `verdicts`, and sections. An item of a section is a list of alternatives: slugs of challenges, or
`quiz:` followed by a topic. `follow_ups` is how many follow-up questions each challenge of the section is followed by, and the
tables `question` are questions at its end that candidates answer with a text.
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Self

import structlog
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from api.content.catalogue.catalogue import Catalogue
from api.hiring.plans.plan import FOLLOW_UPS, AssistantPolicy, Choice, Minutes, Points, Title, Verdicts
from api.hiring.plans.questions import Guide, Prompt, TeamQuestion, TextAnswer

log = structlog.get_logger()
FOLDER = "assessments"
NOT_A_WORD = re.compile("[^a-z0-9]+")
ReadyMadeId = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,60}$")]


class ReadyMadeQuestion(BaseModel):
    """A question that candidates answer with a text. `about` is the slug of a challenge. Candidates see their own code for the
    item that contains it. `minutes` is how long reading and writing take.
    """

    model_config = ConfigDict(extra="forbid")
    title: Title
    prompt: Prompt
    guide: Guide
    about: str | None = None
    minutes: Minutes
    points: Points
    max_length: Annotated[int, Field(ge=1, le=10_000)] = 2000

    @property
    def choice(self) -> Choice:
        answer = TextAnswer(type="text", max_length=self.max_length, guide=self.guide)
        question = TeamQuestion(title=self.title, prompt=self.prompt, answer=answer, about=self.about)
        return Choice(kind="question", name=NOT_A_WORD.sub("-", self.title.lower()).strip("-")[:36], question=question)


class ReadyMadeSection(BaseModel):
    """A section of a ready-made assessment, as its file describes it."""

    model_config = ConfigDict(extra="forbid")
    title: Title
    minutes: Minutes | None = None
    draw: Annotated[int, Field(ge=1, le=40)] | None = None
    assistant: AssistantPolicy = "none"
    items: Annotated[list[Annotated[list[str], Field(min_length=1, max_length=10)]], Field(min_length=1, max_length=40)]
    follow_ups: Annotated[int, Field(ge=0, le=FOLLOW_UPS)] = 0
    question: Annotated[list[ReadyMadeQuestion], Field(max_length=5)] = []

    @model_validator(mode="after")
    def does_not_draw_questions(self) -> Self:
        if self.draw is not None and self.question:
            raise PydanticCustomError(
                "draw", "a section with `draw` cannot have questions: put them into another section"
            )
        return self

    def choices(self, catalogue: Catalogue) -> list[list[Choice]]:
        """Return the challenges and quizzes with their alternatives. The catalogue says which challenges follow which."""
        return [[_choice_of(name, self.follow_ups, catalogue) for name in item] for item in self.items]


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

    @model_validator(mode="after")
    def asks_about_code_that_everybody_writes(self) -> Self:
        written: set[str] = set()
        for section in self.section:
            if section.draw is None:
                written |= {name for item in section.items for name in item if ":" not in name}
            for question in section.question:
                if question.about is not None and question.about not in written:
                    raise PydanticCustomError(
                        "about",
                        "a question is about “{about}”, which is no earlier challenge in a section without `draw`",
                        {"about": question.about},
                    )
        return self


def _choice_of(name: str, follow_ups: int, catalogue: Catalogue) -> Choice:
    kind, _, topic = name.partition(":")
    if kind == "quiz":
        return Choice(kind="quiz", name=topic)
    followed = catalogue.by_slug[name].follow_ups if name in catalogue.by_slug else ()
    return Choice(kind="challenge", name=name, follow_ups=[slug for slug, _ in followed[:follow_ups]])


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
    """Return the names of challenges and quizzes that the catalogue does not have, or that have too few follow-ups there."""
    return [
        f"{choice.kind}:{choice.name}"
        for section in item.section
        for alternatives in section.choices(catalogue)
        for choice in alternatives
        if not _is_there(choice, section.follow_ups, catalogue)
    ]


def _is_there(choice: Choice, follow_ups: int, catalogue: Catalogue) -> bool:
    if choice.kind == "challenge":
        return choice.name in catalogue.by_slug and len(choice.follow_ups) == follow_ups
    topic = catalogue.topics.get(choice.name)
    return topic is not None and topic.quiz is not None
