"""Taking a submission in: what is refused, what was sent before, what is stored.

This is the path that must be quick, so its one query is written as text and its inserts are prepared once.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from api import trips
from api.accounts import candidates, guests
from api.db import Moment, now
from api.errors import ApiError, TooManyRequests
from api.ids import first_id, new_id
from api.judging import queue
from api.judging import service as steps
from api.judging.models import Judging
from api.judging.queue import Entry
from api.metrics import counters
from api.settings import Settings
from api.submissions.models import Submission
from grader.job import Kind
from grader.package import Package

log = structlog.get_logger()
WINDOW_S = 60
BOUNDLESS = 2**31 - 1
SAME_KEY = "SELECT id FROM submission WHERE account_id = :account AND idempotency_key = :key"
SAME_TEXT = """
    SELECT submission.id FROM submission JOIN judging ON judging.submission_id = submission.id
    WHERE submission.account_id = :account AND submission.id > :window AND submission.fingerprint = :fingerprint
        AND judging.status IN ('queued', 'judging') LIMIT 1
"""
# A rejudge is none of the account's doing (number 1 is the first judging), so it takes nothing of its quota.
# What waits for another device is in nobody's way: without a GPU there, its queue may be full, and others go on.
# `blocking` is the limit-th newest within the minute: when it leaves the minute, there is room again.
BEFORE = """
    SELECT
        ({sent_before}) AS earlier,
        (SELECT count(*) FROM judging
            WHERE account_id = :account AND status IN ('queued', 'judging') AND number = 1) AS unfinished,
        (SELECT max(rank_at) FROM judging
            WHERE account_id = :account AND device = :device
                AND status IN ('queued', 'judging') AND number = 1) AS last_rank,
        (SELECT count(*) FROM judging WHERE status = 'queued' AND device = :device) AS queued,
        (SELECT created_at FROM submission WHERE account_id = :account AND id > :minute
            ORDER BY id DESC LIMIT 1 OFFSET :offset) AS blocking
