"""Streams the events of a participation: changes of its deadline, its end, the number of judged answers, and the takeover by
another device. The state is read from SQL at every notification, and also at regular intervals. The stream holds no database
session while it waits.
"""

import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

from fastapi.sse import KEEPALIVE_COMMENT
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations import service
from api.hiring.participations.models import Participation
from api.hiring.participations.service import LoadedParticipation, ParticipationNotFound, TakenOver
from api.identity.sessions.credentials import Identity
from api.judging.intake.stream import RETRY
from api.judging.submissions.events import Event, EventHub, make_event
from api.judging.submissions.models import UNFINISHED, Judging, Submission
from api.kit.db.database import Database
from api.settings import Settings
from grader.contract.job import Kind


@dataclass(frozen=True)
class Snapshot:
    """The state that the candidate's page shows. `judged` does not count answers whose verdicts are hidden."""

    deadline: str
    finished_by: str | None
    judged: int


async def events(db: Database, settings: Settings, hub: EventHub, caller: Identity) -> AsyncIterator[bytes]:
    """Yield the event `state` now and after every change. The stream ends when another device takes over, when the
    participation is deleted, or after `stream_s` seconds. Raises `ParticipationNotFound`, `TakenOver` before the first frame.
    """
    account_id, until = caller.account.id, time.monotonic() + settings.stream_s
    with hub.watch(account_id, account_id, waits=False) as live:
        heard, sent = live.wakes, await _snapshot(db, caller)
        yield RETRY
        yield _event(sent).frame
        while time.monotonic() < until and not live.cut and not hub.closing:
            # If a notification came while the state was read or sent, read the state again without waiting.
            if live.wakes == heard and not await live.changed(settings.keep_alive_s):
                yield KEEPALIVE_COMMENT
            heard = live.wakes
            try:
                snapshot = await _snapshot(db, caller)
            except TakenOver:
                yield make_event("taken_over", None, {}).frame
                return
            except ParticipationNotFound:
                return
            if snapshot != sent:
                sent = snapshot
                yield _event(sent).frame


async def _snapshot(db: Database, caller: Identity) -> Snapshot:
    mine = Participation.account_id == caller.account.id
    async with db.read() as session:
        row = service.require_current_device(
            await session.scalar(select(Participation).where(mine)), caller.credential_id
        )
        run = await service.load(session, row)
        judged = await judged_of(session, run)
    return Snapshot(run.end.isoformat(), row.finished_by, judged)


async def judged_of(session: AsyncSession, run: LoadedParticipation) -> int:
    """Return the number of judged submissions that the candidate may know about."""
    done = Judging.account_id == run.row.account_id, Judging.status.not_in(UNFINISHED)
    query = select(func.count()).select_from(Judging).where(*done)
    if not run.shows_verdicts:
        query = query.join(Submission, Submission.id == Judging.submission_id).where(Submission.kind != Kind.SUBMIT)
    return await session.scalar(query) or 0


def _event(snapshot: Snapshot) -> Event:
    return make_event("state", None, asdict(snapshot))
