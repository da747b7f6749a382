"""Starts and stops rejudges, queues their submissions a few at a time, and reports the changes."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.service import CatalogueStore
from api.identity.accounts import candidates
from api.identity.accounts.models import Account
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.judging.intake.service import queue_trial, rejudge
from api.judging.rejudges.models import OwnRejudge, Rejudge, RejudgeItem
from api.judging.submissions.history import read_judgement
from api.judging.submissions.models import UNFINISHED, Judging, Status, Submission
from api.kit.db.database import changed, now
from api.kit.errors import ApiError
from api.kit.ids import new_id
from grader.content.package import Package

MOST = 20_000
# Maximum number of submissions of one rejudge that are queued or being judged at the same time.
AT_A_TIME = 10
# The states of a rejudge of a catalogue challenge. Rejudges of a team's own challenges have other states.
STATES = ("open", "done", "stopped")
WITHDRAWN = "The challenge was withdrawn from the catalogue."


class RejudgeNotFound(ApiError):
    """There is no such rejudge."""

    status, code = 404, "rejudge_not_found"


class AlreadyRejudging(ApiError):
    """Another rejudge of the challenge is still open."""

    status, code = 409, "already_rejudging"


class RejudgeEnded(ApiError):
    """The rejudge has ended, so it cannot be stopped."""

    status, code = 409, "rejudge_ended"


MADE = (Judging.submission_id == RejudgeItem.submission_id) & (Judging.number == RejudgeItem.number)


async def verdicts(session: AsyncSession, slug: str) -> dict[str, int]:
    """Return how many finished submissions of a challenge have each verdict. At most the newest 20,000 are counted."""
    found = _finished(slug).subquery()
    rows = await session.execute(select(found.c.verdict, func.count()).group_by(found.c.verdict))
    return {str(verdict): count for verdict, count in rows}


async def start(session: AsyncSession, actor: Actor, slug: str) -> Rejudge:
    """Start a rejudge of a challenge's finished submissions. Raises `AlreadyRejudging`."""
    row = Rejudge(id=new_id(), slug=slug, state="open", reason="", created_at=now(), ended_at=None)
    many = await open_with(session, row, _finished(slug))
    audit.record(session, actor, Action.REJUDGE_ALL, slug, rejudge=row.id, submissions=many)
    return row


async def open_with(session: AsyncSession, row: Rejudge, submissions: Select[str, str | None, int]) -> int:
    """Store a new rejudge with its submissions. Returns the number of submissions. Raises `AlreadyRejudging`."""
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise AlreadyRejudging(
            "This challenge is already being rejudged. Wait until that has ended, or stop it."
        ) from None
    found = submissions.subquery()
    items = select(literal(row.id), found.c.submission_id, found.c.verdict, found.c.score, literal(0))
    columns = ["rejudge_id", "submission_id", "before", "before_score", "number"]
    # The PostgreSQL driver reports the row count of an INSERT only if this option is set.
    adding = insert(RejudgeItem).from_select(columns, items).execution_options(preserve_rowcount=True)
    return changed(await session.execute(adding))


async def stop(session: AsyncSession, actor: Actor, rejudge_id: str) -> Rejudge:
    """Stop a rejudge: queue no more of its submissions. Those already in the queue are judged. Raises `RejudgeNotFound`,
    `RejudgeEnded`.
    """
    row = await find(session, rejudge_id)
    query = update(Rejudge).where(Rejudge.id == rejudge_id, Rejudge.state == "open")
    values = {"state": "stopped", "reason": "Stopped by an admin.", "ended_at": now()}
    if not changed(await session.execute(query.values(values))):
        raise RejudgeEnded("This rejudge has already ended.")
    audit.record(session, actor, Action.STOP_REJUDGE, row.slug, rejudge=rejudge_id)
    await session.refresh(row)
    return row


async def find(session: AsyncSession, rejudge_id: str) -> Rejudge:
    """Return a rejudge of a catalogue challenge. Raises `RejudgeNotFound`."""
    row: Rejudge | None = await session.get(Rejudge, rejudge_id)
    if row is None or row.state not in STATES:
        raise RejudgeNotFound("There is no rejudge with this id.")
    return row


def listing(before: str) -> Select[Rejudge]:
    """Return a query for the rejudges of catalogue challenges, newest first."""
    query = select(Rejudge).where(Rejudge.state.in_(STATES)).order_by(Rejudge.id.desc())
    return query.where(Rejudge.id < before) if before else query


