"""Sends live updates to clients. Each unfinished submission has one channel in memory, which any number of clients can watch.

Once a submission is finished, its channel is removed, and its events are rebuilt from SQL when a client asks for them. The id
of an event is `number.attempt.step`: the number of the judging, the number of the attempt, and a step within the attempt. Live
and rebuilt events have the same ids, so a client that lost its connection can resume after any event.

A client may be connected to a different process than the one that handles the submission. When a client begins to watch a
submission, its process announces this to the others. The process that handles the submission then sends them the events so far
and all later ones. The final event is not sent: its existence is announced, and each process reads the outcome from SQL.
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
# Each process remembers which submissions are watched by clients of other processes, but at most this many; if there are more,
# it forgets those that were announced first.
MOST_PEER_WATCHES = 50_000
# The type of a function that sends a message to the other processes.
Broadcast = Callable[..., None]


@dataclass(frozen=True)
class Event:
    """An event of a submission. `frame` contains the bytes that clients receive. `key` contains the three numbers of the
    event's id. An event without a key is a temporary hint about the place in the queue; it cannot be rebuilt.
    """

    name: str
    key: Key | None
    frame: bytes


def make_event(name: str, key: Key | None, data: dict[str, Any]) -> Event:
    # `json.dumps` returns pure ASCII. This matters because many clients treat characters such as U+2028 as line ends: text that
    # contains one could forge the next field of the event.
    text = json.dumps(data, allow_nan=False)
    return Event(name, key, format_sse_event(data_str=text, event=name, id=".".join(map(str, key)) if key else None))


def parse_event_id(text: str | None) -> Key:
    """Return the key in a `Last-Event-ID` header. If the id is invalid or missing, return `START`: the stream then begins with
    the first event.
    """
    parts = (text or "").split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        return START
    return int(parts[0]), int(parts[1]), int(parts[2])


@dataclass
class Channel:
    """The events of a submission since it was queued. `hint` is the latest event about its place in the queue. `watchers`
    counts the clients that watch the channel, and `wakes` the changes. `waits` says whether the submission is in the queue,
    and `done` whether the final event was added. `cut` means that events may have been missed, so the streams must end.
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
    """The channels of this process: one for each unfinished submission, and one for each other name that a client watches."""

    def __init__(self, broadcast: Broadcast = lambda *words: None) -> None:
        self._broadcast = broadcast
        self._watched_by_peers: OrderedDict[str, None] = OrderedDict()
        self._channels: dict[str, Channel] = {}
        self._streams: Counter[str] = Counter()
        self.closing = False

    def publish(self, submission_id: str, event: Event, *, waits: bool = False, final: bool = False) -> None:
        """Add an event and send it to all clients that watch the submission. `waits` says whether the submission is in the
        queue after this event. `final` says whether this is the last event; the channel is then closed.
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
        """Handle the announcement that a client of another process watches the submission: send the other processes the events
        so far and, from now on, each new event.
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
        """Return whether a client of this process watches the submission. If none does, remove the submission's channel."""
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
        """Tell watching clients the place of the submission in the queue, if it has changed."""
        channel = self._channels.get(submission_id)
        if channel and (channel.hint is None or channel.hint.frame != event.frame):
            channel.hint = event
            channel.wake()

    def notify(self, name: str) -> None:
        """Wake the event streams that watch the channel with this name, in all processes, so that they read SQL again: the data
        that they show has changed.
        """
        self.notify_here(name)
        self._broadcast("notify", name)

    def notify_here(self, name: str) -> None:
        """Wake the event streams of this process that watch the channel with this name."""
        if channel := self._channels.get(name):
            channel.wake()

    @contextlib.contextmanager
    def watch(self, name: str, account_id: str, *, waits: bool = True) -> Iterator[Channel]:
        """Watch a channel while the block runs. `name` is normally the id of a submission. With `waits=False`, it is any other
        name that is passed to `notify`, such as the id of an account.
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
