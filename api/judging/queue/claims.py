"""Chooses the queued jobs that a node gets for its free slots, and claims them: SQL then says that the node owns them."""

import functools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Challenge
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.judging.queue.service import give_up
from api.judging.submissions.models import IS_QUEUED, TABLE, Judging, Status, Submission, SubmissionSource
from api.kit.db.any_of import any_of
from api.kit.db.database import Moment, now
from api.kit.db.postgres import follow_indexes
from grader.contract.job import Job, Kind

LONGEST_PAUSE = timedelta(minutes=1)
WITHDRAWN = "This challenge was withdrawn before your submission could be judged. It does not count."

# Marks a queued row as claimed. The parameter `claimed` is the id of the row. Every other parameter has the name of a column
# and is its new value. The transaction must have locked the row.
TAKE = update(TABLE).where(TABLE.c.id == bindparam("claimed"))


class Slots(NamedTuple):
    """The number of free slots in each lane. Slots of the lane `any` take every job, slots of the lane `short` take only short
    jobs.
    """

    short: int
    any: int


@dataclass(frozen=True)
class Capacity:
    """What a node can take now. `avoidable` says whether another node can take the jobs that failed on this node. `idle` says
    whether this node is running no job at all.
    """

    node: str
    device: str
    free: Slots
    avoidable: bool
    idle: bool


@dataclass(frozen=True)
class ClaimPolicy:
    """What `claim` needs from the service. `lease_s` is how long, in seconds, a node owns a job before it must renew the lease.
    `served` returns the current version of the challenge with a slug; `pinned` returns the version with a digest, if it is
    stored. `instance_id` is the id of this process. `seed` returns the seed of a judging's random test inputs, by the id of the
    judging.
    """

    lease_s: float
    served: Callable[[str], Challenge | None]
    pinned: Callable[[str, str], Challenge | None]
    instance_id: str
    seed: Callable[[str], int]


@dataclass(frozen=True)
class Claim:
    """A job that was claimed for a node. `waits_since` is when the job entered the queue or, for a retry, when the retry was
    due.
    """

    job: Job
    short: bool
    submission_id: str
    number: int
    attempt: int
    trace: str | None = None
    waits_since: datetime | None = None


@dataclass(frozen=True)
class Claims:
    """The result of one call of `claim`: the claimed jobs, and the ids of submissions that could not be judged because their
    challenge was withdrawn.
    """

    claimed: list[Claim]
    withdrawn: list[str]


async def claim(session: AsyncSession, capacity: Capacity, policy: ClaimPolicy) -> Claims:
    """Claim the next jobs for a node. Each of them gets the next attempt number, a new token, and a lease."""
    await follow_indexes(session)
    claims: list[Claim] = []
    withdrawn: list[str] = []
    chosen = await _choose(session, capacity)
    of = await _sent(session, [row.submission_id for row, _ in chosen])
    for row, short in chosen:
        sent = of[row.submission_id]
        # A candidate's answer is judged with the version of the challenge that the assessment showed. Other answers are judged
        # with the current version of the catalogue.
        of_candidate = sent.role == candidates.ROLE
        challenge = policy.pinned(row.slug, row.digest) if of_candidate else policy.served(row.slug)
        if challenge is None:
            await give_up(session, row.id, WITHDRAWN)
            withdrawn.append(row.submission_id)
        elif short and not challenge.package.info.limits.short:
            await session.execute(update(Judging).where(Judging.id == row.id).values(short=False))
        else:
            job = _job(row, sent, challenge, capacity, policy)
            of_queue = row.trace, row.not_before if row.attempt else row.queued_at
            claims.append(Claim(job, short, row.submission_id, row.number, row.attempt + 1, *of_queue))
    await _take(session, claims, capacity, policy)
    return Claims(claims, withdrawn)


async def _choose(session: AsyncSession, capacity: Capacity) -> list[tuple[Any, bool]]:
    """Return the rows to claim, each with whether it uses a slot that is reserved for short jobs.

    A job whose earlier attempt was lost may have crashed its node. It therefore runs alone, so that another crash does not
    affect other jobs. When such a job is first in the queue, the node gets no further job until it is idle, and then only
    this one.
    """
    free = capacity.free
    query, known = _queued(avoidable=capacity.avoidable, short=not free.any), _known(capacity)
    rows: Sequence[Any] = (await session.execute(query, {**known, "most": free.short + free.any})).all()
    if rows and rows[0].attempt:
        return _assign(rows[:1], free) if capacity.idle else []
    chosen = _assign(list(takewhile(lambda row: not row.attempt, rows)), free)
    rest = free.short - sum(short for _, short in chosen)
    if rest and free.any and len(chosen) == free.any:
        # All slots for jobs of any length are taken, and slots for short jobs are left. Fill them with short jobs from further
        # down the queue.
        taken = [row.id for row, _ in chosen]
        query = _queued(avoidable=capacity.avoidable, short=True).where(Judging.attempt == 0, Judging.id.not_in(taken))
        chosen += [(row, True) for row in (await session.execute(query, {**known, "most": rest})).all()]
    return chosen


