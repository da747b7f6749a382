"""The event stream of a participation: its clock, its end, what was judged, another device. SQL tells it; whoever changes
something stirs it, and it is read again from time to time in any case. No session is held while it waits.
"""

import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

from sqlalchemy import func, select

from api.accounts.credentials import Identity
from api.events import Event, make_event
from api.judging.models import UNFINISHED, Judging
from api.participations import service
from api.participations.models import Participation
from api.participations.service import ParticipationNotFound, TakenOver
from api.state import State
from api.submissions.stream import HEAD, KEEP_ALIVE


@dataclass(frozen=True)
class News:
    """What a page that shows the participation must not miss. `judged` counts answers."""

    deadline: str
    finished_by: str | None
    judged: int


async def tell(state: State, caller: Identity) -> AsyncIterator[bytes]:
    """`state` now and after every change, until another device takes over. Raises `ParticipationNotFound`, `TakenOver` before
    the first frame.
    """
    account_id, until = caller.account.id, time.monotonic() + state.settings.stream_s
    with state.hub.watch(account_id, account_id, waits=False) as live:
        heard, told = live.wakes, await _news(state, caller)
        yield HEAD
        yield _event(told).frame
        while time.monotonic() < until and not live.cut and not state.hub.closing:
            # Whatever was stirred while SQL was read or a frame was sent is looked at now.
            if live.wakes == heard and not await live.changed(state.settings.keep_alive_s):
                yield KEEP_ALIVE
            heard = live.wakes
            try:
                news = await _news(state, caller)
            except TakenOver:
                yield make_event("taken_over", None, {}).frame
                return
            except ParticipationNotFound:
                return
            if news != told:
                told = news
                yield _event(told).frame


async def _news(state: State, caller: Identity) -> News:
    mine = Participation.account_id == caller.account.id
    done = Judging.account_id == caller.account.id, Judging.status.not_in(UNFINISHED)
    async with state.db.read() as session:
        row = service.require_here(await session.scalar(select(Participation).where(mine)), caller.credential_id)
        run = await service.load(session, row)
        judged = await session.scalar(select(func.count()).where(*done))
    return News(run.end.isoformat(), row.finished_by, judged or 0)


def _event(news: News) -> Event:
    return make_event("state", None, asdict(news))
