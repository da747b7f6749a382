"""Several folders at once, each with a workbench of its own: no core waits while one folder's mutants are made or its last
judging ends."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from grader.workbench import Workbench, engine

MOST = 16
One = TypeVar("One")
Found = TypeVar("Found")


class Crew:
    """Workbenches that start when they are first wanted: when nothing has changed, no container is."""

    def __init__(self, cells: str) -> None:
        self._cells = cells
        self._lock = threading.Lock()
        self._benches: list[Workbench] = []
        self._closed = False

    def each(self, look: Callable[[Workbench, One], Found], things: Sequence[One]) -> list[Found]:
        """What `look` finds for each, in order. The first exception ends all of it, as Ctrl+C does."""
        cores = os.cpu_count() or 1
        workers = min(len(things), cores + 1, MOST)
        # One more than cores: judge and cell take turns, and now and then both wait for the engine.
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
        """End every container that was started; what is being judged ends with a fault."""
        with self._lock:
            self._closed = True
            benches, self._benches = self._benches, []
        for bench in benches:
            bench.close()


@contextmanager
def crew(cells: str) -> Iterator[Crew]:
    """A crew that ends with the block."""
    made = Crew(cells)
    try:
        yield made
    finally:
        made.close()
