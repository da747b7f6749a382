"""Requests and responses of the admin routes."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.judging.intake.schemas import SubmissionCard, VerdictName
from api.kit.text import CleanText

Role = Literal["guest", "account", "admin"]


class NewRole(BaseModel):
    """The new role of an account."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"role": "admin"}})
    role: Literal["account", "admin"]


class NewBan(BaseModel):
    """The reason for a ban. The owner of the account reads it when signing in."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"reason": "Attacked other people's work."}}
    )
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=300), CleanText]


class AccountRow(BaseModel):
    """An account in a list. `ban` is the reason why it is banned, or null. For a guest, `email` is empty."""

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
    """The number of submissions with this verdict."""

    verdict: VerdictName
    count: int


class AccountFacts(AccountRow):
    """An account and statistics about it, without anything that its owner wrote."""

    last_seen_at: datetime | None
    sessions: int
    tokens: int
    submissions: int
    unfinished: int
    verdicts: list[VerdictNumber]
    reports: int


class SentSubmission(SubmissionCard):
    """A submission of any account. `judging` is 1, or more if the submission was judged again. `attempt` is how many times a
    node has begun this judging, and `node` is the last node that did. `message` explains the verdict.
    """

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
    """The number of submissions on one day (UTC)."""

    day: date
    submissions: int


class Latency(BaseModel):
    """How many seconds submissions of the last seven days took from entering the queue to the verdict: the median (`p50_s`) and
    the 95th percentile (`p95_s`). Both are null if there were no submissions. `judgings` is how many submissions were measured,
    at most the newest 2,000.
    """

    judgings: int
    p50_s: float | None
    p95_s: float | None


class Overview(BaseModel):
    """Statistics about the site. `verdicts` and `judge_error_rate` cover the last 30 days. `accounts` does not include guests,
    which are counted in `guests`.
    """

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
