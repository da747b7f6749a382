"""What a team sees of those who take its assessment."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from api.assessments.plan import WhenUtc
from api.participations.schemas import KeptDraft, ScoredItem
from api.submissions.schemas import SubmissionCard, SubmissionView

FinishedBy = Literal["candidate", "deadline", "team"]


class WatchedRow(BaseModel):
    """A participation in the live table. `left_s` is null once it is finished; `score` is of `points`."""

    id: str
    invitation_id: str
    email: str
    name: str
    number: int
    version: int
    started_at: datetime
    deadline: datetime
    left_s: int | None
    extra_s: int
    given_back_s: int
    finished_at: datetime | None
    finished_by: FinishedBy | None
    opened: int
    sent: int
    unfinished: int
    score: float
    points: int


class WatchedPage(BaseModel):
    """One page of participations, newest first; `next_cursor` is null on the last page."""

    items: list[WatchedRow]
    server_time: datetime
    next_cursor: str | None


class WatchedItem(ScoredItem):
    """An item with its title and what was written last."""

    title: str
    draft: KeptDraft | None


class WatchedParticipation(WatchedRow):
    """A participation with its items."""

    items: list[WatchedItem]


class SentPage(BaseModel):
    """One page of what was sent, newest first; `next_cursor` is null on the last page."""

    items: list[SubmissionCard]
    next_cursor: str | None


class SentAnswer(BaseModel):
    """What was sent, and what it came to."""

    submission: SubmissionView
    source: str


class EditBatch(BaseModel):
    """A batch of edits, as the editor told them."""

    sequence: int
    at: datetime
    events: list[dict[str, Any]]


class EditPage(BaseModel):
    """One page of batches, in order; `next_cursor` is null on the last page."""

    items: list[EditBatch]
    next_cursor: str | None


class SignalView(BaseModel):
    """A fact that was noticed. Position 0 is the assessment as a whole."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    position: int
    kind: Literal["paste", "blur", "focus", "device"]
    at: datetime
    size: int
    detail: str


class SignalPage(BaseModel):
    """One page of signals, in order; `next_cursor` is null on the last page."""

    items: list[SignalView]
    next_cursor: str | None


class NewExtra(BaseModel):
    """Minutes that this person has longer than others, in all."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"minutes": 15}})
    minutes: Annotated[int, Field(strict=True, ge=0, le=1440)]


class NewOutage(BaseModel):
    """A stretch of time in which nobody could work; at most a day."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"begins_at": "2026-05-04T09:20:00Z", "ends_at": "2026-05-04T09:27:00Z"}},
    )
    begins_at: WhenUtc
    ends_at: WhenUtc

    @model_validator(mode="after")
    def is_a_stretch(self) -> Self:
        """It begins before it ends, and is no longer than a day."""
        if not 0 < (self.ends_at - self.begins_at).total_seconds() <= 86_400:
            raise PydanticCustomError("stretch", "must begin before it ends, and last a day at most")
        return self


class OutageReport(BaseModel):
    """What an outage changed."""

    id: str
    begins_at: datetime
    ends_at: datetime
    affected: int
