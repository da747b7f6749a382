"""What travels when an editorial is opened."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class OwnWay(BaseModel):
    """How far you are with a challenge: when you solved it first, whether you gave up before, how many hints you opened.

    `interview` is your mock interview that asks for it and has not ended: hints and editorial are closed until then.
    """

    slug: str
    solved_at: datetime | None
    gave_up_at: datetime | None
    hints: int
    open: bool
    interview: str | None


class EditorialView(BaseModel):
    """The explanation, and the answer that the tests were written against."""

    slug: str
    editorial: str
    reference: str


class HintsView(BaseModel):
    """The hints of a challenge, the gentlest first."""

    slug: str
    hints: list[str]


class HintsOpened(BaseModel):
    """How many hints are open now; fewer than before changes nothing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"count": 1}})
    count: Annotated[int, Field(strict=True, ge=1, le=100)]
