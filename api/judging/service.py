"""The steps of a judging: claim, release, extend, apply, fault, lose, cancel. Each is one short piece of SQL.

Every step out of `judging` is a compare-and-set on token and status: a late or repeated message changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.among import among
from api.db import changed, now
from api.judging.models import IS_JUDGING, TABLE, Judging, Status
from api.settings import Settings
from api.submissions.models import Submission
from grader.job import Judgement, Verdict

NOT_COUNTED = "This was our fault and does not count. You may submit again; an admin can have this one judged again."
# The columns are those of the values that it is executed with.
APPLY = update(TABLE).where(
    TABLE.c.id == bindparam("judged"), TABLE.c.token == bindparam("of"), TABLE.c.status == Status.JUDGING
)
NO_OWNER: dict[str, Any] = {"token": None, "lease_until": None, "node": None, "lane": None}


@dataclass(frozen=True)
class Loss:
    """Why an attempt ended without a judgement. `counts`: it was a fault that the node reported.
    `avoid`: rather try another node next. `cause` is for the figures.
    """

    reason: str
    counts: bool = False
    avoid: bool = True
    cause: Literal["fault", "lease", "node", "restart"] = "node"


async def current(session: AsyncSession, submission_id: str) -> Judging | None:
    """The judging of a submission that counts, with its judgement."""
    query = select(Judging).where(Judging.submission_id == submission_id, ~Judging.superseded)
    row: Judging | None = await session.scalar(query.options(undefer(Judging.judgement)))
    return row


async def release(session: AsyncSession, token: str) -> bool:
    """Undo a claim that the node did not take up: it costs no attempt."""
    values = {**NO_OWNER, "status": Status.QUEUED, "attempt": Judging.attempt - 1, "started_at": None}
    return bool(changed(await session.execute(_step(token).values(values))))


async def extend(session: AsyncSession, tokens: Sequence[str], lease_s: float) -> int:
    """Prolong the leases of these attempts; returns how many still hold."""
    query = update(Judging).where(Judging.token.in_(tokens), Judging.status == Status.JUDGING)
    return changed(await session.execute(query.values(lease_until=now() + timedelta(seconds=lease_s))))


async def held(session: AsyncSession, node: str, tokens: Sequence[str]) -> list[str]:
    """Which of these attempts are still the node's."""
    query = select(Judging.token).where(Judging.token.in_(tokens), Judging.node == node)
    return [token for token in await session.scalars(query.where(Judging.status == Status.JUDGING)) if token]


async def attempts(session: AsyncSession, tokens: Sequence[str]) -> list[tuple[Judging, str]]:
    """Those of these attempts that are still being judged, each with the kind of its submission. Nobody else changes them until
    the end of the transaction.
    """
    query = select(Judging, Submission.kind).join(Submission, Submission.id == Judging.submission_id)
    query = query.where(among(session, Judging.token, tokens), Judging.status == Status.JUDGING)
    found = await session.execute(query.order_by(Judging.id).with_for_update(of=Judging))
    return [(row, kind) for row, kind in found]


async def apply(session: AsyncSession, judged: Sequence[tuple[Judging, Judgement]]) -> None:
    """Write judgements of attempts that this transaction holds. The rows are as they are written, and detached."""
    written = []
    for row, judgement in judged:
        values = _written(judgement)
        written.append({"judged": row.id, "of": row.token, **values})
        session.expunge(row)
        for name, value in values.items():
            setattr(row, name, value)
    if written:
        await session.execute(APPLY, written)


def _written(judgement: Judgement) -> dict[str, Any]:
    return {
        "status": Status.JUDGED,
        "verdict": judgement.verdict,
        "score": judgement.score,
        "max_score": judgement.max_score,
        "cpu_s": judgement.cpu_s,
        "memory_mb": judgement.memory_mb,
        "message": judgement.message,
        "judgement": msgspec.json.encode(judgement).decode(),
        "ended_at": now(),
        "lease_until": None,
    }


async def lose(session: AsyncSession, rows: Sequence[Judging], loss: Loss, settings: Settings) -> list[Judging]:
    """Queue these attempts again, or end them with JE when they were tried often enough. Returns what was changed."""
    done = [row for row in rows if row.token and await _lose_one(session, row, loss, settings)]
    ids = [row.id for row in done]
    fresh = await session.scalars(select(Judging).where(Judging.id.in_(ids)).execution_options(populate_existing=True))
    return list(fresh)


async def give_up(session: AsyncSession, judging_id: str, reason: str) -> bool:
    """End a queued judging with JE: it can never be judged."""
    query = update(Judging).where(Judging.id == judging_id, Judging.status == Status.QUEUED)
    return bool(changed(await session.execute(query.values(_judge_error(reason)))))


async def cancel(session: AsyncSession, row: Judging) -> bool:
    """Cancel a judging as it was read; False when it has moved on meanwhile."""
    same_token = Judging.token.is_(None) if row.token is None else Judging.token == row.token
    query = update(Judging).where(Judging.id == row.id, Judging.status == row.status, same_token)
    values = {"status": Status.CANCELLED, "ended_at": now(), "lease_until": None}
    return bool(changed(await session.execute(query.values(values))))


async def being_judged(session: AsyncSession, *where: ColumnElement[bool]) -> list[Judging]:
    """Rows that are being judged and meet these conditions."""
    query = select(Judging).where(IS_JUDGING, *where)
    return list(await session.scalars(query.with_for_update(skip_locked=True)))


async def _lose_one(session: AsyncSession, row: Judging, loss: Loss, settings: Settings) -> bool:
    faults = row.infra_faults + loss.counts
    values: dict[str, Any] = {"infra_faults": faults, "avoid_node": row.node if loss.avoid else None}
    if faults >= settings.max_faults or row.attempt >= settings.max_attempts:
        values |= _judge_error(f"The grader failed {row.attempt} times ({loss.reason}). {NOT_COUNTED}")
    else:
        pause = settings.fault_pause_s if loss.counts else 0
        values |= {**NO_OWNER, "status": Status.QUEUED, "not_before": now() + timedelta(seconds=pause)}
    return bool(changed(await session.execute(_step(row.token or "").values(values))))


def _judge_error(reason: str) -> dict[str, Any]:
    return {
        "status": Status.JUDGED,
        "verdict": Verdict.JE,
        "score": 0,
        "message": reason,
        "ended_at": now(),
        "lease_until": None,
    }


def _step(token: str) -> Any:
    return (
        update(Judging)
        .where(Judging.token == token, Judging.status == Status.JUDGING)
        .execution_options(synchronize_session=False)
    )
