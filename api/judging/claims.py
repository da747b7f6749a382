"""Claiming: which queued judgings a node gets, within its free slots."""

import functools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import candidates
from api.accounts.models import Account
from api.among import among
from api.catalogue.service import Challenge
from api.db import Moment, now
from api.judging.models import IS_QUEUED, TABLE, Judging, Status
from api.judging.service import give_up
from api.postgres import follow_indexes
from api.submissions.models import Submission, SubmissionSource
from grader.job import Job, Kind, Policy

LONGEST_PAUSE = timedelta(minutes=1)
WITHDRAWN = "This challenge was withdrawn before your submission could be judged. It does not count."

# The columns are those of the values that it is executed with. Rows of a claim are locked, and were queued.
TAKE = update(TABLE).where(TABLE.c.id == bindparam("claimed"))


class Slots(NamedTuple):
    """Free slots by lane: `any` takes every job, `short` only short ones."""

    short: int
    any: int


@dataclass(frozen=True)
class Wish:
    """What a node can take now. `avoidable`: there is another node for jobs that failed here. `idle`: it judges nothing. `kept`:
    accounts whose own cells wait at its free slots.
    """

    node: str
    device: str
    free: Slots
    avoidable: bool
    idle: bool
    kept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Terms:
    """On what terms jobs are given out: length of the lease, who may share a cell, what is served under a slug, what was
    pinned under a slug with a digest, and the mark of the process that gives them out.
    """

    lease_s: float
    policy: Policy
    served: Callable[[str], Challenge | None]
    pinned: Callable[[str, str], Challenge | None]
    mark: str


@dataclass(frozen=True)
class Claim:
    """A job that is now the node's to judge, with the trace that it belongs to."""

    job: Job
    short: bool
    submission_id: str
    number: int
    attempt: int
    trace: str | None = None
    waits_since: datetime | None = None


@dataclass(frozen=True)
class Claims:
    """The outcome of one round: claims, and judgings that ended since their challenge is gone."""

    claimed: list[Claim]
    withdrawn: list[str]


async def claim(session: AsyncSession, wish: Wish, terms: Terms) -> Claims:
    """Take the next judgings for a node: attempt + 1, a fresh token, a lease."""
    await follow_indexes(session)
    claims: list[Claim] = []
    withdrawn: list[str] = []
    chosen = await _choose(session, wish)
    of = await _sent(session, [row.submission_id for row, _ in chosen])
    for row, short in chosen:
        sent = of[row.submission_id]
        # An assessment stays what it was at its first start; practice follows the catalogue.
        of_candidate = sent.role == candidates.ROLE
        challenge = terms.pinned(row.slug, row.digest) if of_candidate else terms.served(row.slug)
        if challenge is None:
            await give_up(session, row.id, WITHDRAWN)
            withdrawn.append(row.submission_id)
        elif short and not challenge.package.info.limits.short:
            await session.execute(update(Judging).where(Judging.id == row.id).values(short=False))
        else:
            job = _job(row, sent, challenge, wish, terms)
            of_queue = row.trace, row.not_before if row.attempt else row.queued_at
            claims.append(Claim(job, short, row.submission_id, row.number, row.attempt + 1, *of_queue))
    await _take(session, claims, wish, terms)
    return Claims(claims, withdrawn)


async def _choose(session: AsyncSession, wish: Wish) -> list[tuple[Any, bool]]:
    """Rows to claim, each with whether it goes to the short lane.

    What was lost before may have killed its node: it is judged alone, so that it takes nobody with it when it does so
    again. When its turn comes, the node takes nothing else until it is idle.
    """
    free = wish.free
    query, known = _queued(avoidable=wish.avoidable, short=not free.any), _known(wish)
    rows: Sequence[Any] = (await session.execute(query, {**known, "most": free.short + free.any})).all()
    if rows and rows[0].attempt:
        return _assign(rows[:1], free) if wish.idle else []
    if rows and wish.kept:
        # A cell that serves one account takes ten times as long to start as to judge: what else that account has queued, which
        # is a handful at most, comes before a cell is ended for somebody else.
        query = query.where(Judging.account_id.in_(wish.kept), Judging.attempt == 0)
        own = (await session.execute(query, {**known, "most": free.short + free.any})).all()
        first = {row.id for row in own}
        rows = [*own, *(row for row in rows if row.id not in first)]
    chosen = _assign(list(takewhile(lambda row: not row.attempt, rows)), free)
    rest = free.short - sum(short for _, short in chosen)
    if rest and free.any and len(chosen) == free.any:
        # Long jobs filled every other slot: the short lane may have short jobs further down the queue.
        taken = [row.id for row, _ in chosen]
        query = _queued(avoidable=wish.avoidable, short=True).where(Judging.attempt == 0, Judging.id.not_in(taken))
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


def _known(wish: Wish) -> dict[str, Any]:
    moment = now()
    # Further ahead than any pause: the clock was set back since, and nobody shall wait for it to come round again.
    return {"now": moment, "too_far": moment + LONGEST_PAUSE, "device": wish.device, "node": wish.node}


@functools.cache
def _queued(*, avoidable: bool, short: bool) -> Select[*tuple[Any, ...]]:
    """The next `most` of them, in order; made once, because SQLAlchemy takes longer to make it than PostgreSQL to answer."""
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


async def _take(session: AsyncSession, claims: Sequence[Claim], wish: Wish, terms: Terms) -> None:
    moment = now()
    same: dict[str, Any] = {
        "status": Status.JUDGING,
        "node": wish.node,
        "lease_until": moment + timedelta(seconds=terms.lease_s),
        "started_at": moment,
    }
    taken = [
        {
            "claimed": claim.job.id,
            "token": claim.job.token,
            "attempt": claim.attempt,
            "digest": claim.job.digest,
            "lane": "short" if claim.short else "any",
            **same,
        }
        for claim in claims
    ]
    if taken:
        await session.execute(TAKE, taken)


def _job(row: Any, sent: Any, challenge: Challenge, wish: Wish, terms: Terms) -> Job:
    return Job(
        id=row.id,
        # It ends with who gives the job out: whoever comes after a process that died knows what that one had.
        token=secrets.token_hex(12) + terms.mark,
        kind=Kind(sent.kind),
        slug=row.slug,
        digest=challenge.package.digest,
        source=sent.source,
        owner=row.account_id,
        device=wish.device,
        policy=_policy(terms.policy, sent.role),
        seed=row.seed,
        snippet=sent.snippet,
        team=challenge.team,
    )


async def _sent(session: AsyncSession, submissions: Sequence[str]) -> dict[str, Any]:
    """What was sent, and as whom, by submission."""
    if not submissions:
        return {}
    query = (
        select(Submission.id, Submission.kind, SubmissionSource.source, SubmissionSource.snippet, Account.role)
        .join(SubmissionSource, SubmissionSource.submission_id == Submission.id)
        .join(Account, Account.id == Submission.account_id)
    )
    return {row.id: row for row in await session.execute(query.where(among(session, Submission.id, submissions)))}


def _policy(usual: Policy, role: str) -> Policy:
    """A cell that a candidate's answer ran in serves nobody else."""
    return Policy.ACCOUNT if role == candidates.ROLE and usual is Policy.SHARED else usual
