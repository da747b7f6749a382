"""Defines the plan of an assessment, and checks it against the catalogue.

A plan is stored as JSON. The functions in this module have no side effects.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from api.content.catalogue.catalogue import Catalogue
from api.hiring.plans.questions import TeamQuestion
from api.hiring.plans.utc_datetime import WhenUtc
from api.kit.errors import FieldError
from api.kit.text import CleanLine, CleanText, normalized

Kind = Literal["challenge", "quiz", "question"]
Recorded = Literal["edits", "pastes", "focus", "devices"]
# When candidates see their verdicts and scores: at once, after they finish, or never.
Verdicts = Literal["at_once", "after", "never"]
# Whether candidates may use an AI assistant in a section: no, the one that the site provides, or their own.
AssistantPolicy = Literal["none", "provided", "own"]
# What candidates learn about a submission once its verdict is shown: everything, the names of tests, or only the verdict.
Feedback = Literal["everything", "names", "verdict"]
Key = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,40}$")]
Name = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,100}$")]
# The name of a choice: the slug of a challenge in the catalogue, `own/` followed by the slug of a team's own challenge, the ID of
# the topic to which the quiz belongs, or the name of a question in the plan.
Choosable = Annotated[str, StringConstraints(pattern="^(own/)?[a-z0-9-]{1,96}$")]
# The maximum number of follow-ups of a challenge.
FOLLOW_UPS = 3
Title = Annotated[str, AfterValidator(normalized), StringConstraints(min_length=1, max_length=120), CleanLine]
Words = Annotated[str, StringConstraints(max_length=2000), CleanText]
Markdown = Annotated[str, StringConstraints(max_length=20_000), CleanText]
Points = Annotated[int, Field(strict=True, ge=1, le=1000)]
Minutes = Annotated[int, Field(strict=True, ge=1, le=1440)]
_WARM_UP = {"key": "warm-up", "points": 10, "choices": [{"kind": "challenge", "name": "add-one"}]}
EXAMPLE: dict[str, Any] = {"minutes": 60, "sections": [{"key": "code", "title": "Code", "items": [_WARM_UP]}]}


def _in_order(names: list[Recorded]) -> list[Recorded]:
    return sorted(set(names))


class Part(BaseModel):
    """The base class of all parts of a plan. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Choice(Part):
    """A challenge, the quiz of a topic, or a question that the team wrote. `name` is the challenge's slug (for a published
    challenge of the team, `own/` followed by the slug), the topic's ID, or a name that no other question of the plan has.
    `question` is the content of a question, and null for the other kinds.

    With `variants`, each participation gets one of the challenge's variants, drawn at random: the same task with other
    conventions, so that answers to other variants fail its tests. `follow_ups` are the challenges that follow a challenge, in
    order.
    """

    kind: Kind
    name: Choosable
    variants: bool = False
    follow_ups: Annotated[list[Choosable], Field(max_length=FOLLOW_UPS)] = []
    question: TeamQuestion | None = None

    @model_validator(mode="after")
    def has_content_if_it_is_a_question(self) -> Self:
        if (self.kind == "question") != (self.question is not None):
            raise PydanticCustomError("question", "has a `question` if its kind is question, and otherwise none")
        return self


class ItemPlan(Part):
    """A task and its points. If it has several choices, one of them is drawn for each participation.

    The other fields are about challenges. `feedback` says what candidates see of a result when they see verdicts. `submissions`
    is how many answers they can submit (null: any number), and `pause_s` is how many seconds must pass between two of them.

    `follow_up_points` are the points of each follow-up, and each choice names as many challenges. A follow-up is an item of its
    own. It opens when the candidate hands in the item before it, and starts from the candidate's own answer to that item.
    """

    key: Key
    points: Points
    follow_up_points: Annotated[list[Points], Field(max_length=FOLLOW_UPS)] = []
    feedback: Feedback = "everything"
    submissions: Annotated[int, Field(strict=True, ge=1, le=100)] | None = None
    pause_s: Annotated[int, Field(strict=True, ge=1, le=3600)] | None = None
    choices: Annotated[list[Choice], Field(min_length=1, max_length=10)]

    def offers(self, kind: str, name: str) -> bool:
        """Return whether this challenge or quiz is a choice of the item, or a follow-up of one."""
        return any(
            (choice.kind == kind and choice.name == name) or (kind == "challenge" and name in choice.follow_ups)
            for choice in self.choices
        )

    @property
    def all_points(self) -> int:
        """The points of the item and of its follow-ups."""
        return self.points + sum(self.follow_up_points)


class SectionPlan(Part):
    """A section with its items in order. `draw` is the number of items that are drawn at random for each participation; null
    means all of them. `minutes` is a time limit for the section. The section's time starts when the candidate first opens one
    of its items. `assistant` says whether candidates may use an AI assistant: `none`, `provided` (a chat beside the editor of
    each challenge), or `own` (any, and they say at the end how they used it).
    """

    key: Key
    title: Title
    minutes: Minutes | None = None
    draw: Annotated[int, Field(strict=True, ge=1, le=40)] | None = None
    assistant: AssistantPolicy = "none"
    items: Annotated[list[ItemPlan], Field(min_length=1, max_length=40)]


class Plan(Part):
    """The content and rules of an assessment, as its authors write them. `recorded` lists the kinds of activity that the
    service records, such as pastes; candidates see this list before they start. `practice` is the slug of a public challenge on
    which candidates can try the editor; it is not part of the assessment.
    """

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
        if self.opens_at and self.closes_at and self.closes_at <= self.opens_at:
            raise PydanticCustomError("window", "closes_at must be later than opens_at")
        return self


