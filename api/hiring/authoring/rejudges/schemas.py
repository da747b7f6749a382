"""Request and response bodies of rejudges of a team's own challenges."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from api.judging.intake.schemas import VerdictName
from api.judging.rejudges.schemas import Change
from api.kit.ids import Id

OwnRejudgeState = Literal["trying", "ready", "applied", "dropped"]


class NewOwnRejudge(BaseModel):
    """The assessments whose answers are judged again on the published version. Only answers of finished participations are
    judged again. With `never_lower`, an answer keeps its earlier result if the new one is lower.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"assessments": ["0" * 32]}})
    assessments: Annotated[list[Id], Field(min_length=1, max_length=100)]
    never_lower: StrictBool = False


class OutdatedAssessment(BaseModel):
    """An assessment in which answers of finished participations were judged on another version than the published one.
    `submissions` is the number of these answers, and `people` is the number of participations that they belong to.
    """

    id: str
    name: str
    people: int
    submissions: int


class Outdated(BaseModel):
    """The assessments that a rejudge on the published `version` can include. `version` is null if no version is published."""

    version: int | None
    assessments: list[OutdatedAssessment]


class OwnRejudgeView(BaseModel):
    """A rejudge with its progress. `waiting` is the number of answers that are not queued yet, `judging` the number of those
    that are queued or being judged, and `judged` the number of those with a new result. `outcomes` counts the judged answers by
    their earlier and their new verdict. Once the rejudge is ready, `people` is the number of participations with a rejudged
    answer, and `changed` is the number of those whose result changes.
    """

    id: str
    version: int
    never_lower: bool
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
    """The result of an item and of its participation, before and after the rejudge. The scores of the item are out of `points`.
    Totals include points that were given manually.
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
    """A rejudge that was applied to an assessment. `people` is the number of participations with a rejudged answer, and
    `changed` is the number of those whose result changed. `challenge_id` is null if the challenge was deleted.
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
    """An item of a participation that was rejudged, with its result before and after the rejudge."""

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
    """The rejudged items of a participation, at most one hundred. Items of the newest rejudge come first."""

    items: list[RejudgedItem]
