"""What the desk shows."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.submissions.schemas import SubmissionCard, VerdictName
from api.text import CleanText

Role = Literal["guest", "account", "admin"]


class NewRole(BaseModel):
    """What an account may do from now on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"role": "admin"}})
    role: Literal["account", "admin"]


class NewBan(BaseModel):
    """Why an account is closed; its owner reads it when signing in."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"reason": "Attacked other people's work."}}
    )
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=300), CleanText]


class AccountRow(BaseModel):
    """An account in a list. `ban` is why it is closed, null if it is not. A guest has no e-mail."""

    id: str
    email: str
    name: str
    role: Role
    ban: str | None
    created_at: datetime


class AccountRowPage(BaseModel):
    """One page of accounts, newest first; `next_cursor` is null on the last page."""

    items: list[AccountRow]
    next_cursor: str | None


class VerdictNumber(BaseModel):
    """How many judgings ended with a verdict."""

    verdict: VerdictName
    count: int


class AccountFacts(AccountRow):
    """What is known of an account without reading anything that it wrote."""

    last_seen_at: datetime | None
    sessions: int
    tokens: int
    submissions: int
    unfinished: int
    verdicts: list[VerdictNumber]
    reports: int


class SentSubmission(SubmissionCard):
    """A submission of anybody's: whose it is, where it was judged, what the judging said."""

    account_id: str
    judging: int
    attempt: int
    node: str | None
    message: str


class SentSubmissionPage(BaseModel):
    """One page of submissions, newest first; `next_cursor` is null on the last page."""

    items: list[SentSubmission]
    next_cursor: str | None


class Day(BaseModel):
    """What was sent on one day (UTC)."""

    day: date
    submissions: int


class Latency(BaseModel):
    """Seconds from the queue to the verdict, of the newest `judgings` within seven days; null while there are none."""

    judgings: int
    p50_s: float | None
    p95_s: float | None


class Overview(BaseModel):
    """The site in numbers. Verdicts and judge errors are of the last 30 days, guests are not counted as accounts."""

    accounts: int
    new_accounts: int
    admins: int
    guests: int
    banned: int
    days: list[Day]
    verdicts: list[VerdictNumber]
    judge_error_rate: float | None
    latency: Latency
    open_reports: int
    open_suggestions: int
