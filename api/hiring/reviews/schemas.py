"""Request and response bodies of reviews."""

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from api.hiring.plans.plan import Title
from api.hiring.review_records.schemas import DecisionName, ManualView, Mode
from api.kit.text import CleanText

CRITERIA = 20
Written = Annotated[str, AfterValidator(str.strip), StringConstraints(min_length=1, max_length=5000), CleanText]
Words = Annotated[str, AfterValidator(str.strip), StringConstraints(max_length=1000), CleanText]
KeyId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Points = Annotated[float, Field(strict=True, ge=-1000, le=1000, allow_inf_nan=False, multiple_of=0.25)]


class NewNote(BaseModel):
    """A note about a participation. Only the team can read it."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "Explains the mask well; ask about numerics."}}
    )
    text: Written


class NoteView(BaseModel):
    """A note. `author` is the author's name, or null if that account was deleted. If `yours` is true, you wrote the note and
    may change it.
    """

    id: str
    author: str | None
    yours: bool
    text: str
    created_at: datetime
    edited_at: datetime | None


class NotePage(BaseModel):
    """One page of notes, in the order of writing; `next_cursor` is null on the last page."""

    items: list[NoteView]
    next_cursor: str | None


class Criterion(BaseModel):
    """A criterion, scored from 0 to `levels`. A criterion without an `id` is new."""

    model_config = ConfigDict(extra="forbid")
    id: KeyId | None = None
    title: Title
    description: Words = ""
    levels: Annotated[int, Field(strict=True, ge=1, le=10)]


class NewRubric(BaseModel):
    """All criteria of the rubric, and the version that it is based on. Criteria that are left out are removed; their scores
    are kept.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"version": "0", "criteria": [{"title": "Clarity of the code", "levels": 4}]}},
    )
    version: Annotated[str, StringConstraints(max_length=64), CleanText]
    criteria: Annotated[list[Criterion], Field(max_length=CRITERIA)]


class CriterionView(BaseModel):
    """A criterion of the rubric."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    title: str
    description: str
    levels: int


class RubricView(BaseModel):
    """The rubric of an assessment, with its criteria in order."""

    version: str
    criteria: list[CriterionView]


class NewScore(BaseModel):
    """Your own score for a criterion. Null removes it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"level": 3}})
    level: Annotated[int, Field(strict=True, ge=0, le=10)] | None


class ScoreView(BaseModel):
    """A reviewer's score: `level` points out of `levels`. `reviewer` is a name, or null if that account was deleted."""

    reviewer: str | None
    yours: bool
    level: int
    levels: int
    given_at: datetime


class ScoredCriterion(CriterionView):
    """A criterion with the scores of all reviewers. If `retired` is true, it was removed from the rubric."""

    retired: bool
    scores: list[ScoreView]


class NewPoints(BaseModel):
    """Manual points, in steps of 0.25. With the mode `set`, the points replace the automatic points; with `add`, they are added
    to them; with `none`, only the automatic points count. `seen` is the ID of the newest entry of manual points that you have
    seen for this item, or null if you have seen none.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"mode": "add", "points": 1.5, "reason": "Right idea; only the dtype was off.", "seen": None}
        },
    )
    mode: Mode
    points: Points = 0.0
    reason: Words = ""
    seen: KeyId | None

    @model_validator(mode="after")
    def has_a_reason(self) -> Self:
        if self.mode != "none" and not self.reason:
            raise PydanticCustomError("no_reason", "needs a reason: others will read these points")
        return self


class NewDecision(BaseModel):
    """A new decision. `seen` is the ID of the newest decision that you have seen, or null if you have seen none."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"decision": "advance", "reason": "", "seen": None}}
    )
    decision: DecisionName
    reason: Words = ""
    seen: KeyId | None


class DecisionView(BaseModel):
    """A decision. `by` is the name of the member who made it, or null if that member's account was deleted.
    `answers_pending` is how many answers had no final points at that time.
    """

    id: str
    decision: DecisionName
    reason: str
    by: str | None
    at: datetime
    answers_pending: int


class ItemPoints(BaseModel):
    """All manual points that were given for an item, newest first."""

    position: int
    entries: list[ManualView]


class TeamReview(BaseModel):
    """The team's review of a participation: the rubric with its scores, and the manual points and decisions, newest first.
    `answers_pending` is how many answers have no final points yet: those that are being judged, and texts that no reviewer has
    graded. A decision is possible nevertheless, and says so.
    """

    criteria: list[ScoredCriterion]
    points: list[ItemPoints]
    decisions: list[DecisionView]
    answers_pending: int


def decision_view(row: Any, by: str | None) -> DecisionView:
    return DecisionView(
        id=row.id,
        decision=row.decision,
        reason=row.reason,
        by=by,
        at=row.decided_at,
        answers_pending=row.answers_pending,
    )
