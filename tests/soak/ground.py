"""Defines the interface of the system that a soak runs on. It is implemented by the service with a local node (stage.py),
and by a cluster (cluster/stage.py).
"""

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
    """The options of a soak: the number of submissions, the seed, the minutes in which faults happen, and the grader image."""

    submissions: int
    seed: int
    minutes: float
    image: str = ""


class Rows(Protocol):
    """A connection to the database. It declares only what the drivers of SQLite and PostgreSQL have in common."""

    def execute(self, query: Any, /) -> Iterable[Any]:
        """Run a query and return its rows."""


class Ground(Protocol):
    """A service with its nodes, and access to all of its parts."""

    @property
    def admin(self) -> httpx.Client:
        """A client of an account that may read and rejudge all submissions."""

    @property
    def home(self) -> Path:
        """The folder with all files. Its path is in the command line of every process that was started."""

    @property
    def labels(self) -> list[str]:
        """The labels of the nodes' containers, by which the containers can be found."""

    def answers(self, seed: int) -> Iterator[Answer]:
        """Yield random answers without end. The same seed gives the same sequence."""

    def slow_answer(self) -> Answer:
        """Return an answer that takes a second or two."""

    def candidate(self) -> Candidate:
        """Create an account. Return a client of this account."""

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the service can judge. Raise `TimeoutError` if that takes too long, or `RuntimeError` if a process has
        ended.
        """

    def being_judged(self) -> list[str]:
        """Return the ids of submissions that are being judged, according to the database. Return none if the database does not
        respond.
        """

    def unfinished(self) -> list[str]:
        """Return the ids of submissions that are queued or being judged, according to the database."""

    def database(self) -> AbstractContextManager[Rows]:
        """Connect to the service's database during a `with` block."""

    def integrity(self) -> str:
        """Let the database check its files. Return "ok", or a description of the damage."""

    def container_ids(self) -> list[str]:
        """Return the ids of the nodes' running containers."""

    def processes(self) -> list[tuple[str, int]]:
        """Return the role (api or node) and the process id of each process whose memory is watched."""

    def facts(self) -> Mapping[str, Any]:
        """Return further facts for the report, by name."""

    def keep(self, folder: Path) -> None:
        """Copy logs and data to a folder, so that a failed run can be analysed."""

    def stop(self) -> None:
        """Stop all processes except those that are needed to read the database."""
