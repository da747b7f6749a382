"""The event stream of one submission: first what SQL tells, then what happens. No session is held while it waits.

A stream ends after `stream_s` even if nothing is over: the client resumes by itself, and whoever was signed out
meanwhile is asked who he is.
"""

import time
from collections.abc import AsyncIterator

from fastapi.responses import StreamingResponse

from api.accounts.credentials import Identity
from api.errors import TooManyRequests
from api.events import Event, Hub, Key, Story
from api.judging import queue, story
from api.judging.dispatcher import Dispatcher
from api.judging.models import UNFINISHED, Judging, Status
from api.settings import Settings
from api.state import State
from api.submissions import service

HEAD = b"retry: 1000\n\n"
KEEP_ALIVE = b": keep-alive\n\n"


def require_room(state: State, account_id: str) -> None:
    """Nothing if another stream may be opened. Raises `TooManyRequests`."""
    if state.hub.streams(account_id) >= state.settings.streams_per_account:
        raise TooManyRequests("You follow too much at once. Close some pages.", retry_after_s=5)
    if state.hub.streams() >= state.settings.streams:
        raise TooManyRequests("Too many people follow something. Ask from time to time instead.", retry_after_s=30)


async def answer(frames: AsyncIterator[bytes]) -> StreamingResponse:
    """A stream of these frames. The first is taken here: what is unknown is a 404, not a broken stream."""
    first = await anext(frames)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_joined(first, frames), media_type="text/event-stream", headers=headers)


async def _joined(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for frame in rest:
        yield frame


async def tell(dispatcher: Dispatcher, submission_id: str, caller: Identity, last: Key) -> AsyncIterator[bytes]:
    """Frames after `last` until the final event. Raises `SubmissionNotFound` before the first frame."""
    hub = dispatcher.hub
    # The story is held before SQL is read: whatever is committed after the reading is told by the story.
    with hub.watch(submission_id, caller.account.id) as live:
        async with dispatcher.db.read() as session:
            _, row = await service.find(session, submission_id, caller)
            place = await queue.place(session, row) if row.status == Status.QUEUED else None
        if place is not None and live.hint is None:
            live.hint = story.waiting(dispatcher.nodes.wait(place, row.device))
        yield HEAD
        for event in _so_far(dispatcher, row, place):
            if event.key and event.key > last:
                last = event.key
                yield event.frame
        if row.status in UNFINISHED:
            async for frame in _follow(hub, live, last, dispatcher.settings):
                yield frame


def _so_far(dispatcher: Dispatcher, row: Judging, place: int | None) -> list[Event]:
    if row.status in UNFINISHED:
        return [story.queued(row.number, dispatcher.nodes.wait(place, row.device))]
    return story.whole(row)


async def _follow(hub: Hub, live: Story, last: Key, settings: Settings) -> AsyncIterator[bytes]:
    told, hint, until = 0, live.hint, time.monotonic() + settings.stream_s
    while time.monotonic() < until:
        for event in live.events[told:]:
            told += 1
            if event.key and event.key > last:
                last = event.key
                yield event.frame
        if live.done or live.cut or hub.closing:
            return
        if live.hint is not hint and live.hint is not None and live.waits:
            hint = live.hint
            yield hint.frame
        if not await live.changed(settings.keep_alive_s):
            yield KEEP_ALIVE
