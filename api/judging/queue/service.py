"""The SQL statements that change a judging's state: release, extend, apply, lose, give up and cancel. Claiming is in
`claims.py`.

A statement that changes a judging with the status `judging` has the expected token and status in its condition. If a message
from a node is late or repeated, no row matches, so nothing changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.judging.submissions.models import IS_JUDGING, TABLE, Judging, Status, Submission
from api.kit.db.any_of import any_of
from api.kit.db.database import changed, now
from api.settings import Settings
from grader.contract.job import Judgement, Verdict

NOT_COUNTED = (
    "This was a fault of the grader and does not count. You can submit again, or ask an admin to have this submission judged "
    "again."
)
# Stores a judgement. The parameter `judged` is the id of the row, and `of` is the token of its attempt. Every other parameter
# has the name of a column and is its new value.
APPLY = update(TABLE).where(
    TABLE.c.id == bindparam("judged"), TABLE.c.token == bindparam("of"), TABLE.c.status == Status.JUDGING
)
NO_OWNER: dict[str, Any] = {"token": None, "lease_until": None, "node": None, "lane": None}


@dataclass(frozen=True)
class Loss:
    """Why an attempt ended without a judgement. `counts` is true if the node reported a fault of the grader; the setting
    `max_faults` limits how many of these a judging may have. `avoid` says whether the next attempt should be on another node.
    `cause` is a label in the metrics.
    """

    reason: str
    counts: bool = False
    avoid: bool = True
    cause: Literal["fault", "lease", "node", "restart"] = "node"


async def current(session: AsyncSession, submission_id: str) -> Judging | None:
    """Return the current judging of a submission, the one that no rejudge has superseded. Its judgement is loaded too."""
    query = select(Judging).where(Judging.submission_id == submission_id, ~Judging.superseded)
    row: Judging | None = await session.scalar(query.options(undefer(Judging.judgement)))
    return row


async def release(session: AsyncSession, token: str) -> bool:
    """Return a claimed judging to the queue, as if it had never been claimed: the attempt is not counted. Returns whether the
    judging was changed.
    """
    values = {**NO_OWNER, "status": Status.QUEUED, "attempt": Judging.attempt - 1, "started_at": None}
    return bool(changed(await session.execute(_step(token).values(values))))


async def extend(session: AsyncSession, tokens: Sequence[str], lease_s: float) -> int:
    """Let the leases of these attempts end `lease_s` seconds from now. Returns how many of them are still being judged."""
    query = update(Judging).where(Judging.token.in_(tokens), Judging.status == Status.JUDGING)
    return changed(await session.execute(query.values(lease_until=now() + timedelta(seconds=lease_s))))


async def held(session: AsyncSession, node: str, tokens: Sequence[str]) -> list[str]:
    """Return the tokens of those attempts that are still being judged and belong to the node."""
    query = select(Judging.token).where(Judging.token.in_(tokens), Judging.node == node)
    return [token for token in await session.scalars(query.where(Judging.status == Status.JUDGING)) if token]


async def attempts(session: AsyncSession, tokens: Sequence[str]) -> list[tuple[Judging, str]]:
    """Return the rows of those attempts that are still being judged, each with the kind of its submission. The rows are locked
    until the end of the transaction.
    """
    query = select(Judging, Submission.kind).join(Submission, Submission.id == Judging.submission_id)
    query = query.where(any_of(session, Judging.token, tokens), Judging.status == Status.JUDGING)
    found = await session.execute(query.order_by(Judging.id).with_for_update(of=Judging))
    return [(row, kind) for row, kind in found]


async def apply(session: AsyncSession, judged: Sequence[tuple[Judging, Judgement]]) -> None:
    """Store the judgements of attempts. This transaction must have locked the rows. Afterwards, the row objects have the stored
    values, and are detached from the session.
    """
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
    """Return these judgings to the queue. After too many attempts or faults, a judging ends with the verdict JE (judge error)
    instead. Returns the changed rows.
    """
    done = [row for row in rows if row.token and await _lose_one(session, row, loss, settings)]
    ids = [row.id for row in done]
    fresh = await session.scalars(select(Judging).where(Judging.id.in_(ids)).execution_options(populate_existing=True))
    return list(fresh)


async def give_up(session: AsyncSession, judging_id: str, reason: str) -> bool:
    """End a queued judging with the verdict JE (judge error), because it can never be judged. Returns whether it was queued."""
    query = update(Judging).where(Judging.id == judging_id, Judging.status == Status.QUEUED)
    return bool(changed(await session.execute(query.values(_judge_error(reason)))))


async def cancel(session: AsyncSession, row: Judging) -> bool:
    """Cancel a judging, and return True. If its state has changed since it was read, do nothing and return False."""
    same_token = Judging.token.is_(None) if row.token is None else Judging.token == row.token
    query = update(Judging).where(Judging.id == row.id, Judging.status == row.status, same_token)
    values = {"status": Status.CANCELLED, "ended_at": now(), "lease_until": None}
    return bool(changed(await session.execute(query.values(values))))


async def being_judged(session: AsyncSession, *where: ColumnElement[bool]) -> list[Judging]:
    """Return the rows with the status `judging` that meet these conditions, and lock them. Rows that another transaction has
    locked are skipped.
    """
    query = select(Judging).where(IS_JUDGING, *where)
    return list(await session.scalars(query.with_for_update(skip_locked=True)))


async def _lose_one(session: AsyncSession, row: Judging, loss: Loss, settings: Settings) -> bool:
    faults = row.infra_faults + loss.counts
    values: dict[str, Any] = {"infra_faults": faults, "avoid_node": row.node if loss.avoid else None}
    if faults >= settings.max_faults or row.attempt >= settings.max_attempts:
        values |= _judge_error(f"The grader failed {row.attempt} times. {NOT_COUNTED}")
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
