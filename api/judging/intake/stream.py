"""The event stream of one submission. It begins with the earlier events, rebuilt from SQL, and continues with new events as
they happen. The stream holds no database session while it waits for events.

A stream ends after `stream_s` seconds, even while the submission is being judged. The client then reconnects, and its
credentials are checked again.
"""

import time
from collections.abc import AsyncIterator, Sequence

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from api.identity.sessions.credentials import Identity
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.intake import service
from api.judging.queue import order
from api.judging.submissions import history
from api.judging.submissions.events import Channel, Event, EventHub, Key
from api.judging.submissions.models import UNFINISHED, Judging, Status
from api.kit.errors import TooManyRequests
from api.settings import Settings

# Tells the browser how long to wait before it reconnects, in milliseconds.
RETRY = format_sse_event(retry=1000)


def require_room(settings: Settings, hub: EventHub, account_id: str) -> None:
    """Raise `TooManyRequests` if the account, or all accounts together, have too many open streams."""
    if hub.streams(account_id) >= settings.streams_per_account:
        raise TooManyRequests(
            "You have too many pages open that show live results. Close some of them.", retry_after_s=5
        )
    if hub.streams() >= settings.streams:
        raise TooManyRequests(
            "Too many live connections are open. Reload the page from time to time instead.", retry_after_s=30
        )


async def answer(frames: AsyncIterator[bytes]) -> EventSourceResponse:
    """Return a streaming response that sends these frames. The first frame is awaited before the response starts. An error such
    as an unknown submission therefore gives a normal error response, and not a broken stream.
    """
    first = await anext(frames)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(_joined(first, frames), headers=headers)


async def _joined(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for frame in rest:
        yield frame


async def frames(dispatcher: Dispatcher, submission_id: str, caller: Identity, last: Key) -> AsyncIterator[bytes]:
    """Yield the frames after the event `last`, up to the final event. Raises `SubmissionNotFound` before the first frame."""
    hub = dispatcher.hub
    # The channel is opened before SQL is read, so it receives every event that is committed after the query.
    with hub.watch(submission_id, caller.account.id) as channel:
        _, row = await service.look_up(dispatcher.db, submission_id, caller)
        place = await order.place(dispatcher.db, row) if row.status == Status.QUEUED else None
        if place is not None and channel.hint is None:
            channel.hint = history.waiting(dispatcher.nodes.wait(place, row.device))
        earlier, last = _after(last, _so_far(dispatcher, row, place))
        yield RETRY + earlier
        if row.status in UNFINISHED:
            async for frame in _follow(hub, channel, last, dispatcher.settings):
                yield frame


def _so_far(dispatcher: Dispatcher, row: Judging, place: int | None) -> list[Event]:
    if row.status in UNFINISHED:
        return [history.queued(row.number, dispatcher.nodes.wait(place, row.device))]
    return history.all_events(row)


def _after(last: Key, events: Sequence[Event]) -> tuple[bytes, Key]:
    """Return the frames of the events after `last`, joined because each write to a connection takes longer than an event, and the
    key of the latest event.
    """
    joined = b""
    for event in events:
        if event.key and event.key > last:
            last = event.key
            joined += event.frame
    return joined, last


async def _follow(hub: EventHub, channel: Channel, last: Key, settings: Settings) -> AsyncIterator[bytes]:
    sent, hint, until = 0, channel.hint, time.monotonic() + settings.stream_s
    while time.monotonic() < until:
        since, sent = channel.events[sent:], len(channel.events)
        joined, last = _after(last, since)
        if joined:
            yield joined
        if channel.done or channel.cut or hub.closing:
            return
        if channel.hint is not hint and channel.hint is not None and channel.waits:
            hint = channel.hint
            yield hint.frame
        if not await channel.changed(settings.keep_alive_s):
            yield KEEPALIVE_COMMENT
