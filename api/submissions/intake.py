"""Taking submissions in: what is refused, what was sent before, what is stored.

This is the path that must be quick, so its query is written as text and its inserts are prepared once; and what comes at the same
moment is stored together (`gathering.py`).
"""

import functools
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Executable, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from api import trips
from api.accounts import candidates
from api.db import Moment, now
from api.errors import ApiError
from api.ids import first_id, new_id
from api.judging import queue
from api.judging import service as steps
from api.judging.models import Judging
from api.judging.queue import Entry
from api.metrics import counters
from api.postgres import on_postgresql
from api.settings import Settings
from api.submissions.models import Submission
from api.submissions.quota import WINDOW_S, Quota, quota_of
from grader.job import Kind
from grader.package import Package

log = structlog.get_logger()
# A rejudge is none of the account's doing (number 1 is the first judging), so it takes nothing of its quota.
# What waits for another device is in nobody's way: without a GPU there, its queue may be full, and others go on.
# `blocking` is the limit-th newest within the minute: when it leaves the minute, there is room again.
BEFORE = """
    SELECT
        CASE WHEN {key} IS NOT NULL THEN
            (SELECT id FROM submission WHERE account_id = {account} AND idempotency_key = {key})
        ELSE
            (SELECT submission.id FROM submission JOIN judging ON judging.submission_id = submission.id
                WHERE submission.account_id = {account} AND submission.id > {since} AND submission.fingerprint = {fingerprint}
                    AND judging.status IN ('queued', 'judging') LIMIT 1)
        END AS earlier,
        (SELECT count(*) FROM judging
            WHERE account_id = {account} AND status IN ('queued', 'judging') AND number = 1) AS unfinished,
        (SELECT max(rank_at) FROM judging
            WHERE account_id = {account} AND device = {device}
                AND status IN ('queued', 'judging') AND number = 1) AS last_rank,
        (SELECT created_at FROM submission WHERE account_id = {account} AND id > {minute}
            ORDER BY id DESC LIMIT 1 OFFSET {skipped}) AS blocking
"""
KNOWN = ("account", "device", "minute", "skipped", "key", "since", "fingerprint")
BEFORE_ONE = text(BEFORE.format(**{name: f":{name}" for name in KNOWN})).columns(last_rank=Moment, blocking=Moment)
BEFORE_EACH = text(f"""
    SELECT before.* FROM unnest(
        CAST(:account AS text[]), CAST(:device AS text[]), CAST(:minute AS text[]), CAST(:skipped AS bigint[]),
        CAST(:key AS text[]), CAST(:since AS text[]), CAST(:fingerprint AS text[])
    ) WITH ORDINALITY AS sent ({", ".join(KNOWN)}, place)
    CROSS JOIN LATERAL ({BEFORE.format(**{name: f"sent.{name}" for name in KNOWN})}) AS before
    ORDER BY sent.place
""")
QUEUED = text("SELECT device, count(*) FROM judging WHERE status = 'queued' GROUP BY device")
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


@dataclass(frozen=True)
class Asked:
    """One who wants something stored. `trace` is the request's own."""

    sent: Sent
    package: Package
    trace: str | None = field(default_factory=queue.own_trace)

    @functools.cached_property
    def fingerprint(self) -> str:
        """Of what was sent."""
        return self.sent.fingerprint(self.package)

    def quota(self, settings: Settings) -> Quota:
        """How much its account may send."""
        return quota_of(self.sent.role, settings, last=self.sent.last)


async def submit(session: AsyncSession, sent: Sent, package: Package, settings: Settings) -> Stored:
    """Store a submission and queue it. Raises `KeyReused`, `TooManyRequests`."""
    (end,) = await store(session, [Asked(sent, package)], settings)
    return told(end)


