"""Sends live updates. Each submission has one channel in memory, which any number of clients can watch.

A channel exists while its submission is unfinished; afterwards, the events are rebuilt from SQL. An event's id is
`number.attempt.step` of the judging. Live and rebuilt events have the same ids, so a client can resume after any of them.

Clients may be connected to another process. A process whose client begins to watch a submission announces this, and the
process that handles the submission then sends it the events so far and all later ones. The final event is announced to all
processes, which read the outcome from SQL.
"""

import asyncio
import contextlib
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends
from fastapi.sse import format_sse_event

from api.kit.http.provided import provided

Key = tuple[int, int, int]
START: Key = (-1, -1, -1)
# Maximum number of submissions that are remembered because clients of other processes watch them. Beyond it, the oldest are
# forgotten.
MOST_PEER_WATCHES = 50_000
# The type of a function that sends a message to the other processes.
Broadcast = Callable[..., None]


@dataclass(frozen=True)
class Event:
    """An event of a submission. `frame` is what the event stream sends. An event without a key is a temporary hint, which is
    not stored.
    """

    name: str
    key: Key | None
    frame: bytes


def make_event(name: str, key: Key | None, data: dict[str, Any]) -> Event:
    # The text is pure ASCII, because many clients treat characters such as U+2028 as line ends. With such a character, a
    # message could forge the next field of the event.
    text = json.dumps(data, allow_nan=False)
    return Event(name, key, format_sse_event(data_str=text, event=name, id=".".join(map(str, key)) if key else None))


def parse_event_id(text: str | None) -> Key:
    """Return the key in a `Last-Event-ID` header. An invalid or missing id means that the stream starts from the beginning."""
    parts = (text or "").split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        return START
    return int(parts[0]), int(parts[1]), int(parts[2])


@dataclass
class Channel:
    """The events of a submission since it was queued. `watchers` counts the clients that follow it. `waits` says whether the
    submission is in the queue, and `done` whether the final event was sent. `cut` means that events may have been missed, so
    the streams must end.
    """

    events: list[Event] = field(default_factory=list)
    hint: Event | None = None
    waits: bool = True
    done: bool = False
    cut: bool = False
    watchers: int = 0
    wakes: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        self.wakes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, timeout_s: float) -> bool:
        """Wait for the next change. Returns False if none happens within `timeout_s` seconds."""
        try:
            await asyncio.wait_for(self._changed.wait(), timeout_s)
        except TimeoutError:
            return False
        return True


class EventHub:
    """The channels of all unfinished submissions."""

    def __init__(self, broadcast: Broadcast = lambda *words: None) -> None:
        self._broadcast = broadcast
        self._watched_by_peers: OrderedDict[str, None] = OrderedDict()
        self._channels: dict[str, Channel] = {}
        self._streams: Counter[str] = Counter()
        self.closing = False

    def publish(self, submission_id: str, event: Event, *, waits: bool = False, final: bool = False) -> None:
        """Add an event and send it to all clients that watch the submission. `waits` says whether the submission is in the
        queue (again), and `final` whether this is the last event, after which the channel is closed.
        """
        channel = self._channels.setdefault(submission_id, Channel())
        channel.events.append(event)
        channel.waits, channel.done = waits, final
        if final:
            self._end(submission_id)
            self._broadcast("ended", submission_id)
        elif submission_id in self._watched_by_peers:
            self._broadcast_event(submission_id, event, waits=waits)
        channel.wake()

    def watched_by_peer(self, submission_id: str) -> None:
        """Send the other processes the events so far and all later ones, because a client of one of them watches the
        submission.
        """
        self._watched_by_peers[submission_id] = None
        self._watched_by_peers.move_to_end(submission_id)
        while len(self._watched_by_peers) > MOST_PEER_WATCHES:
            self._watched_by_peers.popitem(last=False)
        if channel := self._channels.get(submission_id):
            for event in channel.events:
                self._broadcast_event(submission_id, event, waits=channel.waits)

    def event_from_peer(self, submission_id: str, event: Event, *, waits: bool) -> None:
        """Add an event from another process, if a client of this process watches the submission."""
        channel = self._channels.get(submission_id)
        if channel is not None and channel.watchers and event.key not in [known.key for known in channel.events]:
            channel.events.append(event)
            channel.waits = waits
            channel.wake()

    def ended_at_peer(self, submission_id: str, events: list[Event]) -> None:
        """Close the channel of a submission that another process handled. `events` are all its events, read from SQL."""
        if channel := self._channels.get(submission_id):
            channel.events += events
            channel.waits, channel.done = False, True
            self._end(submission_id)
            channel.wake()

    def is_watched(self, submission_id: str) -> bool:
        """Return whether a client of this process watches the submission. If none does, drop its channel."""
        channel = self._channels.get(submission_id)
        if channel is None or not channel.watchers:
            self._end(submission_id)
            return False
        return True

    def interrupt(self) -> None:
        """End every stream, because events may have been missed. Clients reconnect automatically."""
        for name, channel in list(self._channels.items()):
            channel.cut = True
            del self._channels[name]
            channel.wake()

    def waiting(self) -> list[str]:
        """Return the queued submissions that clients of this process watch."""
        return [name for name, channel in self._channels.items() if channel.watchers and channel.waits]

    def hint(self, submission_id: str, event: Event) -> None:
        """Replace the temporary hint, which tells watching clients the place in the queue, if it has changed."""
        channel = self._channels.get(submission_id)
        if channel and (channel.hint is None or channel.hint.frame != event.frame):
            channel.hint = event
            channel.wake()

    def notify(self, name: str) -> None:
        """Wake the event streams of all processes that watch the channel with this name, because the data that they show has
        changed in SQL.
        """
        self.notify_here(name)
        self._broadcast("notify", name)

    def notify_here(self, name: str) -> None:
        """Wake the event streams of this process that watch the channel with this name."""
        if channel := self._channels.get(name):
            channel.wake()

    @contextlib.contextmanager
    def watch(self, name: str, account_id: str, *, waits: bool = True) -> Iterator[Channel]:
        """Watch a channel while the block runs. `name` is the id of a submission. With `waits=False`, it is another name for
        which `notify` is called, such as the id of an account.
        """
        channel = self._channels.setdefault(name, Channel(waits=waits))
        if waits and not channel.watchers:
            self._broadcast("watch", name)
        channel.watchers += 1
        self._streams[account_id] += 1
        try:
            yield channel
        finally:
            channel.watchers -= 1
            self._streams[account_id] -= 1
            if not channel.watchers and not channel.events and self._channels.get(name) is channel:
                del self._channels[name]
            self._streams += Counter()

    def streams(self, account_id: str | None = None) -> int:
        """Return the number of open streams of an account, or of all accounts."""
        return self._streams.total() if account_id is None else self._streams[account_id]

    def _broadcast_event(self, submission_id: str, event: Event, *, waits: bool) -> None:
        self._broadcast("event", submission_id, (event.name, event.key, event.frame.decode()), waits)

    def _end(self, submission_id: str) -> None:
        self._channels.pop(submission_id, None)
        self._watched_by_peers.pop(submission_id, None)

    def close(self) -> None:
        """End every stream. Clients reconnect automatically."""
        self.closing = True
        for channel in self._channels.values():
            channel.wake()


EventHubDep = Annotated[EventHub, Depends(provided(EventHub))]
