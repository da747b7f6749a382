"""What the clients were told, as they were told it: the side of the truth that no fault can reach.

A submission enters the book before its first request is sent. Whatever ids the service answered with are kept, so a
second id for one key, an id that is gone later, or an answer that never came all show.
"""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.soak.answers import Answer


@dataclass
class Sent:
    """One submission as its client sees it. Times are monotonic seconds of this process."""

    number: int
    key: str
    answer: Answer
    began: float
    ids: list[str] = field(default_factory=list)
    """Every id that the service answered with, in order: all must be the same."""
    tries: int = 0
    duplicates: int = 0
    taken: float | None = None
    verdict: str | None = None
    told: float | None = None

    @property
    def id(self) -> str | None:
        """The id it was first told."""
        return self.ids[0] if self.ids else None

    @property
    def latency_s(self) -> float | None:
        """From the first attempt to send until the client has read the verdict."""
        return None if self.told is None else self.told - self.began


class Book:
    """All submissions of a run. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Sent] = []

    def begin(self, answer: Answer, key: str) -> Sent:
        """A submission is about to be sent."""
        with self._lock:
            sent = Sent(len(self._all), key, answer, time.monotonic())
            self._all.append(sent)
            return sent

    def all(self) -> list[Sent]:
        """Every submission so far."""
        with self._lock:
            return list(self._all)

    def by_id(self, ids: Iterable[str]) -> list[Sent]:
        """Those that were told these ids."""
        wanted = set(ids)
        return [sent for sent in self.all() if sent.id in wanted]

    def unfinished(self) -> list[Sent]:
        """Those whose client has not read a verdict yet."""
        return [sent for sent in self.all() if sent.told is None]
