"""Reads what the catalogue says about the items of an assessment, in the versions that are pinned for them."""

from typing import Protocol

from api.content.catalogue.service import CatalogueStore
from api.hiring.plans.plan import Plan, question_of


class PinnedItem(Protocol):
    """An object that identifies a challenge or a quiz in its pinned version."""

    @property
    def kind(self) -> str:
        """Return `challenge` or `quiz`."""

    @property
    def name(self) -> str:
        """Return the challenge's slug or the quiz's topic."""

    @property
    def digest(self) -> str:
        """Return the digest of the pinned version."""


def title_of(item: PinnedItem, store: CatalogueStore) -> str:
    """Return the title of a challenge or a quiz, or its name if it is no longer in the catalogue."""
    if item.kind == "challenge":
        challenge = store.pinned(item.name, item.digest)
        return challenge.package.info.title if challenge else item.name
    topic = store.catalogue.topics.get(item.name)
    return topic.info.title if topic else item.name


def variant_of(item: PinnedItem, store: CatalogueStore) -> str:
    """Return which variant of a challenge an item is, for the team; candidates never see it. Returns an empty string for a plain
    challenge, other kinds, and a challenge that is no longer stored.
    """
    challenge = store.version(item.digest) if item.kind == "challenge" else None
    return challenge.variant if challenge else ""


def is_unproven(item: PinnedItem, store: CatalogueStore) -> bool:
    """Return whether an item is a challenge of the team that the authoring gate has not passed. Its tests may accept wrong
    answers. Candidates never see this.
    """
    challenge = store.version(item.digest) if item.kind == "challenge" else None
    return challenge is not None and challenge.team != "" and challenge.package.proof is None


def title_in(plan: Plan, item: PinnedItem, store: CatalogueStore) -> str:
    """Return the title of an item of a plan. Unlike `title_of`, it also knows the questions, which only the plan contains."""
    question = question_of(plan, item.kind, item.name)
    return question.title if question else title_of(item, store)


def starter_of(item: PinnedItem, store: CatalogueStore) -> str:
    """Return the starter code of an item, or an empty string if it has none or is no longer stored."""
    challenge = store.pinned(item.name, item.digest) if item.kind == "challenge" else None
    return challenge.package.starter if challenge else ""
