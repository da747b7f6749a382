"""Draws the items of a participation at random from a plan, and the variants of its challenges. The same seed always draws the
same items.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from api.hiring.plans.plan import Kind, Plan, SectionPlan


@dataclass(frozen=True)
class DrawnItem:
    """An item as it was drawn for one participation. `variants` says whether a variant of the challenge is drawn too. A follow-up
    is drawn directly after the item that it follows, and is never a variant.
    """

    section_key: str
    item_key: str
    kind: Kind
    name: str
    points: int
    variants: bool = False
    is_follow_up: bool = False


def draw(plan: Plan, seed: int | str) -> list[DrawnItem]:
    """Draw the items of one participation, in the plan's order. Each section is drawn independently of the others."""
    return [item for section in plan.sections for item in _drawn(section, seed)]


def _drawn(section: SectionPlan, seed: int | str) -> Iterator[DrawnItem]:
    places = list(range(len(section.items)))
    if section.draw is not None:
        dice = random.Random(f"{seed} {section.key}")
        places = sorted(dice.sample(places, min(section.draw, len(places))))
    for item in (section.items[place] for place in places):
        choice = random.Random(f"{seed} {section.key} {item.key}").choice(item.choices)
        yield DrawnItem(section.key, item.key, choice.kind, choice.name, item.points, choice.variants)
        for name, points in zip(choice.follow_ups, item.follow_up_points, strict=False):
            yield DrawnItem(section.key, item.key, "challenge", name, points, is_follow_up=True)


def drawn_digest(item: DrawnItem, digests: Mapping[str, str], seed: int | str) -> str:
    """Return the digest of the version that a participation gets for a drawn item, or "" if none is pinned. `digests` are the
    pinned ones (see `plan.digests`).

    If the item draws variants and the challenge has any, each of them is equally likely.
    """
    prefix = f"variant:{item.name}:"
    variants = sorted(key for key in digests if key.startswith(prefix)) if item.variants else []
    if not variants:
        return digests.get(f"{item.kind}:{item.name}", "")
    return digests[random.Random(f"{seed} {item.section_key} {item.item_key} variant").choice(variants)]
