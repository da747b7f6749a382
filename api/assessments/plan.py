"""What an assessment consists of: a plan is checked against the catalogue, drawn for each participation, and added up. It is
JSON in the table; everything here is pure, and the same seed always draws the same items.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from api.catalogue.service import Catalogue
from api.errors import FieldError
from api.text import CleanLine, CleanText, one_form

Kind = Literal["challenge", "quiz"]
Recorded = Literal["edits", "pastes", "focus", "devices"]
Verdicts = Literal["at_once", "after"]
Key = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,40}$")]
Name = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,100}$")]
# A challenge of the catalogue's by its slug, or one of the team's own by `own/` and its slug.
Choosable = Annotated[str, StringConstraints(pattern="^(own/)?[a-z0-9-]{1,96}$")]
Title = Annotated[str, AfterValidator(one_form), StringConstraints(min_length=1, max_length=120), CleanLine]
Words = Annotated[str, StringConstraints(max_length=2000), CleanText]
Markdown = Annotated[str, StringConstraints(max_length=20_000), CleanText]
Minutes = Annotated[int, Field(strict=True, ge=1, le=1440)]
# Far enough for everybody, and near enough for adding minutes to it.
YEARS = range(2020, 2101)
_WARM_UP = {"key": "warm-up", "points": 10, "choices": [{"kind": "challenge", "name": "add-one"}]}
EXAMPLE: dict[str, Any] = {"minutes": 60, "sections": [{"key": "code", "title": "Code", "items": [_WARM_UP]}]}


def _written(value: Any) -> Any:
    """A bare number, quoted or not, is no moment: nobody sees whether it counts seconds or milliseconds."""
    if isinstance(value, datetime) or (isinstance(value, str) and ":" in value):
        return value
    raise PydanticCustomError("moment", "must be a moment with its zone, such as 2026-05-01T09:00:00Z")


def _in_utc(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        told = {"first": YEARS[0], "last": YEARS[-1]}
        raise PydanticCustomError("far_away", "must lie in the years {first} to {last}", told)
    return moment.astimezone(UTC)


def _in_order(names: list[Recorded]) -> list[Recorded]:
    return sorted(set(names))


WhenUtc = Annotated[AwareDatetime, AfterValidator(_in_utc), BeforeValidator(_written)]


class Part(BaseModel):
    """What every part of a plan has in common: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Choice(Part):
    """A challenge, by its slug (a published one of the team's own has `own/` before it), or the quiz of a topic, by its id."""

    kind: Kind
    name: Choosable


class ItemPlan(Part):
    """Something to do for points. Of several choices each participation gets one."""

    key: Key
    points: Annotated[int, Field(strict=True, ge=1, le=1000)]
    choices: Annotated[list[Choice], Field(min_length=1, max_length=10)]


class SectionPlan(Part):
    """Items in their order; `draw` of them, or all if it is null. `minutes`: its own time, which runs from its opening."""

    key: Key
    title: Title
    minutes: Minutes | None = None
    draw: Annotated[int, Field(strict=True, ge=1, le=40)] | None = None
    items: Annotated[list[ItemPlan], Field(min_length=1, max_length=40)]


class Plan(Part):
    """Everything that a team decides about an assessment. `recorded` is told to the candidate before the start."""

    model_config = ConfigDict(json_schema_extra={"example": EXAMPLE})
    instructions: Markdown = ""
    honour: Words = ""
    allowed: Words = ""
    minutes: Minutes
    opens_at: WhenUtc | None = None
    closes_at: WhenUtc | None = None
    attempts: Annotated[int, Field(strict=True, ge=1, le=5)] = 1
    verdicts: Verdicts = "after"
    practice: Name | None = None
    recorded: Annotated[list[Recorded], Field(max_length=4), AfterValidator(_in_order)] = []
    retention_days: Annotated[int, Field(strict=True, ge=1, le=3650)] = 180
    sections: Annotated[list[SectionPlan], Field(min_length=1, max_length=12)]

    @model_validator(mode="after")
    def opens_before_it_closes(self) -> Self:
        """A window has a beginning before its end."""
        if self.opens_at and self.closes_at and self.closes_at <= self.opens_at:
            raise PydanticCustomError("window", "closes_at must be later than opens_at")
        return self


@dataclass(frozen=True)
class DrawnItem:
    """An item as one participation gets it."""

    section_key: str
    item_key: str
    kind: Kind
    name: str
    points: int


@dataclass(frozen=True)
class Total:
    """What a plan comes to. `least` and `most` points differ where a section draws among items of different points."""

    least: int
    most: int
    items: int
    minutes: int


