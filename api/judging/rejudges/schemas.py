"""Requests and responses about rejudges."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from api.judging.intake.schemas import Slug, VerdictName


class NewRejudge(BaseModel):
    """The challenge whose finished submissions are judged again."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"slug": "add-one"}})
    slug: Slug


class VerdictCount(BaseModel):
    """The number of submissions with this verdict."""

    verdict: VerdictName
    count: int


class Finished(BaseModel):
    """How many submissions a rejudge of the challenge would judge again: all finished ones, but at most the newest 20,000."""

    slug: str
    submissions: int
    verdicts: list[VerdictCount]


class Change(BaseModel):
    """The number of submissions that had the verdict `before` and now have the verdict `after`. The two can be equal."""

    before: VerdictName
    after: VerdictName
    count: int


class RejudgeView(BaseModel):
    """A rejudge and its progress. Of its submissions, `waiting` have not been put into the queue yet, `judging` are queued or
    running, and `judged` are finished.
    """

    id: str
    slug: str
    state: Literal["open", "done", "stopped"]
    reason: str
    waiting: int
    judging: int
    judged: int
    outcomes: list[Change]
    created_at: datetime
    ended_at: datetime | None


class RejudgePage(BaseModel):
    """One page of rejudges, newest first; `next_cursor` is null on the last page."""

    items: list[RejudgeView]
    next_cursor: str | None


class ChangedSubmission(BaseModel):
    """A submission whose verdict or score has changed."""

    submission_id: str
    account_id: str
    before: VerdictName
    after: VerdictName
    before_score: int
    after_score: int


class ChangedPage(BaseModel):
    """One page of changed submissions, newest first; `next_cursor` is null on the last page."""

    items: list[ChangedSubmission]
    next_cursor: str | None
