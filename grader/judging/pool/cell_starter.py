"""Starts cells and prepares them for their first job."""

import logging
import os
import threading
import time
from collections.abc import Callable

from grader.hosts.host import Engine, Shape
from grader.judging.pool.cells import Cell

log = logging.getLogger(__name__)

CELL = Shape("cell")
MAX_PARALLEL = 8
# The machine counts as crowded if a cell gets less than this many seconds of CPU time per second while it starts. On a crowded
# machine, only one cell is started at a time, because several would slow each other down.
CROWDED_SPEED = 0.5


class CellStarter:
    """Starts cells, up to `parallel` at a time.

    `before_first` starts the judge. It is called before the first cell is started, and again before the next attempt if a start
    has failed. `inspect` is called with each new cell.
    """

    def __init__(self, engine: Engine, before_first: Callable[[], object], inspect: Callable[[Cell], None]) -> None:
        self._engine = engine
        self._before_first, self.inspect = before_first, inspect
        self._connecting = threading.Lock()
        self._warned = False
        self.max_parallel = min(os.cpu_count() or 1, MAX_PARALLEL)
        self.parallel = 1

    def start(self, must_connect: Callable[[], bool]) -> Cell:
        """Start a cell. If `must_connect()` is true, first connect to the engine and call `before_first`. Raises GraderError or
        OSError.
        """
        with self._connecting:
            if must_connect():
                self._engine.connect()
                self._before_first()
        began = time.monotonic()
        cell = Cell(self._engine.start(CELL))
        speed = cell.host.cpu_seconds() / (time.monotonic() - began)
        self.parallel = 1 if speed < CROWDED_SPEED else self.max_parallel
        self._warn(cell)
        self.prepare(cell)
        return cell

    def _warn(self, cell: Cell) -> None:
        """Say once if the cells of this machine serve only one job."""
        if not cell.reusable and not self._warned:
            self._warned = True
            why = cell.host.zygote.isolation_problem()
            log.warning("each judging starts a new cell, which is slow: %s. Run `gradus doctor` for what to do", why)

    def prepare(self, cell: Cell) -> None:
        """Inspect a cell and fork its next child. If one of these steps fails, destroy the cell and raise the error.

        Does nothing for a cell with a GPU: a waiting child takes GPU memory, so only the cell in use may have one.
        """
        if cell.host.device != "cpu":
            return
        try:
            self.inspect(cell)
            cell.fork_ahead()
        except BaseException:
            cell.destroy()
            raise