def _assign(rows: Any, free: Slots) -> list[tuple[Any, bool]]:
    short, other = free
    chosen = []
    for row in rows:
        if row.short and short:
            short -= 1
            chosen.append((row, True))
        elif other:
            other -= 1
            chosen.append((row, False))
    return chosen


def _known(capacity: Capacity) -> dict[str, Any]:
    moment = now()
    # Every pause before a retry ends before `too_far`. If `not_before` is later than that, the system clock was set back, so
    # `not_before` is ignored.
    return {"now": moment, "too_far": moment + LONGEST_PAUSE, "device": capacity.device, "node": capacity.node}


@functools.cache
def _queued(*, avoidable: bool, short: bool) -> Select[*tuple[Any, ...]]:
    """Build the query for the next rows of the queue; its parameter `most` limits their number. With `avoidable`, jobs that
    failed on this node are left out. With `short`, only short jobs are included. The query is cached, because SQLAlchemy takes
    longer to build it than PostgreSQL takes to answer it.
    """
    query: Select[*tuple[Any, ...]] = select(
        Judging.id,
        Judging.submission_id,
        Judging.account_id,
        Judging.number,
        Judging.slug,
        Judging.digest,
        Judging.short,
        Judging.seed,
        Judging.attempt,
        Judging.trace,
        Judging.queued_at,
        Judging.not_before,
    )
    due = or_(
        Judging.not_before <= bindparam("now", type_=Moment), Judging.not_before > bindparam("too_far", type_=Moment)
    )
    query = query.where(IS_QUEUED, due, Judging.device == bindparam("device"))
    if avoidable:
        query = query.where(or_(Judging.avoid_node.is_(None), Judging.avoid_node != bindparam("node")))
    if short:
        query = query.where(Judging.short)
    return query.order_by(Judging.rank_at, Judging.id).limit(bindparam("most")).with_for_update(skip_locked=True)


async def _take(session: AsyncSession, claims: Sequence[Claim], capacity: Capacity, policy: ClaimPolicy) -> None:
    moment = now()
    same: dict[str, Any] = {
        "status": Status.JUDGING,
        "node": capacity.node,
        "lease_until": moment + timedelta(seconds=policy.lease_s),
        "started_at": moment,
    }
    taken = [
        {
            "claimed": claim.job.id,
            "token": claim.job.token,
            "attempt": claim.attempt,
            "digest": claim.job.digest,
            "seed": claim.job.seed,
            "lane": "short" if claim.short else "any",
            **same,
        }
        for claim in claims
    ]
    if taken:
        await session.execute(TAKE, taken)


def _job(row: Any, sent: Any, challenge: Challenge, capacity: Capacity, policy: ClaimPolicy) -> Job:
    return Job(
        id=row.id,
        # The token ends with the id of this process. If this process dies, other processes can tell which attempts it offered.
        token=secrets.token_hex(12) + policy.instance_id,
        kind=Kind(sent.kind),
        slug=row.slug,
        digest=challenge.package.digest,
        source=sent.source,
        owner=row.account_id,
        device=capacity.device,
        seed=policy.seed(row.id) if row.seed is None else row.seed,
        snippet=sent.snippet,
        team=challenge.team,
    )


async def _sent(session: AsyncSession, submissions: Sequence[str]) -> dict[str, Any]:
    """Return rows with the kind, the source and the snippet of each submission, and the role of the account that sent it. The
    keys are submission ids.
    """
    if not submissions:
        return {}
    query = (
        select(Submission.id, Submission.kind, SubmissionSource.source, SubmissionSource.snippet, Account.role)
        .join(SubmissionSource, SubmissionSource.submission_id == Submission.id)
        .join(Account, Account.id == Submission.account_id)
    )
    return {row.id: row for row in await session.execute(query.where(any_of(session, Submission.id, submissions)))}
