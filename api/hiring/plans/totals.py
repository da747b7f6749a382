"""Adds up the points, items and minutes of a plan."""

from dataclasses import dataclass

from api.hiring.plans.plan import Plan


@dataclass(frozen=True)
class Total:
    """The totals of a plan. `least` and `most` are the lowest and the highest number of points that one candidate can be
    offered. They differ if a section draws some of its items, and these items have different points. `items` is the number of
    items that each candidate gets, with follow-ups.
    """

    least: int
    most: int
    items: int
    minutes: int


def item_counts(plan: Plan) -> list[int]:
    """Return how many items each section gives a candidate, without follow-ups."""
    return [min(section.draw or len(section.items), len(section.items)) for section in plan.sections]


def follow_up_counts(plan: Plan) -> list[int]:
    """Return how many follow-ups each section gives a candidate. If a section draws some of its items, these have equally many
    (see `check`).
    """
    asked = [[len(item.follow_up_points) for item in section.items] for section in plan.sections]
    return [sum(sorted(each)[-count:]) for each, count in zip(asked, item_counts(plan), strict=True)]


def total(plan: Plan) -> Total:
    """Return how many items a plan gives each candidate, its time limit in minutes, and the lowest and the highest number of
    points that it can offer.
    """
    least = most = 0
    for section, count in zip(plan.sections, item_counts(plan), strict=True):
        points = sorted(item.all_points for item in section.items)
        least, most = least + sum(points[:count]), most + sum(points[-count:])
    return Total(least, most, sum(item_counts(plan)) + sum(follow_up_counts(plan)), plan.minutes)
