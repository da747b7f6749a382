"""Keeps spare cells warm in the background, so that a job that needs a fresh cell does not have to wait until a cell starts."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from grader.contract.errors import GraderError, Unavailable
from grader.hosts.host import Engine
from grader.judging.pool.cell_starter import CellStarter
from grader.judging.pool.cells import Cell
from grader.judging.pool.retired_cells import RetiredCells

log = logging.getLogger(__name__)
RETRY_S = 2.0
# If all attempts to start a cell have failed for more than this many seconds, `take` raises Unavailable and waits no longer.
GIVE_UP_S = 5.0
CLOSE_S = 70.0


class Startable:
    """Records whether cells can be started. `problem` says why not; it is empty if they can. `changed` is called when `problem`
    changes.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._failing_since: float | None = None
        self.problem = "the first cell is being warmed"

    def check(self) -> None:
        """Raise Unavailable if starting cells has failed for GIVE_UP_S seconds without one success."""
        since = self._failing_since
        if since is not None and time.monotonic() > since + GIVE_UP_S:
            raise Unavailable(self.problem)

    def failed(self, problem: str) -> None:
        """Record that a start failed."""
        self._failing_since = self._failing_since or time.monotonic()
        self._set(problem)

    def succeeded(self) -> None:
        """Record that a start succeeded."""
        self._failing_since = None
        self._set("")

    def _set(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self._changed()


class SpareCells:
    """Keeps `count` spare cells warm. Starts several cells at a time, one per core but at most MAX_PARALLEL. On a crowded
    machine, it starts one at a time (see cell_starter.py).

    `changed` is called whenever `problem` changes. `before_first` and `inspect` are passed to CellStarter.
    """

    def __init__(
        self,
        engine: Engine,
        count: int,
        changed: Callable[[], None],
        before_first: Callable[[], object],
        inspect: Callable[[Cell], None] = lambda _: None,
    ) -> None:
        self.starter = CellStarter(engine, before_first, inspect)
        self._count = count
        self._startable = Startable(changed)
        self._ready: deque[Cell] = deque()
        self._starting = 0
        self._waiting = 0
        self._moved = threading.Condition()
        self._closing = threading.Event()
        self._retired = RetiredCells()
        numbers = range(self.starter.max_parallel)
        self._threads = [threading.Thread(target=self._keep_warm, name=f"warm-{n}", daemon=True) for n in numbers]

    def start(self) -> None:
        """Start the threads that start and end cells."""
        for thread in self._threads:
            thread.start()
        self._retired.start()

    @property
    def problem(self) -> str:
        """Why no cell can be started; empty if cells can be started."""
        return self._startable.problem

    @property
    def ready(self) -> int:
        """How many cells are warm and free."""
        return len(self._ready)

    def take(self) -> Cell:
        """Take a fresh warm cell, and wait for one if none is ready. A start that takes long is not an error.

        Raises Unavailable if starting cells has failed for GIVE_UP_S seconds without one success, or if this object is being
        closed.
        """
        while True:
            with self._moved:
                self._waiting += 1
                self._moved.notify_all()
                try:
                    self._wait_for(1)
                    cell = self._ready.popleft()
                finally:
                    self._waiting -= 1
                    self._moved.notify_all()
            if cell.host.alive():
                return cell
            cell.destroy()

    def wait_until_warm(self) -> None:
        """Wait until all spare cells are warm. Raises Unavailable for the same reasons as `take`."""
        with self._moved:
            self._wait_for(self._count)

    def _wait_for(self, cells: int) -> None:
        """Wait until this number of cells is ready. No deadline is needed, because a start that is stuck ends with an error."""
        while len(self._ready) < cells:
            if self._closing.is_set():
                raise Unavailable("no more cells are started: the grader is closing")
            self._startable.check()
            self._moved.wait(timeout=0.5)

    def retire(self, cell: Cell) -> None:
        """End a cell in the background."""
        self._retired.retire(cell)

    def _keep_warm(self) -> None:
        while self._wait_until_wanted():
            try:
                cell = self.starter.start(lambda: bool(self.problem))
            # Any error may be temporary, for example if a folder or a descriptor could not be created. So the next round of the
            # loop tries again. Without this thread, jobs would wait forever.
            except Exception as error:
                if not isinstance(error, GraderError | OSError):
                    log.exception("a cell could not be started")
                with self._moved:
                    self._starting -= 1
                    self._moved.notify_all()
                self._startable.failed(str(error))
                self._closing.wait(RETRY_S)
                continue
            with self._moved:
                self._starting -= 1
                self._ready.append(cell)
                self._moved.notify_all()
            self._startable.succeeded()

    def _wait_until_wanted(self) -> bool:
        """Wait until one more cell is needed, and count it as being started. Returns False if this object is being closed."""
        with self._moved:
            self._moved.wait_for(self._short_or_closing)
            if self._closing.is_set():
                return False
            self._starting += 1
            return True

    def _short_or_closing(self) -> bool:
        short = len(self._ready) + self._starting < self._count + self._waiting
        return self._closing.is_set() or (short and self._starting < self.starter.parallel)

    def inspect_one(self) -> None:
        """Inspect one spare cell again, if any is ready. While the cell is being inspected, no slot can take it."""
        with self._moved:
            if not self._ready or self._closing.is_set():
                return
            cell = self._ready.popleft()
            self._starting += 1
        good = False
        try:
            self.starter.prepare(cell)
            good = True
        except GraderError as error:  # the cell is lost, and another cell is started in its place
            log.warning("a spare cell was lost while it was inspected: %s", error)
        with self._moved:
            self._starting -= 1
            if good and not self._closing.is_set():
                self._ready.append(cell)
                good = False
            self._moved.notify_all()
        if good:
            cell.destroy()

    def close(self) -> None:
        """Stop starting cells, and end all spare and retired cells."""
        self._closing.set()
        with self._moved:
            self._moved.notify_all()
        for thread in self._threads:
            thread.join(timeout=CLOSE_S)
        while self._ready:
            self._ready.popleft().destroy()
        self._retired.close()
