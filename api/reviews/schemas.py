"""What travels when members of a team review somebody."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from api.assessments.plan import Title
from api.text import CleanText

CRITERIA = 20
DecisionName = Literal["advance", "hold", "reject", "none"]
Mode = Literal["set", "add", "none"]
Written = Annotated[str, AfterValidator(str.strip), StringConstraints(min_length=1, max_length=5000), CleanText]
Words = Annotated[str, AfterValidator(str.strip), StringConstraints(max_length=1000), CleanText]
KeyId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Points = Annotated[float, Field(strict=True, ge=-1000, le=1000, allow_inf_nan=False, multiple_of=0.25)]


class NewNote(BaseModel):
    """A note about somebody: for the team, never for the candidate."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "Explains the mask well; ask about numerics."}}
    )
    text: Written


class NoteView(BaseModel):
    """A note. `author` is null once that account is gone; `yours`: you may change it."""

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
    """Something to look at, scored from 0 to `levels`. Without an `id` it is new."""

    model_config = ConfigDict(extra="forbid")
    id: KeyId | None = None
    title: Title
    description: Words = ""
    levels: Annotated[int, Field(strict=True, ge=1, le=10)]


class NewRubric(BaseModel):
    """The whole rubric as it is to be, and the version that it was made from. What is left out is not asked any more; scores
    that were given for it stay.
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
    """The rubric of an assessment, in its order."""

    version: str
    criteria: list[CriterionView]


class NewScore(BaseModel):
    """Your own score for a criterion; null takes it back."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"level": 3}})
    level: Annotated[int, Field(strict=True, ge=0, le=10)] | None


class ScoreView(BaseModel):
    """What a reviewer gave: `level` of `levels`."""

    reviewer: str | None
    yours: bool
    level: int
    levels: int
    given_at: datetime


class ScoredCriterion(CriterionView):
    """A criterion with what everybody gave for it. `retired`: it is not in the rubric any more."""

    retired: bool
    scores: list[ScoreView]


class NewPoints(BaseModel):
    """Points by hand, in quarters: `set` in place of the automatic ones, `add` to them, `none` for these alone again. `seen` is
    the id of the entry that you have seen there, null for none.
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
        """Whoever changes points says why."""
        if self.mode != "none" and not self.reason:
            raise PydanticCustomError("no_reason", "needs a reason: others will read these points")
        return self


class ManualView(BaseModel):
    """Points by hand, with the reason; `by` is null once that account is gone."""

    id: str
    mode: Mode
    points: float
    reason: str
    by: str | None
    at: datetime


class NewDecision(BaseModel):
    """What becomes of somebody. `seen` is the id of the decision that you have seen there, null for none."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"decision": "advance", "reason": "", "seen": None}}
    )
    decision: DecisionName
    reason: Words = ""
    seen: KeyId | None


class DecisionView(BaseModel):
    """A decision; `by` is null once that account is gone."""

    id: str
    decision: DecisionName
    reason: str
    by: str | None
    at: datetime


class ItemPoints(BaseModel):
    """Every entry of points by hand for an item, newest first."""

    position: int
    entries: list[ManualView]


class TeamReview(BaseModel):
    """What the team says of a participation: the rubric with scores, points by hand, decisions newest first."""

    criteria: list[ScoredCriterion]
    points: list[ItemPoints]
    decisions: list[DecisionView]


def manual_view(row: Any, by: str | None) -> ManualView:
    """An entry of points by hand."""
    return ManualView(id=row.id, mode=row.mode, points=row.points, reason=row.reason, by=by, at=row.given_at)


def decision_view(row: Any, by: str | None) -> DecisionView:
    """A decision."""
    return DecisionView(id=row.id, decision=row.decision, reason=row.reason, by=by, at=row.decided_at)
