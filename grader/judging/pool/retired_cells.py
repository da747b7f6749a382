"""Ends cells in the background, so that no job waits for a container to be removed."""

import queue
import threading
from contextlib import suppress

from grader.judging.pool.cells import Cell

CLOSE_S = 70.0
# How many cells may wait to be ended. A waiting cell still holds its memory, so `retire` blocks while the queue is full.
MAX_WAITING = 2


class RetiredCells:
    """A queue of cells to end, and the thread that ends them."""

    def __init__(self) -> None:
        self._cells: queue.Queue[Cell | None] = queue.Queue(MAX_WAITING)
        self._thread = threading.Thread(target=self._end_cells, name="retired", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def retire(self, cell: Cell) -> None:
        """Queue a cell for ending. Blocks while MAX_WAITING cells are queued."""
        self._cells.put(cell)

    def _end_cells(self) -> None:
        while (cell := self._cells.get()) is not None:
            with suppress(Exception):  # the thread must survive an error, otherwise slots would block in `retire`
                cell.destroy()

    def close(self) -> None:
        """Wait until every retired cell has ended."""
        self._cells.put(None)
        self._thread.join(timeout=CLOSE_S)
