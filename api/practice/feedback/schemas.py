"""Request and response bodies of reports and suggestions, and of hiding what users wrote. All text is shown as plain text, never
rendered as Markdown or HTML.
"""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictBool, StringConstraints, model_validator

from api.kit.text import CleanLine, CleanText, normalized

ErrorKind = Literal["verdict", "statement", "typo", "fact", "spam", "offensive", "spoiler", "other"]
ReportKind = Literal["suggestion", "verdict", "statement", "typo", "fact", "spam", "offensive", "spoiler", "other"]
About = Literal["challenge", "topic", "question", "comment", "answer"]
# What can be reported about something that a user wrote, and about everything else.
WRITTEN = ("comment", "answer")
KINDS_OF_WRITTEN = ("spam", "offensive", "spoiler", "other")
KINDS_OF_CONTENT = ("verdict", "statement", "typo", "fact", "other")
Decision = Literal["accepted", "declined", "fixed"]
ReportState = Literal["open", "accepted", "declined", "fixed"]
NAME = "[a-z0-9-]{1,100}"

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=10, max_length=4000), CleanText]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000), CleanText]
Title = Annotated[str, AfterValidator(normalized), StringConstraints(min_length=5, max_length=120), CleanLine]
Target = Annotated[str, StringConstraints(max_length=201, pattern=f"^{NAME}(/{NAME})?$")]
SubmissionId = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]


class NewReport(BaseModel):
    """A report of an error, or of something that a user wrote. `target` is the slug of a challenge, the ID of a topic, the ID of
    a quiz question in the form `topic/question`, or the ID of a comment or a shared answer in the form `challenge/ID`.

    The kinds `spam`, `offensive` and `spoiler` are for comments and answers. `verdict`, `statement`, `typo` and `fact` are for
    everything else, and `other` is for both.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "about": "challenge",
                "target": "add-one",
                "kind": "statement",
                "words": "The example adds two, the text says one.",
            }
        },
    )
    about: About
    target: Target
    kind: ErrorKind
    words: Words
    submission_id: SubmissionId | None = None

    @model_validator(mode="after")
    def with_a_fitting_kind(self) -> Self:
        fitting = KINDS_OF_WRITTEN if self.about in WRITTEN else KINDS_OF_CONTENT
        if self.kind not in fitting:
            raise ValueError(f"`kind` of a report about this must be one of: {', '.join(fitting)}")
        return self


class NewSuggestion(BaseModel):
    """A suggestion for a question that is missing on this site: what it should test, why interviewers ask it, and further
    remarks.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "title": "Gradient checkpointing by hand",
                "tests": "Recomputing activations in the backward pass.",
                "why": "It was asked in an interview for a training team.",
                "words": "",
            }
        },
    )
    title: Title
    tests: Words
    why: Reason = ""
    words: Reason = ""


class Answer(BaseModel):
    """An admin's decision on a report, and an explanation for the person who sent it. The explanation is required if the report
    is declined.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"state": "fixed", "reply": "You are right: the example adds one now."}},
    )
    state: Decision
    reply: Reason = ""

    @model_validator(mode="after")
    def with_a_reason(self) -> Self:
        if self.state == "declined" and not self.reply:
            raise ValueError("explain in `reply` why it is declined")
        return self


class ReportView(BaseModel):
    """A report or a suggestion as its author sees it. `state` is open until an admin has answered."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    kind: ReportKind
    about: About | Literal[""]
    target: str
    title: str
    words: str
    tests: str
    why: str
    submission_id: str | None
    state: ReportState
    reply: str
    created_at: datetime
    answered_at: datetime | None


class ReportPage(BaseModel):
    """One page of reports, newest first; `next_cursor` is null on the last page."""

    items: list[ReportView]
    next_cursor: str | None


class ReportedContent(BaseModel):
    """The comment or shared answer that a report is about, as it is now, and who wrote it. `text` is the text of a comment;
    `submission_id` is the submission that is shared as an answer. If it is `hidden`, other users cannot read it.
    """

    id: str
    slug: str
    account_id: str
    account_name: str
    text: str
    submission_id: str | None
    hidden: bool


class SentReport(ReportView):
    """A report and its author, for admins. `content` is null if the report is not about a comment or a shared answer, or if
    that was deleted.
    """

    account_id: str
    account_name: str
    content: ReportedContent | None


class Hiding(BaseModel):
    """Whether to hide something that a user wrote."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"hidden": True}})
    hidden: StrictBool


class SentReportPage(BaseModel):
    """One page of all reports; `next_cursor` is null on the last page."""

    items: list[SentReport]
    next_cursor: str | None
