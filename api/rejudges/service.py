"""Rules of rejudges: which submissions, a few at a time, and the account of what changed."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.accounts import candidates
from api.audit import service as audit
from api.audit.service import Action, Actor
from api.db import changed, now
from api.errors import ApiError
from api.ids import new_id
from api.judging.models import UNFINISHED, Judging, Status
from api.judging.story import read_judgement
from api.rejudges.models import OwnRejudge, Rejudge, RejudgeItem
from api.submissions.models import Submission
from api.submissions.service import rejudge, try_on
from grader.package import Package

MOST = 20_000
# So many of one rejudge are in the queue at a time; people's own submissions go first in any case.
AT_A_TIME = 10
# Of the catalogue's; those of teams' own challenges have others.
STATES = ("open", "done", "stopped")
WITHDRAWN = "The challenge was withdrawn from the catalogue."


class RejudgeNotFound(ApiError):
    """There is no such rejudge."""

    status, code = 404, "rejudge_not_found"


class AlreadyRejudging(ApiError):
    """One rejudge a challenge at a time."""

    status, code = 409, "already_rejudging"


class RejudgeEnded(ApiError):
    """Too late to stop."""

    status, code = 409, "rejudge_ended"


MADE = (Judging.submission_id == RejudgeItem.submission_id) & (Judging.number == RejudgeItem.number)


async def verdicts(session: AsyncSession, slug: str) -> dict[str, int]:
    """How many finished submissions of a challenge have which verdict."""
    found = _finished(slug).subquery()
    rows = await session.execute(select(found.c.verdict, func.count()).group_by(found.c.verdict))
    return {str(verdict): count for verdict, count in rows}


async def start(session: AsyncSession, actor: Actor, slug: str) -> Rejudge:
    """Begin a rejudge of a challenge's finished submissions. Raises `AlreadyRejudging`."""
    row = Rejudge(id=new_id(), slug=slug, state="open", reason="", created_at=now(), ended_at=None)
    many = await open_with(session, row, _finished(slug))
    audit.record(session, actor, Action.REJUDGE_ALL, slug, rejudge=row.id, submissions=many)
    return row


async def open_with(session: AsyncSession, row: Rejudge, submissions: Select[str, str | None, int]) -> int:
    """Keep a new rejudge with the submissions that it is about; returns how many. Raises `AlreadyRejudging`."""
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise AlreadyRejudging("This challenge is being rejudged already. Wait for the end, or end that one.") from None
    found = submissions.subquery()
    items = select(literal(row.id), found.c.submission_id, found.c.verdict, found.c.score, literal(0))
    columns = ["rejudge_id", "submission_id", "before", "before_score", "number"]
    # PostgreSQL's driver is asked for the number of an INSERT's rows only when somebody says that he wants it.
    adding = insert(RejudgeItem).from_select(columns, items).execution_options(preserve_rowcount=True)
    return changed(await session.execute(adding))


async def stop(session: AsyncSession, actor: Actor, rejudge_id: str) -> Rejudge:
    """Queue no more of it; what is in the queue is judged. Raises `RejudgeNotFound`, `RejudgeEnded`."""
    row = await find(session, rejudge_id)
    query = update(Rejudge).where(Rejudge.id == rejudge_id, Rejudge.state == "open")
    values = {"state": "stopped", "reason": "Stopped by an admin.", "ended_at": now()}
    if not changed(await session.execute(query.values(values))):
        raise RejudgeEnded("This rejudge has ended already.")
    audit.record(session, actor, Action.STOP_REJUDGE, row.slug, rejudge=rejudge_id)
    await session.refresh(row)
    return row


async def find(session: AsyncSession, rejudge_id: str) -> Rejudge:
    """One rejudge of the catalogue. Raises `RejudgeNotFound`."""
    row: Rejudge | None = await session.get(Rejudge, rejudge_id)
    if row is None or row.state not in STATES:
        raise RejudgeNotFound("There is no rejudge with this id.")
    return row


