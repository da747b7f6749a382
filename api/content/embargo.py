"""Defines the embargo, which says which challenges and quizzes are closed to a caller at the moment.

While somebody takes an assessment, the other pages of the site must not help them with the assessment's challenges and
quizzes. The application provides the `EmbargoPolicy`, which decides which items are closed. Routes that return hints, verdicts
or answers depend on `EmbargoDep` or `BrowserEmbargoDep`.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from fastapi import Depends, Request

from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import identify, in_this_browser
from api.kit.errors import ApiError
from api.kit.http.provided import lookup

Feature = Literal[
    "hints",
    "verdict",
    "scratch run",
    "own input",
    "editorial",
    "answers of others",
    "discussion",
    "quiz",
    "mock interview",
]


Item = tuple[Literal["challenge", "quiz", "question"], str]


class InYourAssessment(ApiError):
    """The caller is taking an assessment that contains this item, so other pages of the site must not show it."""

    status, code = 403, "in_your_assessment"

    def __init__(self) -> None:
        super().__init__(
            "The assessment that you are taking includes this, so it is locked here until your assessment has ended. "
            "Nothing that you wrote is lost."
        )


class Embargo(Protocol):
    """The items (challenges and quizzes) that are closed to a caller."""

    async def refuse_challenge(self, slug: str, feature: Feature) -> None:
        """Raise `InYourAssessment` if the challenge is closed."""

    async def refuse_quiz(self, topic: str) -> None:
        """Raise `InYourAssessment` if the quiz of this topic is closed."""

    async def refuse(self, items: Collection[Item], feature: Feature) -> None:
        """Raise `InYourAssessment` if any of these items is closed."""

    async def closed_items(self) -> set[tuple[str, str]]:
        """Return the kind and the name of each closed item. Lists and mock interviews must leave these items out."""


@dataclass(frozen=True)
class EmbargoPolicy:
    """Contains the function `closed_to`, which determines which items are closed to the sender of a request."""

    closed_to: Callable[[Request, Identity | None], Awaitable[Embargo]]


async def caller_embargo(request: Request, account: Annotated[Identity | None, Depends(identify)]) -> Embargo:
    """Return the items that are closed to the sender of this request. Used as a FastAPI dependency."""
    return await lookup(request.app, EmbargoPolicy).closed_to(request, account)


async def browser_embargo(request: Request, account: Annotated[Identity | None, Depends(in_this_browser)]) -> Embargo:
    """Return the items that are closed to the account that is signed in with this browser. Used as a FastAPI dependency of
    public routes. Such routes do not check API tokens, so an invalid token causes no error.
    """
    return await caller_embargo(request, account)


EmbargoDep = Annotated[Embargo, Depends(caller_embargo)]
BrowserEmbargoDep = Annotated[Embargo, Depends(browser_embargo)]
