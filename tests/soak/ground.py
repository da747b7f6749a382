"""What a soak runs on: the embedded service (stage.py), or a cluster (cluster/stage.py)."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx

from tests.live import Candidate
from tests.soak.answers import Answer


@dataclass(frozen=True)
class Order:
    """What is wanted: how many submissions, from which seed, with faults for at most so many minutes."""

    submissions: int
    seed: int
    minutes: float
    image: str = ""


class Rows(Protocol):
    """A connection to the database, as both drivers have it."""

    def execute(self, query: Any, /) -> Iterable[Any]:
        """The rows of a query."""


class Ground(Protocol):
    """A service with its nodes, and a hold on every part of it."""

    @property
    def admin(self) -> httpx.Client:
        """Somebody who may read and judge again what anybody sent."""

    @property
    def home(self) -> Path:
        """The folder of everything; its path is in the command line of whatever is started."""

    @property
    def labels(self) -> list[str]:
        """The labels of its nodes' containers."""

    def answers(self, seed: int) -> Iterator[Answer]:
        """Answers without end that it can judge, the same for the same seed."""

    def slow_answer(self) -> Answer:
        """One that is judged for a second or two."""

    def candidate(self) -> Candidate:
        """A new account."""

    def wait_until_ready(self, seconds: float) -> None:
        """Until everything can do its work. Raises `TimeoutError`, or `RuntimeError` when a process has ended."""

    def being_judged(self) -> list[str]:
        """Submissions that are being judged now, as SQL says; none while SQL does not answer."""

    def unfinished(self) -> list[str]:
        """Submissions that are queued or being judged, as SQL says."""

    def database(self) -> AbstractContextManager[Rows]:
        """A connection of ours to its database."""

    def integrity(self) -> str:
        """What is wrong with the database; «ok» when nothing is."""

    def container_ids(self) -> list[str]:
        """Its nodes' running containers."""

    def processes(self) -> list[tuple[str, int]]:
        """What is to be watched: role (api or node) and process id."""

    def facts(self) -> Mapping[str, Any]:
        """What else a report should say, by name."""

    def keep(self, folder: Path) -> None:
        """Copy what it wrote, for the person who looks into a failed run."""

    def stop(self) -> None:
        """End everything but what is needed to read the database."""
