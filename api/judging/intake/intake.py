"""Stores submissions: refuses invalid ones, returns what is already stored for repeated ones, and queues all others.

This code must be fast. Its query is therefore written as SQL text, its inserts are built only once, and submissions that arrive
at the same moment are stored together (`batching.py`).
"""

import functools
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import ClauseElement, column, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import candidates
from api.judging.intake.quota import WINDOW_S, Quota, quota_of
from api.judging.queue import order
from api.judging.queue import service as steps
from api.judging.queue.order import Entry
from api.judging.submissions import metrics
from api.judging.submissions.models import Judging, Submission
from api.kit.db import pipeline
from api.kit.db.database import Moment, now
from api.kit.db.postgres import on_postgresql
from api.kit.errors import ApiError
from api.kit.ids import first_id, new_id
from api.settings import Settings
from grader.content.package import Package
from grader.contract.job import Kind

log = structlog.get_logger()
# Reads what decides whether an account may store another submission. The columns are the fields of `Before`. `earlier` is the
# submission that this request repeats: the one with the same idempotency key or, without a key, a recent unfinished one with
# the same content. `unfinished` is how many of the account's submissions are not judged yet. `last_rank` is the latest rank in
# the queue of those for the same device; submissions that wait for a missing GPU must not delay the account's others. Neither
# number includes rejudges (number > 1), because the account did not request them.
#
# `blocking` is null unless the account has reached its limit of n submissions per minute. Otherwise it is the time of its n-th
# newest submission, and the next one is accepted a minute after that time. `of_challenge` is the same for the limit of this
# kind for one challenge. If the kind has no such limit, `span` is greater than every id, so that no row matches.
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
            ORDER BY id DESC LIMIT 1 OFFSET {skipped}) AS blocking,
        (SELECT created_at FROM submission
            WHERE account_id = {account} AND slug = {slug} AND kind = {kind} AND id > {span}
            ORDER BY id DESC LIMIT 1 OFFSET {skipped_of_span}) AS of_challenge
"""
KNOWN = tuple("account device minute skipped key since fingerprint slug kind span skipped_of_span".split())
BEFORE_ONE = text(BEFORE.format(**{name: f":{name}" for name in KNOWN})).columns(
    column("earlier"),
    column("unfinished"),
    *(column(name, Moment) for name in ("last_rank", "blocking", "of_challenge")),
)
BEFORE_EACH = text(f"""
    SELECT before.* FROM unnest(
        CAST(:account AS text[]), CAST(:device AS text[]), CAST(:minute AS text[]), CAST(:skipped AS bigint[]),
        CAST(:key AS text[]), CAST(:since AS text[]), CAST(:fingerprint AS text[]), CAST(:slug AS text[]),
        CAST(:kind AS text[]), CAST(:span AS text[]), CAST(:skipped_of_span AS bigint[])
    ) WITH ORDINALITY AS sent ({", ".join(KNOWN)}, place)
    CROSS JOIN LATERAL ({BEFORE.format(**{name: f"sent.{name}" for name in KNOWN})}) AS before
    ORDER BY sent.place
