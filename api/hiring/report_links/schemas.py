"""Request and response bodies of links to reports."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from api.hiring.assistant.schemas import Transcript
from api.hiring.monitoring.schemas import SignalCounts, WatchedSection
from api.hiring.plans.plan import Recorded
from api.hiring.results.schemas import LaterAnswer
from api.hiring.taking.question_items import WrittenAnswer
from api.hiring.taking.schemas import ScoredItem
from api.judging.intake.schemas import SubmissionView


class NewReportLink(BaseModel):
    """The number of days after which the link expires."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"days": 7}})
    days: Annotated[int, Field(strict=True, ge=1, le=90)] = 7


class Opening(BaseModel):
    """An opening of a link: when, and with which browser (its User-Agent header)."""

    model_config = ConfigDict(from_attributes=True)
    at: datetime
    agent: str


class ReportLinkView(BaseModel):
    """A link to a report. `created_by` is the name of the member who made it, or null if that account was deleted. `openings`
    are the last openings, newest first, and `opened` is their number.
    """

    id: str
    created_by: str | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    opened: int
    openings: list[Opening]


class MadeReportLink(ReportLinkView):
    """A new link. `link` is shown only once."""

    link: str


class ReportLinks(BaseModel):
    """The links to a report, newest first."""

    items: list[ReportLinkView]


class SharedItem(ScoredItem):
    """An item of a shared report. `answer` is the answer that counts, with the results of all tests, and `source` its code.
    `later` is the last answer, or null if that is the one that counts. `text` is the answer to a question that reviewers grade.
    """

    title: str
    spent_s: int
    answer: SubmissionView | None
    source: str
    later: LaterAnswer | None
    text: WrittenAnswer | None


class SharedReport(BaseModel):
    """A report as people with the link see it. `recorded` lists the activity that was recorded. It contains neither the
    candidate's email address nor the team's notes, rubric, decision and comparisons.
    """

    team: str
    assessment: str
    name: str
    is_test: bool
    started_at: datetime
    finished_at: datetime | None
    adjusted: float
    to_review: int
    points: int
    recorded: list[Recorded]
    signals: SignalCounts
    sections: list[WatchedSection]
    items: list[SharedItem]
    transcript: Transcript
    expires_at: datetime
