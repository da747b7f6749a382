"""Request and response bodies of editorials and hints."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class OwnWay(BaseModel):
    """Your progress on a challenge: when you first solved it, when you gave up, and how many hints you opened. `open` says
    whether you may read the editorial.

    `interview` is your running mock interview that contains the challenge, or null. Hints and editorial are closed until it has
    ended.
    """

    slug: str
    solved_at: datetime | None
    gave_up_at: datetime | None
    hints: int
    open: bool
    interview: str | None


class MistakeView(BaseModel):
    """A common mistake in one sentence, and the title of the test that catches it, or null."""

    mistake: str
    test: str | None


class EditorialView(BaseModel):
    """The explanation, the reference answer, and the mistakes that the tests catch."""

    slug: str
    editorial: str
    reference: str
    mistakes: list[MistakeView]


class HintsView(BaseModel):
    """The hints of a challenge, the least revealing first."""

    slug: str
    hints: list[str]


class HintsOpened(BaseModel):
    """How many hints you have opened. A smaller number than before changes nothing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"count": 1}})
    count: Annotated[int, Field(strict=True, ge=1, le=100)]
