"""Defines the embargo, which says which items are closed to a caller at the moment.

While a candidate takes an assessment, the rest of the site must not show this candidate anything that helps with the
assessment's challenges and quizzes. The `EmbargoPolicy` that the application provides decides which items are closed.
Routes that return hints, verdicts or answers depend on `EmbargoDep` or `BrowserEmbargoDep`.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from fastapi import Depends, Request

from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import identify, in_this_browser
from api.kit.errors import ApiError
from api.kit.http.provided import lookup

Feature = Literal["hints", "verdict", "scratch run", "editorial", "answers of others", "quiz", "mock interview"]


Item = tuple[Literal["challenge", "quiz"], str]


class InYourAssessment(ApiError):
    """A running assessment of the caller uses this item, so it is closed on the rest of the site."""

    status, code = 403, "in_your_assessment"

    def __init__(self) -> None:
        super().__init__(
            "The assessment that you are taking includes this, so it is locked here until your assessment has ended. "
            "Nothing that you wrote is lost."
        )


class Embargo(Protocol):
    """The items that are closed to a caller."""

    async def refuse_challenge(self, slug: str, feature: Feature) -> None:
        """Raise `InYourAssessment` if the challenge is closed."""

    async def refuse_quiz(self, topic: str) -> None:
        """Raise `InYourAssessment` if the quiz of this topic is closed."""

    async def refuse(self, items: Collection[Item], feature: Feature) -> None:
        """Raise `InYourAssessment` if any of these items is closed."""

    async def closed_items(self) -> set[tuple[str, str]]:
        """Return the kind and name of every closed item. Lists and random draws leave these items out."""


@dataclass(frozen=True)
class EmbargoPolicy:
    """Provides the function that determines which items are closed to a caller."""

    closed_to: Callable[[Request, Identity | None], Awaitable[Embargo]]


async def caller_embargo(request: Request, account: Annotated[Identity | None, Depends(identify)]) -> Embargo:
    """Return the items that are closed to the sender of this request. Used as a FastAPI dependency."""
    return await lookup(request.app, EmbargoPolicy).closed_to(request, account)


async def browser_embargo(request: Request, account: Annotated[Identity | None, Depends(in_this_browser)]) -> Embargo:
    """Return the items that are closed to the account that is signed in in this browser. Used as a FastAPI dependency of
    public routes. These routes ignore API tokens, so that an invalid token does not cause an error.
    """
    return await caller_embargo(request, account)


EmbargoDep = Annotated[Embargo, Depends(caller_embargo)]
BrowserEmbargoDep = Annotated[Embargo, Depends(browser_embargo)]
