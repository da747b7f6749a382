"""The queue in SQL: adds judgings, defines their order, and computes positions.

The queue is ordered by rank, which is normally the time of arrival. If an account has other unfinished submissions, a new one
ranks at least `fair_spacing_s` seconds after the last of them, so an account with many submissions does not delay other
accounts. A rank never changes, so no submission waits forever: once that time has passed, every new submission ranks behind it.
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func, insert, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.submissions.models import IS_QUEUED, IS_UNFINISHED, TABLE, Judging, Status
from api.kit import tracing
from api.kit.db.database import Database, Moment, now
from api.kit.db.prepared import Prepared
from api.kit.ids import new_id

POSITIONS = 20_000
# A candidate's submission ranks as if it had arrived this much earlier, because a candidate's time is limited. It is therefore
# judged before all practice submissions that arrived within the preceding hour.
AHEAD = timedelta(hours=1)
ADD = insert(TABLE)
OF_DEVICE = IS_QUEUED, Judging.device == bindparam("device")
# Whether anything is queued for a device.
WAITS = Prepared(select(select(Judging.id).where(*OF_DEVICE).exists()))
# How many judgings the queue of a device has before this one. Databases search an index for a comparison of rows, but not for the
# same condition with OR.
THIS = tuple_(bindparam("rank", type_=Moment), bindparam("judging"))
BEFORE = Prepared(select(func.count()).where(*OF_DEVICE, tuple_(Judging.rank_at, Judging.id) < THIS))


def own_trace() -> str | None:
    """Return the trace context of the current request, or None if the request is not traced."""
    return tracing.current() or None


@dataclass(frozen=True)
class Entry:
    """A judging to be queued. `number` is 1 for the first judging of a submission, 2 for the next, and so on. A judging that is
    `superseded` from the start has no effect on results until a team member applies the rejudge. A judging that repeats an
    earlier one has the same `seed`; if `seed` is None, the judging gets a new one. `trace` is the trace context of the request.
    """

    submission_id: str
    account_id: str
    slug: str
    digest: str
    device: str
    short: bool
    number: int = 1
    seed: int | None = None
    superseded: bool = False
    trace: str | None = field(default_factory=own_trace)


async def enter(session: AsyncSession, entry: Entry, last_rank: datetime | None, spacing_s: float) -> Judging:
    """Add a judging to the queue and return its row, detached from the session. `row_of` explains the parameters."""
    values = row_of(entry, last_rank, spacing_s)
    await session.execute(ADD, values)
    return Judging(**values)


def row_of(entry: Entry, last_rank: datetime | None, spacing_s: float, *, first: bool = False) -> dict[str, Any]:
    """Build the row of a judging that enters the queue now. Unless `last_rank` is None, it ranks at least `spacing_s` seconds
    after that time. With `first`, it ranks as if it had arrived an hour ago, ahead of practice submissions.
    """
    moment = now()
    rank = moment - AHEAD if first else moment
    rank = rank if last_rank is None else max(rank, last_rank + timedelta(seconds=spacing_s))
    return {
        **asdict(entry),
        "id": new_id(),
        "status": Status.QUEUED,
        "rank_at": rank,
        "not_before": moment,
        "attempt": 0,
        "infra_faults": 0,
        "score": 0,
        "max_score": 0,
        "message": "",
        "thinned": False,
        "queued_at": moment,
    }


async def places(session: AsyncSession) -> dict[str, tuple[int, str]]:
    """Return the position and the device of each queued submission, by submission id. At most 20,000 are included. Positions
    are counted separately for each device, because a submission that waits for a GPU does not delay those that need only a CPU.
    """
    query = select(Judging.submission_id, Judging.device).where(IS_QUEUED)
    rows = await session.execute(query.order_by(Judging.device, Judging.rank_at, Judging.id).limit(POSITIONS))
    ahead: Counter[str] = Counter()
    found = {}
    for submission_id, device in rows:
        ahead[device] += 1
        found[submission_id] = (ahead[device], device)
    return found


async def waits(db: Database, device: str) -> bool:
    """Return whether any judging is queued for a device."""
    [(found,)] = await db.look_up(WAITS, device=device)
    return bool(found)


async def place(db: Database, row: Judging) -> int:
    """Return the position of a queued judging in the queue of its device, 1 for the next one."""
    [(ahead,)] = await db.look_up(BEFORE, device=row.device, rank=row.rank_at, judging=row.id)
    return int(ahead) + 1


async def depth(session: AsyncSession, device: str) -> tuple[int, int]:
    """Return how many judgings are queued for a device, and how many are running on it."""
    unfinished = IS_UNFINISHED, Judging.device == device
    query = select(Judging.status, func.count()).where(*unfinished).group_by(Judging.status)
    counts: dict[str, int] = {row[0]: row[1] for row in await session.execute(query)}
    return counts.get(Status.QUEUED, 0), counts.get(Status.JUDGING, 0)


async def report(session: AsyncSession) -> dict[str, float | None]:
    """Return the values of the API's `QueueReport`, for all devices."""
    queued, judging = Judging.status == Status.QUEUED, Judging.status == Status.JUDGING
    query = select(
        func.count().filter(queued),
        func.min(Judging.queued_at).filter(queued),
        func.count().filter(judging),
        func.min(Judging.started_at).filter(judging),
        func.count().filter(queued, Judging.number > 1),
        func.count().filter(queued, Judging.attempt > 0),
    ).where(IS_UNFINISHED)
    many, oldest, judged, earliest, again, retried = (await session.execute(query)).one()
    return {
        "queued": many,
        "queued_oldest_s": _age_s(oldest),
        "judging": judged,
        "judging_oldest_s": _age_s(earliest),
        "again": again,
        "retried": retried,
    }


def _age_s(moment: datetime | None) -> float | None:
    return round(max(0.0, (now() - moment).total_seconds()), 1) if moment else None