async def progress(session: AsyncSession, ids: Sequence[str]) -> dict[str, list[Any]]:
    """Return rows of counts for each of these rejudges, by rejudge id. A row contains a verdict before the rejudge, the status
    and the verdict of the new judging (both None until it is queued), and how many submissions have this combination.
    """
    shape = (RejudgeItem.rejudge_id, RejudgeItem.before, Judging.status, Judging.verdict)
    query = select(*shape, func.count()).outerjoin(Judging, MADE).where(RejudgeItem.rejudge_id.in_(ids))
    found: dict[str, list[Any]] = defaultdict(list)
    for rejudge_id, *rest in await session.execute(query.group_by(*shape)):
        found[rejudge_id].append(rest)
    return found


def changes(rejudge_id: str, before: str) -> Select[RejudgeItem, Judging]:
    """Return a query for the submissions whose verdict or score this rejudge has changed, newest first."""
    other = (Judging.verdict != RejudgeItem.before) | (Judging.score != RejudgeItem.before_score)
    query = select(RejudgeItem, Judging).join(Judging, MADE).order_by(RejudgeItem.submission_id.desc())
    query = query.where(RejudgeItem.rejudge_id == rejudge_id, Judging.status == Status.JUDGED, other)
    return query.where(RejudgeItem.submission_id < before) if before else query


async def find_open(session: AsyncSession, rejudge_id: str) -> Rejudge | None:
    """Return the rejudge, or None if it is not open. Its row is locked until the end of the transaction, so that only one
    process at a time queues submissions of the rejudge.
    """
    query = select(Rejudge).where(Rejudge.id == rejudge_id, Rejudge.state == "open")
    row: Rejudge | None = await session.scalar(query.with_for_update())
    return row


async def step(session: AsyncSession, row: Rejudge, package: Package, store: CatalogueStore) -> int | None:
    """Queue the next few submissions of an open rejudge. Returns how many were queued, or None if all submissions of the
    rejudge are judged. Candidates' answers are judged with the version of the challenge that their assessment used, if it is
    still stored. All other answers are judged with the version in `package`.
    """
    mine = RejudgeItem.rejudge_id == row.id
    under_way = select(func.count()).select_from(RejudgeItem).join(Judging, MADE)
    busy = await session.scalar(under_way.where(mine, Judging.status.in_(UNFINISHED))) or 0
    next_ones = select(RejudgeItem).where(mine, RejudgeItem.number == 0).order_by(RejudgeItem.submission_id.desc())
    items = list(await session.scalars(next_ones.limit(max(0, AT_A_TIME - busy))))
    for item in items:
        await _queue(session, row, item, package, store)
    return len(items) if items or busy else None


async def _queue(
    session: AsyncSession, row: Rejudge, item: RejudgeItem, package: Package, store: CatalogueStore
) -> None:
    query = select(Judging).where(Judging.submission_id == item.submission_id, ~Judging.superseded)
    current = (await session.scalars(query.options(undefer(Judging.judgement)))).one()
    if isinstance(row, OwnRejudge) and current.status not in UNFINISHED:
        item.number = (await queue_trial(session, current, package)).number
    elif current.status not in UNFINISHED:
        role = await session.scalar(select(Account.role).where(Account.id == current.account_id))
        asked = store.version(current.digest) if role == candidates.ROLE else None
        await rejudge(session, current, asked.package if asked else package, read_judgement(current))
        item.number = current.number + 1
    else:
        # Somebody else has already requested to judge this submission again. Use that judging instead of queueing another.
        item.number = current.number


async def end(session: AsyncSession, row: Rejudge, state: str, reason: str = "") -> None:
    """Close an open rejudge of a catalogue challenge."""
    query = update(Rejudge).where(Rejudge.id == row.id, Rejudge.state == "open")
    await session.execute(query.values(state=state, reason=reason, ended_at=now()))


def _finished(slug: str) -> Select[str, str | None, int]:
    query = select(Judging.submission_id, Judging.verdict, Judging.score)
    query = query.join(Submission, Submission.id == Judging.submission_id)
    query = query.where(Submission.slug == slug, Submission.kind.in_(("run", "submit")))
    query = query.where(~Judging.superseded, Judging.status == Status.JUDGED)
    return query.order_by(Judging.submission_id.desc()).limit(MOST)
