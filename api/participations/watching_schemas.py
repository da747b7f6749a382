"""What a team sees of those who take its assessment."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from api.assessments.plan import Recorded, WhenUtc
from api.participations.schemas import KeptDraft, ScoredItem
from api.reviews.schemas import DecisionName
from api.submissions.schemas import SubmissionCard, SubmissionView

FinishedBy = Literal["candidate", "deadline", "team"]


class AtWork(BaseModel):
    """The item that was touched last."""

    position: int
    kind: Literal["challenge", "quiz"]
    name: str
    digest: str
    title: str


class SignalCounts(BaseModel):
    """What was noticed, counted: pastes with their characters in all and the most at once, how often the page was left, changes
    of device.
    """

    pastes: int = 0
    pasted: int = 0
    largest_paste: int = 0
    left: int = 0
    devices: int = 0


class WatchedRow(BaseModel):
    """A participation in the live table. `left_s` is null once it is finished; `score` is of `points`, and `adjusted` is the
    score with points that the team gave by hand. Of `asked` items so many are `opened`, and of so many something was `sent`.
    `last_seen` is right to the minute.
    """

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
    asked: int
    opened: int
    sent: int
    unfinished: int
    score: float
    adjusted: float
    points: int
    decision: DecisionName
    at_work: AtWork | None
    last_seen: datetime
    signals: SignalCounts


class WatchedPage(BaseModel):
    """One page of participations, newest first; `next_cursor` is null on the last page."""

    items: list[WatchedRow]
    server_time: datetime
    next_cursor: str | None


class WatchedItem(ScoredItem):
    """An item with its title, how long it was in hand, what the editor opened with, and what was written last."""

    title: str
    starter: str
    spent_s: int
    draft: KeptDraft | None


class WatchedSection(BaseModel):
    """A section of the plan."""

    key: str
    title: str


class AttemptLink(BaseModel):
    """Another participation of the same person."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    number: int
    started_at: datetime
    finished_at: datetime | None


class WatchedParticipation(WatchedRow):
    """A participation with its items, other attempts of the same person, and the ids of those before and after it in the
    table. `recorded`: what was recorded, as the candidate was told.
    """

    server_time: datetime
    recorded: list[Recorded]
    sections: list[WatchedSection]
    items: list[WatchedItem]
    attempts: list[AttemptLink]
    newer: str | None
    older: str | None


class SentPage(BaseModel):
    """One page of what was sent, newest first; `next_cursor` is null on the last page."""

    items: list[SubmissionCard]
    next_cursor: str | None


class SentAnswer(BaseModel):
    """What was sent, and what it came to. `snippet` is what ran after it, if only that was tried."""

    submission: SubmissionView
    source: str
    snippet: str


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


class Affected(BaseModel):
    """Somebody who got time back; `given_back_s` is all that was."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    name: str
    given_back_s: int


class GivenBack(BaseModel):
    """What an outage gave back to somebody."""

    id: str
    name: str
    seconds: int


class OutageView(BaseModel):
    """An outage as it was reported (by whom is null once they have left): how many got time back, so much in all, and who (the
    first hundred).
    """

    id: str
    begins_at: datetime
    ends_at: datetime
    reported_by: str | None
    created_at: datetime
    affected: int
    given_back_s: int
    people: list[GivenBack]


class Outages(BaseModel):
    """All outages of an assessment, newest first; there are at most a hundred."""

    items: list[OutageView]


class OutageReport(BaseModel):
    """What an outage changed: how many got time back, and who (the first hundred)."""

    id: str
    begins_at: datetime
    ends_at: datetime
    affected: int
    people: list[Affected]
