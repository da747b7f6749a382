"""Request and response bodies for monitoring participations."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from api.hiring.plans.plan import AssistantPolicy, Kind, Recorded
from api.hiring.plans.utc_datetime import WhenUtc
from api.hiring.review_records.schemas import DecisionName
from api.hiring.taking.schemas import KeptDraft, ScoredItem
from api.judging.intake.schemas import SubmissionCard, SubmissionView

FinishedBy = Literal["candidate", "deadline", "team"]


class AtWork(BaseModel):
    """The item that the candidate last opened or edited."""

    position: int
    kind: Kind
    name: str
    digest: str
    title: str


class SignalCounts(BaseModel):
    """Counts of recorded signals. `pastes` is the number of pastes, `pasted` the number of characters in all pastes, and
    `largest_paste` the number of characters in the largest one. `left` counts how often the candidate left the page, and
    `devices` counts changes of device.
    """

    pastes: int = 0
    pasted: int = 0
    largest_paste: int = 0
    left: int = 0
    devices: int = 0


class WatchedRow(BaseModel):
    """A row of the live table, in which a team follows its participations. `left_s` is the remaining time in seconds, or null
    once the participation is finished. `score` is out of `points`; `adjusted` is the score including points that the team gave
    manually. `asked` is the number of items, `opened` is how many of them the candidate opened, and `sent` is how many of them
    the candidate answered. `unfinished` is the number of answers that are not judged yet, and `to_review` the number of points
    that reviewers still have to give or refuse, because they are for texts. `answers_pending` is how many answers have no final
    points yet: those that are being judged, and texts that no reviewer has graded. `last_seen` has a resolution of a minute.
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
    is_test: bool
    asked: int
    opened: int
    sent: int
    unfinished: int
    score: float
    adjusted: float
    to_review: int
    answers_pending: int
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
    """An item with its title, the seconds spent on it, the code that it starts with, and the last draft. `is_text` is true for a
    question that is answered with a text. `unproven` is true for a challenge of the team that the authoring gate has not passed.
    `variant` says which variant of the challenge the candidate got; it is empty for a
    plain challenge and other kinds. A follow-up starts with the candidate's answer to the item before it. `lines_changed` is how
    many lines of the answer to a follow-up do not occur in that answer; it is null for other items, and if one of the two was not
    answered.
    """

    title: str
    is_text: bool
    unproven: bool
    variant: str
    starter: str
    spent_s: int
    draft: KeptDraft | None
    lines_changed: int | None


class WatchedSection(BaseModel):
    """A section of the plan. `assistant` says whether candidates may use an AI assistant there."""

    key: str
    title: str
    assistant: AssistantPolicy


class AttemptLink(BaseModel):
    """Another participation of the same person."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    number: int
    started_at: datetime
    finished_at: datetime | None


class WatchedParticipation(WatchedRow):
    """A participation with its items, the other attempts of the same person, and the IDs of the next newer and older
    participation. `recorded` lists the activity that is recorded. The candidate saw the same list before the start.
    """

    server_time: datetime
    recorded: list[Recorded]
    sections: list[WatchedSection]
    items: list[WatchedItem]
    attempts: list[AttemptLink]
    newer: str | None
    older: str | None


class SentPage(BaseModel):
    """One page of submissions, newest first; `next_cursor` is null on the last page."""

    items: list[SubmissionCard]
    next_cursor: str | None


class SentAnswer(BaseModel):
    """A submission, its result and its source. `snippet` is the code that ran after the source in a scratch run, which runs
    code without tests. It is empty for other submissions.
    """

    submission: SubmissionView
    source: str
    snippet: str


class EditBatch(BaseModel):
    """A batch of edits, as the editor sent it."""

    sequence: int
    at: datetime
    events: list[dict[str, Any]]


class EditPage(BaseModel):
    """One page of batches, in order; `next_cursor` is null on the last page."""

    items: list[EditBatch]
    next_cursor: str | None


class SignalView(BaseModel):
    """A recorded signal. Position 0 stands for the assessment as a whole. A signal of kind `practice` means that the candidate
    tried to use a feature for this item, such as hints, elsewhere on the site and was refused; `detail` names the feature.
    """

    model_config = ConfigDict(from_attributes=True)
    id: str
    position: int
    kind: Literal["paste", "blur", "focus", "device", "practice"]
    at: datetime
    size: int
    detail: str


class SignalPage(BaseModel):
    """One page of signals, in order; `next_cursor` is null on the last page."""

    items: list[SignalView]
    next_cursor: str | None


class NewExtra(BaseModel):
    """The extra time of a candidate in minutes. This value replaces the extra time that was set before."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"minutes": 15}})
    minutes: Annotated[int, Field(strict=True, ge=0, le=1440)]


class NewOutage(BaseModel):
    """A period in which candidates could not work. It can last at most one day."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"begins_at": "2026-05-04T09:20:00Z", "ends_at": "2026-05-04T09:27:00Z"}},
    )
    begins_at: WhenUtc
    ends_at: WhenUtc

    @model_validator(mode="after")
    def is_a_stretch(self) -> Self:
        if not 0 < (self.ends_at - self.begins_at).total_seconds() <= 86_400:
            raise PydanticCustomError("stretch", "must begin before it ends, and last a day at most")
        return self


class Affected(BaseModel):
    """A candidate who got time back. `given_back_s` is the total time in seconds from all outages and slow queues."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    name: str
    given_back_s: int


class GivenBack(BaseModel):
    """The time in seconds that an outage gave back to one candidate."""

    id: str
    name: str
    seconds: int


class OutageView(BaseModel):
    """An outage. `affected` is the number of candidates who got time back, `given_back_s` the sum of that time in seconds.
    `people` lists the first hundred of these candidates.

    `source` is `team` if a member reported the outage (`reported_by` is null if that member's account was deleted), or `queue`
    if the service noticed that its queue was slow. `ends_at` is null while the queue is slow.
    """

    id: str
    source: Literal["team", "queue"]
    begins_at: datetime
    ends_at: datetime | None
    reported_by: str | None
    created_at: datetime
    affected: int
    given_back_s: int
    people: list[GivenBack]


class Outages(BaseModel):
    """The outages of an assessment, newest first, two hundred at most."""

    items: list[OutageView]


class OutageReport(BaseModel):
    """A reported outage and its effect. `affected` is the number of candidates who got time back, and `people` lists the first
    hundred of them.
    """

    id: str
    begins_at: datetime
    ends_at: datetime
    affected: int
    people: list[Affected]
