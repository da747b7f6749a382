"""Checks several folders in parallel, each on its own workbench. A workbench runs jobs on this machine without a node.

While the last jobs of one folder run, those of another folder keep the remaining cores busy.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from grader.judging.workbench import Workbench, engine

MOST = 16
One = TypeVar("One")
Found = TypeVar("Found")


class WorkbenchPool:
    """A pool of workbenches. The pool starts a workbench when it is first needed, so no container starts if there is nothing to
    check.
    """

    def __init__(self, cells: str) -> None:
        self._cells = cells
        self._lock = threading.Lock()
        self._benches: list[Workbench] = []
        self._closed = False

    def each(self, look: Callable[[Workbench, One], Found], things: Sequence[One]) -> list[Found]:
        """Call `look` for each item, in parallel. Returns the results in order. An exception or Ctrl+C stops all calls."""
        cores = os.cpu_count() or 1
        workers = min(len(things), cores + 1, MOST)
        # The pool has one worker more than there are cores. A worker uses about one core, because its judge and its cell take
        # turns, and no core while both wait for the container engine.
        slots = 1 if workers > 1 else min(cores, MOST)
        own = threading.local()

        def looked_at(thing: One) -> Found:
            if not hasattr(own, "bench"):
                own.bench = self._start(slots)
            return look(own.bench, thing)

        if not things:
            return []
        with ThreadPoolExecutor(workers) as pool:
            waiting = [pool.submit(looked_at, thing) for thing in things]
            try:
                return [future.result() for future in waiting]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.close()
                raise

    def _start(self, slots: int) -> Workbench:
        bench = Workbench(engine(self._cells), slots=slots)
        bench.start()
        with self._lock:
            if not self._closed:
                self._benches.append(bench)
                return bench
        bench.close()
        raise RuntimeError("stopped")

    def close(self) -> None:
        """Close all workbenches. Jobs that are still running end with a fault."""
        with self._lock:
            self._closed = True
            benches, self._benches = self._benches, []
        for bench in benches:
            bench.close()


@contextmanager
def workbench_pool(cells: str) -> Iterator[WorkbenchPool]:
    """Create a pool, and close it at the end of the `with` block."""
    made = WorkbenchPool(cells)
    try:
        yield made
    finally:
        made.close()
