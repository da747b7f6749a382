"""Live updates: one story a submission, in memory, told to any number of watchers.

A story exists while a submission is unfinished; SQL tells it afterwards. Each event is encoded once. Its id is
`number.attempt.step` (of the judging), which is the same whether told live or from SQL, so a client can resume.
"""

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Key = tuple[int, int, int]
START: Key = (-1, -1, -1)


@dataclass(frozen=True)
class Event:
    """Something that happened; `frame` is what an event stream sends. Without a key it is a passing hint."""

    name: str
    key: Key | None
    frame: bytes


def make_event(name: str, key: Key | None, data: dict[str, Any]) -> Event:
    """An event with its frame."""
    lines = [f"id: {'.'.join(map(str, key))}"] if key else []
    # In ASCII: many clients take U+2028 and others for the end of a line, and a message could forge the next one.
    lines += [f"event: {name}", f"data: {json.dumps(data, allow_nan=False)}", "", ""]
    return Event(name, key, "\n".join(lines).encode())


def parse_event_id(text: str | None) -> Key:
    """The key in a `Last-Event-ID`; anything strange means «from the start»."""
    parts = (text or "").split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        return START
    return int(parts[0]), int(parts[1]), int(parts[2])


@dataclass
class Story:
    """What has happened to a submission since it was queued."""

    events: list[Event] = field(default_factory=list)
    hint: Event | None = None
    waits: bool = True
    done: bool = False
    watchers: int = 0
    wakes: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Let every watcher look again."""
        self.wakes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, timeout_s: float) -> bool:
        """Wait for the next change; False when there was none in time."""
        try:
            await asyncio.wait_for(self._changed.wait(), timeout_s)
        except TimeoutError:
            return False
        return True


class Hub:
    """All stories that are going on."""

    def __init__(self) -> None:
        self._stories: dict[str, Story] = {}
        self._streams: Counter[str] = Counter()
        self.closing = False

    def publish(self, submission_id: str, event: Event, *, waits: bool = False, final: bool = False) -> None:
        """Tell watchers; `waits` says that the submission is (again) in the queue, `final` ends the story."""
        story = self._stories.setdefault(submission_id, Story())
        story.events.append(event)
        story.waits, story.done = waits, final
        if final:
            del self._stories[submission_id]
        story.wake()

    def waiting(self) -> list[str]:
        """Submissions in the queue that somebody watches."""
        return [name for name, story in self._stories.items() if story.watchers and story.waits]

    def hint(self, submission_id: str, event: Event) -> None:
        """Replace the passing hint (the place in the queue), if it says something new."""
        story = self._stories.get(submission_id)
        if story and (story.hint is None or story.hint.frame != event.frame):
            story.hint = event
            story.wake()

    def stir(self, name: str) -> None:
        """SQL tells something new about what has this name: whoever watches it looks again."""
        if story := self._stories.get(name):
            story.wake()

    @contextlib.contextmanager
    def watch(self, name: str, account_id: str, *, waits: bool = True) -> Iterator[Story]:
        """The story of a submission, held while the block runs; or, if nothing `waits` there, of something that is stirred."""
        story = self._stories.setdefault(name, Story(waits=waits))
        story.watchers += 1
        self._streams[account_id] += 1
        try:
            yield story
        finally:
            story.watchers -= 1
            self._streams[account_id] -= 1
            if not story.watchers and not story.events and self._stories.get(name) is story:
                del self._stories[name]
            self._streams += Counter()

    def streams(self, account_id: str | None = None) -> int:
        """How many streams an account has open, or all accounts together."""
        return self._streams.total() if account_id is None else self._streams[account_id]

    def close(self) -> None:
        """End every stream; clients come back by themselves."""
        self.closing = True
        for story in self._stories.values():
            story.wake()
