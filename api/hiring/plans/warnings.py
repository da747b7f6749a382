"""Finds problems of a plan that its author should know before inviting candidates. The problems that `warnings` returns do not
prevent the assessment from being opened. The problems that the other functions return do prevent it. The window is the period
in which candidates can take the assessment.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.content.catalogue.topic_folders import LEVELS
from api.hiring.plans.plan import ItemPlan, Plan
from api.kit.errors import FieldError

# The maximum number of titles that one warning lists. Further titles are only counted («and 2 more»).
NAMED = 3


def window_over(plan: Plan, moment: datetime) -> list[FieldError]:
    """Return a problem if the window has already closed, because then no candidate could start."""
    if plan.closes_at is None or plan.closes_at > moment:
        return []
    return [FieldError(field="closes_at", message="The window is already over, so candidates could not start.")]


def question_problems(plan: Plan) -> list[FieldError]:
    """Return a problem for each question about the code of an item that does not come before it, or that is not a challenge for
    every candidate.
    """
    problems = []
    before: dict[str, bool] = {}
    for number, section in enumerate(plan.sections):
        is_drawn = section.draw is None or section.draw >= len(section.items)
        for position, item in enumerate(section.items):
            field = f"sections.{number}.items.{position}"
            for index, choice in enumerate(item.choices):
                about = choice.question.about if choice.question else None
                if about is not None and not before.get(about, False):
                    problems.append(
                        FieldError(field=f"{field}.choices.{index}.question.about", message=_about(about, before))
                    )
            before[item.key] = is_drawn and all(choice.kind == "challenge" for choice in item.choices)
    return problems


def _about(key: str, before: dict[str, bool]) -> str:
    if key not in before:
        return f"There is no item {key!r} before this question."
    return f"Not every candidate gets a challenge as item {key!r}. Choose an item that is always a challenge."


def assistant_missing(plan: Plan) -> list[FieldError]:
    """Return a problem for each section that provides an assistant, for a site that has none."""
    message = "This site has no assistant to provide. Choose another policy, or ask the operator to set one up."
    sections = [number for number, section in enumerate(plan.sections) if section.assistant == "provided"]
    return [FieldError(field=f"sections.{number}.assistant", message=message) for number in sections]


def warnings(plan: Plan, catalogue: Catalogue, moment: datetime) -> list[FieldError]:
    """Return warnings for the author of a plan. There is a warning for each of these problems: unproven challenges of the team,
    public challenges in an assessment that hides verdicts, a window that is shorter than the assessment, a random draw from items
    with different points, alternatives of different difficulty for the same item, and a draw from variants where there are none.
    """
    found = [*_unproven(plan, catalogue), *_public(plan, catalogue), *_window(plan, moment), *_unequal(plan, catalogue)]
    return [*found, *_without_variants(plan, catalogue)]


def _without_variants(plan: Plan, catalogue: Catalogue) -> Iterator[FieldError]:
    for number, section in enumerate(plan.sections):
        for position, item in enumerate(section.items):
            for place, choice in enumerate(item.choices):
                challenge = catalogue.by_slug.get(choice.name) if choice.variants else None
                if challenge is not None and not challenge.variants:
                    yield FieldError(
                        field=f"sections.{number}.items.{position}.choices.{place}",
                        message=f"{_titles([challenge])} has no variants now, so every candidate gets the same task.",
                    )


def _unproven(plan: Plan, catalogue: Catalogue) -> Iterator[FieldError]:
    for number, section in enumerate(plan.sections):
        for position, item in enumerate(section.items):
            found = [each for each in _with_follow_ups(item, catalogue) if each.team and each.package.proof is None]
            if found:
                yield FieldError(
                    field=f"sections.{number}.items.{position}",
                    message=f"{_titles(found)} is unproven: the gate has not passed it, so its tests may accept wrong answers.",
                )


def _public(plan: Plan, catalogue: Catalogue) -> Iterator[FieldError]:
    if plan.verdicts == "at_once":
        return
    found = [each for section in plan.sections for item in section.items for each in _with_follow_ups(item, catalogue)]
    public = [each for each in found if not each.team and each.package.info.visibility == "public"]
    if not public:
        return
    sections = {each.package.info.section for each in public}
    spare = [each for each in catalogue.reserved.values() if each not in found]
    policy = "shows its verdicts after candidates finish" if plan.verdicts == "after" else "never shows its verdicts"
    spare.sort(key=lambda each: (each.package.info.section not in sections, each.key))
    offered = f"challenges for assessments only, such as {_titles(spare)}, or " if spare else ""
    yield FieldError(
        field="verdicts",
        message=f"{_titles(public)} can be practised in public with all hints and verdicts, but this assessment {policy}. "
        "While a candidate takes it, hints and verdicts for its items are locked in that "
        "browser and for the candidate's account here. A candidate could still practise in another browser, or in a private "
        f"window, in which they are not signed in. To prevent that, choose {offered}challenges that your team has written. "
        "Alternatives for each item make it less likely to matter.",
    )


def _window(plan: Plan, moment: datetime) -> Iterator[FieldError]:
    if plan.closes_at is None:
        return
    opens_at = max(plan.opens_at or moment, moment)
    length = plan.closes_at - opens_at
    if timedelta() < length < timedelta(minutes=plan.minutes):
        minutes = int(length.total_seconds() // 60)
        yield FieldError(
            field="closes_at",
            message=f"The window is open for {minutes} minutes and the assessment takes {plan.minutes}: "
            "no candidate can use all of it.",
        )


def _unequal(plan: Plan, catalogue: Catalogue) -> Iterator[FieldError]:
    for number, section in enumerate(plan.sections):
        points = {item.all_points for item in section.items}
        if section.draw is not None and section.draw < len(section.items) and len(points) > 1:
            yield FieldError(
                field=f"sections.{number}.draw",
                message=f"The items to draw from have {min(points)} to {max(points)} points, "
                "so the totals of candidates differ.",
            )
        for position, item in enumerate(section.items):
            levels = {each.package.info.difficulty for each in _challenges(item, catalogue)}
            if len(levels) > 1:
                named = " and ".join(sorted(levels, key=lambda level: LEVELS[level]))
                yield FieldError(
                    field=f"sections.{number}.items.{position}.choices",
                    message=f"The alternatives are {named}: for the same points, some candidates get a harder one.",
                )


def _challenges(item: ItemPlan, catalogue: Catalogue) -> list[Challenge]:
    named = (choice.name for choice in item.choices if choice.kind == "challenge")
    return [catalogue.by_slug[name] for name in named if name in catalogue.by_slug]


def _with_follow_ups(item: ItemPlan, catalogue: Catalogue) -> list[Challenge]:
    names = (name for choice in item.choices for name in choice.follow_ups)
    return _challenges(item, catalogue) + [catalogue.by_slug[name] for name in names if name in catalogue.by_slug]


def _titles(challenges: list[Challenge]) -> str:
    titles = [f"“{each.package.info.title}”" for each in challenges]
    more = f" and {len(titles) - NAMED} more" if len(titles) > NAMED else ""
    return f"{', '.join(titles[:NAMED])}{more}"
