"""Cells are started in the background, so that a fresh one costs no latency, and ended there too."""

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from grader.cells import Cell
from grader.errors import GraderError, Unavailable
from grader.hosts import Engine, Shape
from grader.uids import Uids

CELL = Shape("cell")
RETRY_S = 2.0
PATIENCE_S = 5.0
CLOSE_S = 70.0
MOST_AT_A_TIME = 8
# Ended cells still hold their memory until the engine has removed them: a slot waits rather than pile them up.
RETIRING = 2


class Spares:
    """Keeps `count` cells warm, warming as many at a time as there are cores. `problem` says why none can be had, or is empty.

    `changed` is called when `problem` does; `first` before the first cell and after every problem (it warms the judge).
    """

    def __init__(
        self, engine: Engine, uids: Uids, count: int, changed: Callable[[], None], first: Callable[[], object]
    ) -> None:
        self._engine = engine
        self._first = first
        self._uids = uids
        self._changed = changed
        self._count = count
        self.problem = "the first cell is being warmed"
        self._ready: deque[Cell] = deque()
        self._warming = 0
        self._waiting = 0
        self._moved = threading.Condition()
        self._connecting = threading.Lock()
        self._closing = threading.Event()
        self._failing_since: float | None = None
        self._retired: queue.Queue[Cell | None] = queue.Queue(RETIRING)
        warmers = range(min(os.cpu_count() or 1, MOST_AT_A_TIME))
        self._warmers = [threading.Thread(target=self._keep_warm, name=f"warm-{n}", daemon=True) for n in warmers]
        self._undertaker = threading.Thread(target=self._end_retired, name="retired", daemon=True)

    def start(self) -> None:
        """Begin to warm."""
        for thread in (*self._warmers, self._undertaker):
            thread.start()

    @property
    def ready(self) -> int:
        """How many are warm and wait."""
        return len(self._ready)

    def take(self, seconds: float = 90.0) -> Cell:
        """A fresh warm cell; waits for one. Raises Unavailable, at once when no cell could be started for a while."""
        until = time.monotonic() + seconds
        while (cell := self._next(until)) is not None:
            if cell.host.alive():
                return cell
            cell.destroy()
        raise Unavailable(self.problem or "no cell became warm in time")

    def _next(self, until: float) -> Cell | None:
        with self._moved:
            self._waiting += 1
            self._moved.notify_all()
            try:
                while not self._ready and not self._closing.is_set() and not self._hopeless():
                    if time.monotonic() > until:
                        return None
                    self._moved.wait(timeout=0.5)
                return self._ready.popleft() if self._ready else None
            finally:
                self._waiting -= 1
                self._moved.notify_all()

    def _hopeless(self) -> bool:
        since = self._failing_since
        return since is not None and time.monotonic() > since + PATIENCE_S

    def settle(self, seconds: float = 90.0) -> None:
        """Wait until all spares are warm. Raises Unavailable."""
        with self._moved:
            if not self._moved.wait_for(lambda: len(self._ready) >= self._count, timeout=seconds):
                raise Unavailable(self.problem or "the spares are not warm")

    def retire(self, cell: Cell) -> None:
        """End a cell in the background."""
        self._retired.put(cell)

    def _end_retired(self) -> None:
        while (cell := self._retired.get()) is not None:
            with suppress(Exception):  # it must go on: slots wait for it
                cell.destroy()

    def _keep_warm(self) -> None:
        while self._wanted():
            try:
                cell = self._new()
            except (GraderError, OSError) as error:  # OSError: no folder, no descriptor; it may pass
                self._failed(str(error))
                self._closing.wait(RETRY_S)
                continue
            with self._moved:
                self._warming -= 1
                self._ready.append(cell)
                self._failing_since = None
                self._moved.notify_all()
            self._tell("")

    def _wanted(self) -> bool:
        """Wait until one more cell is wanted, and count it as begun. False when closing."""
        with self._moved:
            self._moved.wait_for(self._short_or_closing)
            if self._closing.is_set():
                return False
            self._warming += 1
            return True

    def _short_or_closing(self) -> bool:
        return self._closing.is_set() or len(self._ready) + self._warming < self._count + self._waiting

    def _failed(self, problem: str) -> None:
        with self._moved:
            self._warming -= 1
            self._failing_since = self._failing_since or time.monotonic()
            self._moved.notify_all()
        self._tell(problem)

    def _new(self) -> Cell:
        with self._connecting:
            if self.problem:
                self._engine.connect()
                self._first()
        cell = Cell(self._engine.start(CELL), self._uids)
        # On a GPU a child takes memory while it waits: only the one cell that is in use may have any.
        if cell.host.device == "cpu":
            cell.fork_ahead()
        return cell

    def _tell(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self._changed()

    def close(self) -> None:
        """Stop warming and end the spares."""
        self._closing.set()
        with self._moved:
            self._moved.notify_all()
        for thread in self._warmers:
            thread.join(timeout=CLOSE_S)
        while self._ready:
            self._ready.popleft().destroy()
        self._retired.put(None)
        self._undertaker.join(timeout=CLOSE_S)
