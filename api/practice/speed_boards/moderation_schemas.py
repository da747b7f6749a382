"""Request and response bodies of the moderation of measurements."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, model_validator

from api.kit.text import CleanLine, normalized
from api.practice.speed_boards.schemas import IntervalView


class FlaggedMeasurement(BaseModel):
    """A measurement that a moderator has to look at: the answer is faster than its machine can be (`floor`), or its measurements
    disagree (`disagrees`). `review` is the decision, empty before it.
    """

    id: str
    slug: str
    account_id: str | None
    name: str
    submission_id: str | None
    board_id: str | None
    flag: str
    interval: IntervalView | None
    review: Literal["", "accepted", "withdrawn"]
    reason: str
    at: datetime


class FlaggedMeasurements(BaseModel):
    """Measurements that wait for a decision, oldest first, and the last ones that were decided, newest first."""

    open: list[FlaggedMeasurement]
    decided: list[FlaggedMeasurement]


class ReviewDecision(BaseModel):
    """The decision about a measurement. Withdrawing needs a reason, which the owner of the answer reads."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"decision": "withdraw", "reason": "It keeps results between calls."}},
    )
    decision: Literal["accept", "withdraw"]
    reason: Annotated[str, AfterValidator(normalized), StringConstraints(max_length=500), CleanLine] = ""

    @model_validator(mode="after")
    def withdrawing_has_a_reason(self) -> Self:
        if self.decision == "withdraw" and not self.reason:
            raise ValueError("say why the answer is withdrawn")
        return self