def draw(plan: Plan, seed: int | str) -> list[DrawnItem]:
    """The items of one participation, in the plan's order. A section is drawn for itself: what others hold changes nothing."""
    return [item for section in plan.sections for item in _drawn(section, seed)]


def _drawn(section: SectionPlan, seed: int | str) -> Iterator[DrawnItem]:
    places = list(range(len(section.items)))
    if section.draw is not None:
        dice = random.Random(f"{seed} {section.key}")
        places = sorted(dice.sample(places, min(section.draw, len(places))))
    for item in (section.items[place] for place in places):
        choice = random.Random(f"{seed} {section.key} {item.key}").choice(item.choices)
        yield DrawnItem(section.key, item.key, choice.kind, choice.name, item.points)


def total(plan: Plan) -> Total:
    """Points, items and minutes of a plan."""
    least = most = items = 0
    for section in plan.sections:
        points = sorted(item.points for item in section.items)
        count = min(section.draw or len(points), len(points))
        least, most, items = least + sum(points[:count]), most + sum(points[-count:]), items + count
    return Total(least, most, items, plan.minutes)


def check(plan: Plan, catalogue: Catalogue) -> list[FieldError]:
    """All that keeps a plan from being used: what is unknown, named twice, or cannot be drawn."""
    found = [*_doubles(plan), *_times(plan)]
    for place, choice in _choices(plan):
        if lack := _lack(choice, catalogue):
            found.append(FieldError(field=place, message=lack))
    if plan.practice is not None and plan.practice not in catalogue.by_slug:
        found.append(FieldError(field="practice", message=f"there is no challenge {plan.practice!r}"))
    for number, section in enumerate(plan.sections):
        if section.draw is not None and section.draw > len(section.items):
            told = f"only {len(section.items)} items are there to draw {section.draw} from"
            found.append(FieldError(field=f"sections.{number}.draw", message=told))
    return found


def digests(plan: Plan, catalogue: Catalogue) -> dict[str, str]:
    """The versions of everything that a plan can draw, by `kind:name`. What the catalogue has not is left out."""
    found = {}
    for _, choice in _choices(plan):
        if not _lack(choice, catalogue):
            found[f"{choice.kind}:{choice.name}"] = _digest(choice, catalogue)
    return found


def _choices(plan: Plan) -> Iterator[tuple[str, Choice]]:
    """Every choice with its place in the plan."""
    for number, section in enumerate(plan.sections):
        for position, item in enumerate(section.items):
            for index, choice in enumerate(item.choices):
                yield f"sections.{number}.items.{position}.choices.{index}", choice


def _doubles(plan: Plan) -> Iterator[FieldError]:
    """What is in a plan twice could be asked twice, or be taken for the other."""
    places = [
        (f"sections.{number}.key", f"the section {section.key!r}") for number, section in enumerate(plan.sections)
    ]
    for number, section in enumerate(plan.sections):
        for position, item in enumerate(section.items):
            places.append((f"sections.{number}.items.{position}.key", f"the item {item.key!r}"))
    places += [(place, f"the {choice.kind} {choice.name!r}") for place, choice in _choices(plan)]
    if plan.practice is not None:
        places.append(("practice", f"the challenge {plan.practice!r}"))
    seen: Counter[str] = Counter()
    for place, thing in places:
        seen[thing] += 1
        if seen[thing] > 1:
            yield FieldError(field=place, message=f"{thing} is in the plan already")


def _times(plan: Plan) -> Iterator[FieldError]:
    timed = sum(section.minutes or 0 for section in plan.sections)
    if timed > plan.minutes:
        yield FieldError(field="minutes", message=f"the sections alone have {timed} minutes, the whole {plan.minutes}")


def _lack(choice: Choice, catalogue: Catalogue) -> str:
    """Why a choice cannot be used; empty if it can."""
    if choice.kind == "challenge":
        return "" if choice.name in catalogue.by_slug else f"there is no challenge {choice.name!r}"
    topic = catalogue.topics.get(choice.name)
    if topic is None:
        return f"there is no topic {choice.name!r}"
    return "" if topic.quiz is not None else f"the topic {choice.name!r} has no quiz"


def _digest(choice: Choice, catalogue: Catalogue) -> str:
    if choice.kind == "challenge":
        return catalogue.by_slug[choice.name].package.digest
    quiz = catalogue.topics[choice.name].quiz
    assert quiz is not None, "a topic without a quiz lacks it"
    return quiz.digest