"""
BEFORE_WITH_KEY = text(BEFORE.format(sent_before=SAME_KEY)).columns(last_rank=Moment, blocking=Moment)
BEFORE_WITHOUT_KEY = text(BEFORE.format(sent_before=SAME_TEXT)).columns(last_rank=Moment, blocking=Moment)
ADD_SUBMISSION = insert(Submission.metadata.tables["submission"])
ADD_SOURCE = insert(Submission.metadata.tables["submission_source"])


class SourceTooLarge(ApiError):
    """More source than is taken."""

    status, code = 413, "source_too_large"


class DeviceNotOffered(ApiError):
    """The challenge is not judged on this device."""

    status, code = 422, "device_not_offered"


class NoSamples(ApiError):
    """A challenge without sample tests cannot be run, only submitted."""

    status, code = 422, "no_samples"


class KeyReused(ApiError):
    """An idempotency key came back with something else."""

    status, code = 409, "idempotency_key_reused"


@dataclass(frozen=True)
class Sent:
    """What somebody sent: checked, but not stored yet."""

    account_id: str
    kind: Kind
    device: str
    source: str
    snippet: str
    key: str | None
    role: str = ""
    # What a candidate had written when the time was over: no quota keeps it out.
    last: bool = False

    def fingerprint(self, package: Package) -> str:
        """The same for the same text, kind and device on the same version of the challenge."""
        parts = (package.slug, package.digest, self.kind, self.device, self.source, self.snippet)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def check(sent: Sent, package: Package, settings: Settings) -> None:
    """Refuse what cannot be judged, before anything is stored."""
    for name, content in (("source", sent.source), ("snippet", sent.snippet)):
        if (size := len(content.encode())) > settings.source_kb * 1024:
            raise SourceTooLarge(f"The {name} has {size:,} bytes; at most {settings.source_kb} KiB are taken.")
    if sent.device not in package.info.devices:
        offered = " or ".join(package.info.devices)
        raise DeviceNotOffered(f"{package.slug} is not judged on {sent.device}; choose {offered}.")
    if sent.kind is Kind.RUN and not package.selected(samples_only=True):
        raise NoSamples(f"{package.slug} has no sample tests to run. Send it with kind 'submit'.")


@dataclass(frozen=True)
class Stored:
    """A submission with its judging. `position` in the queue, at most; None if it had been sent before."""

    submission: Submission
    judging: Judging
    position: int | None


async def submit(session: AsyncSession, sent: Sent, package: Package, settings: Settings) -> Stored:
    """Store a submission and queue it. Raises `KeyReused`, `TooManyRequests`."""
    fingerprint = sent.fingerprint(package)
    quota = _quota(sent, settings)
    before = await _before(session, sent, fingerprint, quota)
    if before.earlier is not None:
        return await _sent_before(session, before.earlier, fingerprint)
    _check_quota(before, quota)
    submission: dict[str, Any] = {
        "id": new_id(),
        "account_id": sent.account_id,
        "slug": package.slug,
        "kind": sent.kind,
        "device": sent.device,
        "digest": package.digest,
        "fingerprint": fingerprint,
        "idempotency_key": sent.key,
        "created_at": now(),
    }
    source = {"submission_id": submission["id"], "source": sent.source, "snippet": sent.snippet}
    entry = Entry(
        submission_id=submission["id"],
        account_id=sent.account_id,
        slug=package.slug,
        digest=package.digest,
        device=sent.device,
        short=package.info.limits.short,
    )
    first = sent.role == candidates.ROLE
    judging = queue.row_of(entry, before.last_rank, settings.fair_spacing_s, first=first)
    await trips.write(session, [(ADD_SUBMISSION, submission), (ADD_SOURCE, source), (queue.ADD, judging)])
    row = Judging(**judging)
    counters.SUBMISSIONS.labels(str(sent.kind)).inc()
    # In a request this line has its id too: here both meet, and all that follows names the judging.
    log.info("submission_taken", submission=row.submission_id, judging=row.id, slug=package.slug, kind=str(sent.kind))
    return Stored(Submission(**submission), row, position=before.queued + 1)


@dataclass(frozen=True)
class Quota:
    """How much one account may send."""

    unfinished: int
    per_minute: int
    queue_limit: int
    repeat_window_s: float


def _quota(sent: Sent, settings: Settings) -> Quota:
    if sent.last:
        return Quota(BOUNDLESS, BOUNDLESS, BOUNDLESS, settings.repeat_window_s)
    one = (settings.unfinished_per_account, settings.submissions_per_minute)
    guest = (settings.unfinished_per_guest, settings.submissions_per_minute_of_a_guest)
    quota = guest if sent.role == guests.ROLE else one
    return Quota(*quota, settings.queue_limit, settings.repeat_window_s)


class Before(NamedTuple):
    """All that must be known before another submission of an account is stored."""

    earlier: str | None
    unfinished: int
    last_rank: datetime | None
    queued: int
    blocking: datetime | None


async def _before(session: AsyncSession, sent: Sent, fingerprint: str, quota: Quota) -> Before:
    """As it is while nothing else of this account is stored."""
    known = {
        "account": sent.account_id,
        "device": sent.device,
        "minute": first_id(now() - timedelta(seconds=WINDOW_S)),
        "offset": quota.per_minute - 1,
    }
    if sent.key is not None:
        query, more = BEFORE_WITH_KEY, {"key": sent.key}
    else:
        window = first_id(now() - timedelta(seconds=quota.repeat_window_s))
        query, more = BEFORE_WITHOUT_KEY, {"window": window, "fingerprint": fingerprint}
    return Before(*await trips.row_while_held(session, f"intake {sent.account_id}", query, {**known, **more}))


async def _sent_before(session: AsyncSession, submission_id: str, fingerprint: str) -> Stored:
    earlier = (await session.scalars(select(Submission).where(Submission.id == submission_id))).one()
    if earlier.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for another submission. Use a fresh key for each.")
    row = await steps.current(session, submission_id)
    assert row is not None, "every submission has a current judging"
    return Stored(earlier, row, position=None)


def _check_quota(before: Before, quota: Quota) -> None:
    if before.unfinished >= quota.unfinished:
        raise TooManyRequests(
            f"You have {before.unfinished} submissions in the queue already. Wait for one to end, or cancel one.",
            retry_after_s=2,
        )
    if before.queued >= quota.queue_limit:
        raise TooManyRequests("The queue is full. Please try again in a minute.", retry_after_s=60)
    if before.blocking is not None:
        limit, until = quota.per_minute, before.blocking + timedelta(seconds=WINDOW_S)
        raise TooManyRequests(
            f"At most {limit} submissions a minute. Please wait a little.",
            retry_after_s=(until - now()).total_seconds(),
        )
