"""Request and response bodies of editorials and hints."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class OwnWay(BaseModel):
    """Your progress on a challenge: when you first solved it, when you gave up, and how many hints you opened. `open` says
    whether you may read the editorial.

    If a mock interview that you are taking contains the challenge, `interview` is the ID of the interview, and hints and
    editorial are closed until the interview has ended. Otherwise `interview` is null.
    """

    slug: str
    solved_at: datetime | None
    gave_up_at: datetime | None
    hints: int
    open: bool
    interview: str | None


class MistakeView(BaseModel):
    """A common mistake, described in one sentence. `test` is the title of the test that catches it, or null."""

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
    """How many hints you have opened. If you opened more before, the larger number is kept."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"count": 1}})
    count: Annotated[int, Field(strict=True, ge=1, le=100)]
