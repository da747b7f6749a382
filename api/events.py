"""Live updates: one story a submission, in memory, told to any number of watchers.

A story exists while a submission is unfinished; SQL tells it afterwards. Each event is encoded once. Its id is
`number.attempt.step` (of the judging), which is the same whether told live or from SQL, so a client can resume.
What happens in one process and is watched in another one goes there: who begins to watch says so, and is told what there
has been so far; that something has ended is told to all, who then read in SQL how.
"""

import asyncio
import contextlib
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Key = tuple[int, int, int]
START: Key = (-1, -1, -1)
# Stories that are remembered to be watched elsewhere.
ELSEWHERE = 50_000
# Says something to the other processes.
Tell = Callable[..., None]


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
    cut: bool = False
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

    def __init__(self, tell: Tell = lambda *words: None) -> None:
        self._tell = tell
        self._elsewhere: OrderedDict[str, None] = OrderedDict()
        self._stories: dict[str, Story] = {}
        self._streams: Counter[str] = Counter()
        self.closing = False

    def publish(self, submission_id: str, event: Event, *, waits: bool = False, final: bool = False) -> None:
        """Tell watchers; `waits` says that the submission is (again) in the queue, `final` ends the story."""
        story = self._stories.setdefault(submission_id, Story())
        story.events.append(event)
        story.waits, story.done = waits, final
        if final:
            self._end(submission_id)
            self._tell("ended", submission_id)
        elif submission_id in self._elsewhere:
            self._tell_event(submission_id, event, waits=waits)
        story.wake()

    def watched_elsewhere(self, submission_id: str) -> None:
        """Another process has a watcher: it hears what there was, and what comes."""
        self._elsewhere[submission_id] = None
        self._elsewhere.move_to_end(submission_id)
        while len(self._elsewhere) > ELSEWHERE:
            self._elsewhere.popitem(last=False)
        if story := self._stories.get(submission_id):
            for event in story.events:
                self._tell_event(submission_id, event, waits=story.waits)

    def happened_elsewhere(self, submission_id: str, event: Event, *, waits: bool) -> None:
        """Another process tells what happened; here it matters to who watches."""
        story = self._stories.get(submission_id)
        if story is not None and story.watchers and event.key not in [known.key for known in story.events]:
            story.events.append(event)
            story.waits = waits
            story.wake()

    def ended_elsewhere(self, submission_id: str, events: list[Event]) -> None:
        """What another process was at has ended: the whole story, as SQL tells it."""
        if story := self._stories.get(submission_id):
            story.events += events
            story.waits, story.done = False, True
            self._end(submission_id)
            story.wake()

    def is_watched(self, submission_id: str) -> bool:
        """Whether somebody here waits for the end of a story. One at which nobody looks is forgotten."""
        story = self._stories.get(submission_id)
        if story is None or not story.watchers:
            self._end(submission_id)
            return False
        return True

    def interrupt(self) -> None:
        """Something may have been missed: every stream ends or looks again, and clients come back by themselves."""
        for name, story in list(self._stories.items()):
            story.cut = True
            del self._stories[name]
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
        """SQL tells something new about what has this name: whoever watches it, wherever, looks again."""
        self.stir_here(name)
        self._tell("stir", name)

    def stir_here(self, name: str) -> None:
        """Whoever watches it in this process looks again."""
        if story := self._stories.get(name):
            story.wake()

    @contextlib.contextmanager
    def watch(self, name: str, account_id: str, *, waits: bool = True) -> Iterator[Story]:
        """The story of a submission, held while the block runs; or, if nothing `waits` there, of something that is stirred."""
        story = self._stories.setdefault(name, Story(waits=waits))
        if waits and not story.watchers:
            self._tell("watch", name)
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

    def _tell_event(self, submission_id: str, event: Event, *, waits: bool) -> None:
        self._tell("event", submission_id, (event.name, event.key, event.frame.decode()), waits)

    def _end(self, submission_id: str) -> None:
        self._stories.pop(submission_id, None)
        self._elsewhere.pop(submission_id, None)

    def close(self) -> None:
        """End every stream; clients come back by themselves."""
        self.closing = True
        for story in self._stories.values():
            story.wake()
