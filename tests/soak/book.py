"""Records every response that the clients received. The record is kept in this process, which no fault affects.

A submission is recorded before its first request is sent, and every id that the service returns is added to the record. With
the record, the checks can find an idempotency key that got two ids, a submission that disappeared, and a request that was never
answered.
"""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.soak.answers import Answer


@dataclass
class Sent:
    """One submission as its client sees it. Times are in seconds of this process's monotonic clock."""

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
        """The first id that the service returned."""
        return self.ids[0] if self.ids else None

    @property
    def latency_s(self) -> float | None:
        """The seconds from the first attempt to send until the client has read the verdict. None if it has read none."""
        return None if self.told is None else self.told - self.began


class Book:
    """All submissions of a run. Several threads may use a book at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Sent] = []

    def begin(self, answer: Answer, key: str) -> Sent:
        """Record that a submission is about to be sent."""
        with self._lock:
            sent = Sent(len(self._all), key, answer, time.monotonic())
            self._all.append(sent)
            return sent

    def all(self) -> list[Sent]:
        """Return all submissions so far."""
        with self._lock:
            return list(self._all)

    def by_id(self, ids: Iterable[str]) -> list[Sent]:
        """Return the submissions with these ids."""
        wanted = set(ids)
        return [sent for sent in self.all() if sent.id in wanted]

    def unfinished(self) -> list[Sent]:
        """Return the submissions whose client has not read a verdict yet."""
        return [sent for sent in self.all() if sent.told is None]