def told(end: Stored | ApiError) -> Stored:
    """Where a request ends. Raises what it was refused for."""
    if isinstance(end, ApiError):
        raise end
    row = end.judging
    if end.position is not None:
        kind = str(end.submission.kind)
        counters.SUBMISSIONS.labels(kind).inc()
        # In a request this line has its id too: here both meet, and all that follows names the judging.
        log.info("submission_taken", submission=row.submission_id, judging=row.id, slug=row.slug, kind=kind)
    return end


async def store(session: AsyncSession, asked: Sequence[Asked], settings: Settings) -> list[Stored | ApiError]:
    """Store submissions of different accounts, and queue them; for each what it has become, or why it is refused."""
    befores, queued = await _before(session, asked, settings)
    ends: list[Stored | ApiError] = []
    new: list[tuple[Executable, dict[str, Any]]] = []
    for one, before in zip(asked, befores, strict=True):
        try:
            if before.earlier is not None:
                ends.append(await _sent_before(session, before.earlier, one.fingerprint))
                continue
            device = one.sent.device
            one.quota(settings).check(before.unfinished, queued[device], before.blocking)
        except ApiError as error:
            ends.append(error)
            continue
        queued[device] += 1
        submission, source, judging = _rows(one, before, settings)
        new += [(ADD_SUBMISSION, submission), (ADD_SOURCE, source), (queue.ADD, judging)]
        ends.append(Stored(Submission(**submission), Judging(**judging), position=queued[device]))
    if new:
        await trips.write(session, new)
    return ends


def _rows(asked: Asked, before: "Before", settings: Settings) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A submission, its source, and its judging."""
    sent, package = asked.sent, asked.package
    submission: dict[str, Any] = {
        "id": new_id(),
        "account_id": sent.account_id,
        "slug": package.slug,
        "kind": sent.kind,
        "device": sent.device,
        "digest": package.digest,
        "fingerprint": asked.fingerprint,
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
        trace=asked.trace,
    )
    first = sent.role == candidates.ROLE
    judging = queue.row_of(entry, before.last_rank, settings.fair_spacing_s, first=first)
    return submission, source, judging


class Before(NamedTuple):
    """What must be known of an account before another submission of it is stored."""

    earlier: str | None
    unfinished: int
    last_rank: datetime | None
    blocking: datetime | None


async def _before(
    session: AsyncSession, asked: Sequence[Asked], settings: Settings
) -> tuple[list[Before], Counter[str]]:
    """As it is while nothing else of these accounts is stored; and how many wait for each device."""
    names = {f"intake {one.sent.account_id}" for one in asked}
    assert len(names) == len(asked), "each account once: the second would not see the first"
    known = [_known(one, settings) for one in asked]
    if on_postgresql(session):
        queries: list[tuple[Executable, dict[str, Any]]] = [
            (BEFORE_EACH, {name: [each[name] for each in known] for name in KNOWN})
        ]
    else:
        queries = [(BEFORE_ONE, each) for each in known]
    *found, queued = await trips.rows_while_held(session, names, [*queries, (QUEUED, {})])
    return [Before(*row) for rows in found for row in rows], Counter(dict(map(tuple, queued)))


def _known(asked: Asked, settings: Settings) -> dict[str, Any]:
    moment = now()
    return {
        "account": asked.sent.account_id,
        "device": asked.sent.device,
        "minute": first_id(moment - timedelta(seconds=WINDOW_S)),
        "skipped": asked.quota(settings).per_minute - 1,
        "key": asked.sent.key,
        "since": first_id(moment - timedelta(seconds=settings.repeat_window_s)),
        "fingerprint": asked.fingerprint,
    }


async def _sent_before(session: AsyncSession, submission_id: str, fingerprint: str) -> Stored:
    earlier = (await session.scalars(select(Submission).where(Submission.id == submission_id))).one()
    if earlier.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for another submission. Use a fresh key for each.")
    row = await steps.current(session, submission_id)
    assert row is not None, "every submission has a current judging"
    return Stored(earlier, row, position=None)
