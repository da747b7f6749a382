"""What rejudges of a team's own challenges look like over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.ids import Id
from api.rejudges.schemas import Change
from api.submissions.schemas import VerdictName

OwnRejudgeState = Literal["trying", "ready", "applied", "dropped"]


class NewOwnRejudge(BaseModel):
    """Assessments whose finished answers are judged on the published version."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"assessments": ["0" * 32]}})
    assessments: Annotated[list[Id], Field(min_length=1, max_length=100)]


class OutdatedAssessment(BaseModel):
    """Of so many people so many finished answers count by another version than the published one."""

    id: str
    name: str
    people: int
    submissions: int


class Outdated(BaseModel):
    """What a rejudge on the published `version` could choose from; null when none is published."""

    version: int | None
    assessments: list[OutdatedAssessment]


class OwnRejudgeView(BaseModel):
    """A rejudge, and how far it is: `waiting` for their turn, `judging` (queued or being judged), `judged` by now. `outcomes` are
    of single answers; once it is ready, `people` says whom it is about, and `changed` for how many something is another.
    """

    id: str
    version: int
    state: OwnRejudgeState
    reason: str
    waiting: int
    judging: int
    judged: int
    outcomes: list[Change]
    people: int
    changed: int
    created_at: datetime
    started_by: str | None
    ended_at: datetime | None
    ended_by: str | None


class OwnRejudgePage(BaseModel):
    """One page of a challenge's rejudges, newest first; `next_cursor` is null on the last page."""

    items: list[OwnRejudgeView]
    next_cursor: str | None


class OutcomeView(BaseModel):
    """What somebody's item, and his participation as a whole, came to before and comes to after. `score` is of `points`; points
    by hand are in the totals.
    """

    model_config = ConfigDict(from_attributes=True)
    participation_id: str
    assessment_id: str
    assessment: str
    name: str
    position: int
    points: int
    verdict_before: VerdictName | None
    verdict_after: VerdictName | None
    score_before: float
    score_after: float
    total_before: float
    total_after: float


class OutcomePage(BaseModel):
    """One page of outcomes, newest participation first; `next_cursor` is null on the last page."""

    items: list[OutcomeView]
    next_cursor: str | None


class AppliedRejudge(BaseModel):
    """A rejudge that was applied to an assessment. Of so many `people` for so many something has `changed`. `challenge_id` is
    null once the challenge is deleted.
    """

    id: str
    challenge_id: str | None
    name: str
    title: str
    version: int
    applied_at: datetime
    applied_by: str | None
    people: int
    changed: int


class AppliedPage(BaseModel):
    """One page of applied rejudges, newest first; `next_cursor` is null on the last page."""

    items: list[AppliedRejudge]
    next_cursor: str | None


class RejudgedItem(BaseModel):
    """That an item of a participation was rejudged, and what it had come to before."""

    model_config = ConfigDict(from_attributes=True)
    rejudge_id: str
    position: int
    version: int
    applied_at: datetime
    applied_by: str | None
    verdict_before: VerdictName | None
    verdict_after: VerdictName | None
    score_before: float
    score_after: float
    total_before: float
    total_after: float


class RejudgedItems(BaseModel):
    """Everything of a participation that was rejudged, newest first (the last hundred)."""

    items: list[RejudgedItem]