""")
QUEUED = text("SELECT device, count(*) FROM judging WHERE status = 'queued' GROUP BY device")
ADD_SUBMISSION = insert(Submission.metadata.tables["submission"])
ADD_SOURCE = insert(Submission.metadata.tables["submission_source"])


class SourceTooLarge(ApiError):
    """The source is larger than the limit."""

    status, code = 413, "source_too_large"


class DeviceNotOffered(ApiError):
    """The challenge cannot be judged on the kind of device that the request names."""

    status, code = 422, "device_not_offered"


class NoSamples(ApiError):
    """A challenge without sample tests cannot be run, only submitted."""

    status, code = 422, "no_samples"


class KeyReused(ApiError):
    """An idempotency key was reused with different content."""

    status, code = 409, "idempotency_key_reused"


@dataclass(frozen=True)
class SubmissionData:
    """A submission that was validated but is not stored yet."""

    account_id: str
    kind: Kind
    device: str
    source: str
    snippet: str
    key: str | None
    role: str = ""
    # Whether the service itself submits this, for a candidate whose time has run out. Such a submission is exempt from quotas.
    last: bool = False

    def fingerprint(self, package: Package) -> str:
        """Return a hash of source, snippet, kind, device and challenge version, to recognize repeated submissions."""
        parts = (package.slug, package.digest, self.kind, self.device, self.source, self.snippet)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def check(sent: SubmissionData, package: Package, settings: Settings) -> None:
    """Refuse a submission that cannot be judged, before anything is stored. Raises `SourceTooLarge`, `DeviceNotOffered`,
    `NoSamples`.
    """
    for name, content in (("source", sent.source), ("snippet", sent.snippet)):
        if (size := len(content.encode())) > settings.source_kb * 1024:
            raise SourceTooLarge(f"The {name} has {size:,} bytes; at most {settings.source_kb} KiB are allowed.")
    if sent.device not in package.info.devices:
        offered = " or ".join(package.info.devices)
        raise DeviceNotOffered(f"{package.slug} is not judged on {sent.device}; choose {offered}.")
    if sent.kind is Kind.RUN and not package.selected(samples_only=True):
        raise NoSamples(f"{package.slug} has no sample tests to run. Send it with kind 'submit'.")


@dataclass(frozen=True)
class Stored:
    """A stored submission with its judging. `position` is an upper limit for its place in the queue. It is None if the request
    repeats an earlier one, so that nothing new was stored.
    """

    submission: Submission
    judging: Judging
    position: int | None


@dataclass(frozen=True)
class IntakeRequest:
    """A request to store a submission. `trace` is the trace context of the HTTP request."""

    sent: SubmissionData
    package: Package
    trace: str | None = field(default_factory=order.own_trace)

    @functools.cached_property
    def fingerprint(self) -> str:
        return self.sent.fingerprint(self.package)

    def quota(self, settings: Settings) -> Quota:
        return quota_of(self.sent.role, self.sent.kind, settings, last=self.sent.last)


async def submit(session: AsyncSession, sent: SubmissionData, package: Package, settings: Settings) -> Stored:
    """Store a submission and queue it. Raises `KeyReused`, `TooManyRequests`."""
    (end,) = await store(session, [IntakeRequest(sent, package)], settings)
    return unwrap(end)


def unwrap(end: Stored | ApiError) -> Stored:
    """Return a stored submission, or raise the error with which it was refused. Also counts and logs new submissions."""
    if isinstance(end, ApiError):
        raise end
    row = end.judging
    if end.position is not None:
        kind = str(end.submission.kind)
        metrics.SUBMISSIONS.labels(kind).inc()
        # This log line contains both the id of the HTTP request and the id of the judging. Later lines about the judging have
        # only the latter.
        log.info("submission_taken", submission=row.submission_id, judging=row.id, slug=row.slug, kind=kind)
    return end


async def store(
    session: AsyncSession, requests: Sequence[IntakeRequest], settings: Settings
) -> list[Stored | ApiError]:
    """Store and queue submissions of different accounts. Returns, for each request, either the stored submission or the error
    with which the request is refused.
    """
    befores, queued = await _before(session, requests, settings)
    ends: list[Stored | ApiError] = []
    new: list[tuple[ClauseElement, dict[str, Any]]] = []
    for one, before in zip(requests, befores, strict=True):
        try:
            if before.earlier is not None:
                ends.append(await _sent_before(session, before.earlier, one.fingerprint))
                continue
            device = one.sent.device
            one.quota(settings).check(before.unfinished, queued[device], before.blocking, before.of_challenge)
        except ApiError as error:
            ends.append(error)
            continue
        queued[device] += 1
        submission, source, judging = _rows(one, before, settings)
        new += [(ADD_SUBMISSION, submission), (ADD_SOURCE, source), (order.ADD, judging)]
        ends.append(Stored(Submission(**submission), Judging(**judging), position=queued[device]))
    if new:
        await pipeline.write(session, new)
    return ends


def _rows(
    request: IntakeRequest, before: "Before", settings: Settings
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the rows that will be inserted for a submission, its source, and its judging."""
    sent, package = request.sent, request.package
    submission: dict[str, Any] = {
        "id": new_id(),
        "account_id": sent.account_id,
        "slug": package.slug,
        "kind": sent.kind,
        "device": sent.device,
        "digest": package.digest,
        "fingerprint": request.fingerprint,
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
        trace=request.trace,
    )
    first = sent.role == candidates.ROLE
    judging = order.row_of(entry, before.last_rank, settings.fair_spacing_s, first=first)
    return submission, source, judging


class Before(NamedTuple):
    """What decides whether an account may store another submission. `BEFORE` explains the fields."""

    earlier: str | None
    unfinished: int
    last_rank: datetime | None
    blocking: datetime | None
    of_challenge: datetime | None


async def _before(
    session: AsyncSession, requests: Sequence[IntakeRequest], settings: Settings
) -> tuple[list[Before], Counter[str]]:
    """Lock these accounts, so that no other transaction stores submissions of them until this one ends. Return the state of
    each account, and the number of queued submissions of the whole service by device.
    """
    names = {f"intake {one.sent.account_id}" for one in requests}
    assert len(names) == len(requests), "each account once: the second would not see the first"
    known = [_known(one, settings) for one in requests]
    if on_postgresql(session):
        queries: list[tuple[ClauseElement, dict[str, Any]]] = [
            (BEFORE_EACH, {name: [each[name] for each in known] for name in KNOWN})
        ]
    else:
        queries = [(BEFORE_ONE, each) for each in known]
    *found, queued = await pipeline.rows_while_held(session, names, [*queries, (QUEUED, {})])
    return [Before(*row) for rows in found for row in rows], Counter(dict(map(tuple, queued)))


def _known(request: IntakeRequest, settings: Settings) -> dict[str, Any]:
    moment, quota = now(), request.quota(settings)
    return {
        "account": request.sent.account_id,
        "device": request.sent.device,
        "minute": first_id(moment - timedelta(seconds=WINDOW_S)),
        "skipped": quota.per_minute - 1,
        "key": request.sent.key,
        "since": first_id(moment - timedelta(seconds=settings.repeat_window_s)),
        "fingerprint": request.fingerprint,
        "slug": request.package.slug,
        "kind": str(request.sent.kind),
        **quota.window_of_challenge(moment),
    }


async def _sent_before(session: AsyncSession, submission_id: str, fingerprint: str) -> Stored:
    earlier = (await session.scalars(select(Submission).where(Submission.id == submission_id))).one()
    if earlier.fingerprint != fingerprint:
        raise KeyReused("This Idempotency-Key was used for another submission. Use a fresh key for each.")
    row = await steps.current(session, submission_id)
    assert row is not None, "every submission has a current judging"
    return Stored(earlier, row, position=None)