def listing(before: str) -> Select[Rejudge]:
    """Rejudges of the catalogue, newest first."""
    query = select(Rejudge).where(Rejudge.state.in_(STATES)).order_by(Rejudge.id.desc())
    return query.where(Rejudge.id < before) if before else query


async def progress(session: AsyncSession, ids: Sequence[str]) -> dict[str, list[Any]]:
    """Of each rejudge: rows of verdict before, status and verdict of the judging made (None: no turn yet), and count."""
    shape = (RejudgeItem.rejudge_id, RejudgeItem.before, Judging.status, Judging.verdict)
    query = select(*shape, func.count()).outerjoin(Judging, MADE).where(RejudgeItem.rejudge_id.in_(ids))
    found: dict[str, list[Any]] = defaultdict(list)
    for rejudge_id, *rest in await session.execute(query.group_by(*shape)):
        found[rejudge_id].append(rest)
    return found


def changes(rejudge_id: str, before: str) -> Select[RejudgeItem, Judging]:
    """Submissions whose verdict or score is another now, newest first."""
    other = (Judging.verdict != RejudgeItem.before) | (Judging.score != RejudgeItem.before_score)
    query = select(RejudgeItem, Judging).join(Judging, MADE).order_by(RejudgeItem.submission_id.desc())
    query = query.where(RejudgeItem.rejudge_id == rejudge_id, Judging.status == Status.JUDGED, other)
    return query.where(RejudgeItem.submission_id < before) if before else query


async def still_open(session: AsyncSession, rejudge_id: str) -> Rejudge | None:
    """The rejudge, held until the end of the transaction, if it is not over: of several processes, one queues the next ones."""
    query = select(Rejudge).where(Rejudge.id == rejudge_id, Rejudge.state == "open")
    row: Rejudge | None = await session.scalar(query.with_for_update())
    return row


async def step(session: AsyncSession, row: Rejudge, package: Package) -> int | None:
    """Queue the next few submissions of an open rejudge; returns how many were queued, None once everything is judged."""
    mine = RejudgeItem.rejudge_id == row.id
    under_way = select(func.count()).select_from(RejudgeItem).join(Judging, MADE)
    busy = await session.scalar(under_way.where(mine, Judging.status.in_(UNFINISHED))) or 0
    next_ones = select(RejudgeItem).where(mine, RejudgeItem.number == 0).order_by(RejudgeItem.submission_id.desc())
    items = list(await session.scalars(next_ones.limit(max(0, AT_A_TIME - busy))))
    for item in items:
        await _queue(session, row, item, package)
    return len(items) if items or busy else None


async def _queue(session: AsyncSession, row: Rejudge, item: RejudgeItem, package: Package) -> None:
    query = select(Judging).where(Judging.submission_id == item.submission_id, ~Judging.superseded)
    current = (await session.scalars(query.options(undefer(Judging.judgement)))).one()
    if isinstance(row, OwnRejudge) and current.status not in UNFINISHED:
        item.number = (await try_on(session, current, package)).number
    elif current.status not in UNFINISHED:
        await rejudge(session, current, package, read_judgement(current))
        item.number = current.number + 1
    else:
        # Somebody has this one judged again at this moment: that judging counts.
        item.number = current.number


async def end(session: AsyncSession, row: Rejudge, state: str, reason: str = "") -> None:
    """Close an open rejudge of the catalogue."""
    query = update(Rejudge).where(Rejudge.id == row.id, Rejudge.state == "open")
    await session.execute(query.values(state=state, reason=reason, ended_at=now()))


def _finished(slug: str) -> Select[str, str | None, int]:
    query = select(Judging.submission_id, Judging.verdict, Judging.score)
    query = query.join(Submission, Submission.id == Judging.submission_id)
    query = query.where(Submission.slug == slug, Submission.kind != "scratch")
    # What an assessment's outcome is now is its team's to change.
    query = query.where(~candidates.owns(Submission.account_id))
    query = query.where(~Judging.superseded, Judging.status == Status.JUDGED)
    return query.order_by(Judging.submission_id.desc()).limit(MOST)