def check(plan: Plan, catalogue: Catalogue) -> list[FieldError]:
    """Return everything that prevents a plan from being used, such as unknown names, duplicates, and sections that draw more
    items than they have.
    """
    found = [*_duplicates(plan), *_times(plan), *_follow_ups(plan)]
    for place, choice in _choices(plan):
        if problem := _problem(choice, catalogue):
            found.append(FieldError(field=place, message=problem))
    public = catalogue.by_slug.keys() - catalogue.reserved.keys()
    if plan.practice is not None and plan.practice not in public:
        found.append(FieldError(field="practice", message=f"there is no challenge {plan.practice!r}"))
    for number, section in enumerate(plan.sections):
        if section.draw is not None and section.draw > len(section.items):
            message = f"there are only {len(section.items)} items to draw {section.draw} from"
            found.append(FieldError(field=f"sections.{number}.draw", message=message))
    return found


def digests(plan: Plan, catalogue: Catalogue) -> dict[str, str]:
    """Return the digests of all challenges and quizzes that a plan can draw, as a dictionary with keys of the form `kind:name`,
    and of all variants, with keys of the form `variant:<challenge>:<variant>`. Challenges and quizzes that are not in the
    catalogue are left out.
    """
    found = {}
    for _, choice in _choices(plan):
        if choice.kind != "question" and not _problem(choice, catalogue):
            found[f"{choice.kind}:{choice.name}"] = _digest(choice, catalogue)
            drawn = catalogue.by_slug[choice.name].variants if choice.variants else ()
            found |= {f"variant:{choice.name}:{each.name}": each.digest for each in drawn}
    return found


def questions_of(plan: Plan) -> Iterator[tuple[str, TeamQuestion]]:
    """Yield the questions of a plan with their names."""
    yield from ((choice.name, choice.question) for _, choice in _choices(plan) if choice.question)


def question_of(plan: Plan, kind: str, name: str) -> TeamQuestion | None:
    """Return the question of the plan that has this name, or None for an item of another kind."""
    return dict(questions_of(plan)).get(name) if kind == "question" else None


def names(plan: Plan, challenge: str) -> bool:
    """Return whether a plan can draw this challenge."""
    return any(choice.kind == "challenge" and choice.name == challenge for _, choice in _choices(plan))


def _choices(plan: Plan) -> Iterator[tuple[str, Choice]]:
    """Yield every choice and every follow-up with its path in the plan, such as `sections.0.items.2.choices.1`."""
    for number, section in enumerate(plan.sections):
        for position, item in enumerate(section.items):
            for index, choice in enumerate(item.choices):
                place = f"sections.{number}.items.{position}.choices.{index}"
                yield place, choice
                for order, name in enumerate(choice.follow_ups):
                    yield f"{place}.follow_ups.{order}", Choice(kind="challenge", name=name)


def _duplicates(plan: Plan) -> Iterator[FieldError]:
    """Yield an error for each key of a section or item, challenge, quiz or question that appears more than once; the practice
    challenge counts as well. Otherwise, a candidate could be given the same task twice, and keys would be ambiguous.
    """
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
            yield FieldError(field=place, message=f"{thing} is already in the plan")


def _follow_ups(plan: Plan) -> Iterator[FieldError]:
    """Yield an error for each choice that does not have as many follow-ups as its item has points for, and for each section that
    draws from items with different numbers of follow-ups: then some candidates would get more tasks than others.
    """
    for number, section in enumerate(plan.sections):
        counts = {len(item.follow_up_points) for item in section.items}
        if section.draw is not None and section.draw < len(section.items) and len(counts) > 1:
            message = "Items to draw from must all have the same number of follow-up questions."
            yield FieldError(field=f"sections.{number}.draw", message=message)
        for position, item in enumerate(section.items):
            wanted = len(item.follow_up_points)
            for index, choice in enumerate(item.choices):
                asked = len(choice.follow_ups)
                message = f"{choice.name!r} names {asked} follow-up questions, but the item gives points for {wanted}"
                if asked == wanted and (not wanted or choice.kind == "challenge"):
                    continue
                if asked == wanted:
                    message = "a quiz has no follow-up questions"
                yield FieldError(
                    field=f"sections.{number}.items.{position}.choices.{index}.follow_ups", message=message
                )


def _times(plan: Plan) -> Iterator[FieldError]:
    timed = sum(section.minutes or 0 for section in plan.sections)
    if timed > plan.minutes:
        yield FieldError(
            field="minutes",
            message=f"The section time limits add up to {timed} minutes, but the assessment has only {plan.minutes}.",
        )


def _problem(choice: Choice, catalogue: Catalogue) -> str:
    """Return why a choice cannot be used, or "" if it can."""
    if choice.kind == "challenge":
        return "" if choice.name in catalogue.by_slug else f"there is no challenge {choice.name!r}"
    topic = catalogue.topics.get(choice.name)
    if choice.variants:
        return f"a {choice.kind} has no variants; leave out `variants`"
    if choice.kind == "question":
        return ""
    if topic is None:
        return f"there is no topic {choice.name!r}"
    return "" if topic.quiz is not None else f"the topic {choice.name!r} has no quiz"


def _digest(choice: Choice, catalogue: Catalogue) -> str:
    if choice.kind == "challenge":
        return catalogue.by_slug[choice.name].package.digest
    quiz = catalogue.topics[choice.name].quiz
    assert quiz is not None, "a topic without a quiz lacks it"
    return quiz.digest
