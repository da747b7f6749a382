"""Checks how long a slot uses a cell, and what it does if no cell can be started. The tests use cells that are plain processes,
for which the same rules apply.
"""

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.content.package import Package, load
from grader.contract.errors import JudgeLost, Unavailable
from grader.contract.job import Kind, Verdict
from grader.hosts import core_lock
from grader.hosts.host import Host, Shape
from grader.hosts.machine.tasks import Tree
from grader.hosts.zygote_client import ZygoteClient
from grader.judging.judging import Judging
from grader.judging.pool.cells import Cell
from grader.judging.pool.judges import Judge, JudgeChild
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.request import JudgingRequest
from grader.judging.slots.slot import SlotTask
from grader.judging.slots.stages import Stages
from grader.judging.workbench import Workbench, a_job, engine


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    made = Workbench(engine("process"), slots=1)
    with pytest.MonkeyPatch.context() as patch:
        # Other tests may have reserved every core at this moment.
        patch.setattr(core_lock, "ADDRESS", f"\0gradus-test-{uuid.uuid4().hex}-{{}}")
        made.start()
    yield made
    made.close()


def cells_of(bench: Workbench, package: Package, count: int) -> list[Cell]:
    """Judge `count` jobs. Return the cell that judged each of them."""
    cells: list[Cell] = []
    for _ in range(count):
        used: list[Cell | None] = []
        job = a_job(package, package.reference)
        judgement = bench.judge(job, package, lambda *_, used=used: used.append(bench._slots[0]._cell))
        assert judgement.verdict is Verdict.AC
        assert used[0] is not None
        cells.append(used[0])
    return cells


def test_answer_and_tests_run_on_the_core_of_their_slot(bench: Workbench, package: Package) -> None:
    slot = bench._slots[0]
    assert slot._core is not None
    found: set[frozenset[int]] = set()

    def look(*_: object) -> None:
        assert slot._cell is not None
        judge = bench._judge.get()
        (parent,) = judge._parents.values()
        tests = judge.host.find(parent.child.pid)
        assert tests is not None
        found.add(frozenset(cores_of(tree.each()[-1][0] for tree in (Tree(slot._cell.host.pid), tests))))

    cells_of(bench, package, 1)
    bench.judge(a_job(package, package.reference), package, look)
    assert found == {frozenset([slot._core.number])}


def cores_of(pids: Iterable[int]) -> set[int]:
    return {core for pid in pids for core in os.sched_getaffinity(pid)}


def test_cell_with_fresh_namespaces_serves_job_after_job(bench: Workbench, package: Package) -> None:
    first, second = cells_of(bench, package, 2)
    if first.host.isolation != "namespaces":
        pytest.skip("this machine does not let the tests make namespaces")
    assert first is second


@pytest.mark.parametrize("fails", ["", "while the tests run", "a test has no result"])
def test_processes_of_the_tests_end_after_the_outcome_is_sent_or_with_the_fault(
    bench: Workbench, package: Package, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    seen: list[str] = []

    def end(judge: Judge, child: JudgeChild, really: Callable[..., None] = Judge.end) -> None:
        seen.append("end")
        really(judge, child)

    monkeypatch.setattr(Judge, "end", end)
    if fails == "while the tests run":
        monkeypatch.setattr(Judging, "_converse", lambda *_: (_ for _ in ()).throw(JudgeLost("the test says so")))
    if fails == "a test has no result":
        monkeypatch.setattr(Judging, "_converse", lambda *_: None)
    request = JudgingRequest(a_job(package, package.reference), package, lambda *_: None)
    cleaned = threading.Event()
    stages = Stages(lambda _: cleaned.set())
    bench._slots[0].submit(SlotTask(request, lambda outcome: seen.append(type(outcome).__name__), stages))
    assert cleaned.wait(60)
    assert seen == (["end", "JudgeLost"] if fails else ["Judgement", "end"])


def test_answer_does_not_wait_until_a_filter_is_built(bench: Workbench, package: Package) -> None:
    source = "from grader.inside.confine import seccomp\n" + package.reference
    built = "seccomp.candidate_filter(loopback=True, execute=False)\nprint(seccomp.assemble.cache_info().hits)"
    found = bench.judge(a_job(package, source, Kind.SCRATCH, snippet=built), package)
    # The zygote has built both: the filter that the child has installed, and the one that the snippet asks for.
    assert found.output == "2\n"


def test_cell_without_namespaces_serves_one_job(
    bench: Workbench, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cell, "reusable", False)
    first, second, third = cells_of(bench, package, 3)
    assert len({id(first), id(second), id(third)}) == 3


def test_job_is_given_back_if_the_machine_has_no_namespaces_left(
    bench: Workbench, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cell of the slot cannot fork. The job must be refused, which queues it again, and not fail."""
    (cell,) = cells_of(bench, package, 1)
    until = time.monotonic() + 60
    while not cell.waits:  # the slot forks the child for its next job after it has sent the judgement
        assert time.monotonic() < until
        time.sleep(0.01)

    def refuse(*_: object, **__: object) -> None:
        raise Unavailable("the zygote cannot fork a child: no namespaces can be made: No space left on device")

    monkeypatch.setattr(ZygoteClient, "fork", refuse)
    monkeypatch.setattr("grader.judging.pool.spare_cells.GIVE_UP_S", 0.1)
    cell.discard(cell.child())
    with pytest.raises(Unavailable, match="No space left"):
        bench.judge(a_job(package, package.reference), package)
    assert bench._slots[0]._cell is not cell
    monkeypatch.undo()
    cells_of(bench, package, 1)


class NoEngine:
    """Replaces Docker: every attempt to connect fails with a message."""

    def __init__(self) -> None:
        self.attempts = 0

    def connect(self) -> None:
        self.attempts += 1
        raise Unavailable("the engine does not answer: start it")

    def remove_leftovers(self) -> None:
        pass

    def start(self, shape: Shape) -> Host:
        raise AssertionError("never reached")


def test_no_engine_is_told_once_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.judging.pool.spare_cells.RETRY_S", 0.01)
    monkeypatch.setattr("grader.judging.pool.spare_cells.GIVE_UP_S", 0.1)
    told = threading.Semaphore(0)
    engine = NoEngine()
    spares = SpareCells(engine, 1, told.release, lambda: None)
    spares.start()
    try:
        assert told.acquire(timeout=10)
        assert spares.problem == "the engine does not answer: start it"
        with pytest.raises(Unavailable, match="start it"):
            spares.take()
        until = time.monotonic() + 10
        while engine.attempts < 3 and time.monotonic() < until:
            time.sleep(0.01)
        assert engine.attempts >= 3
        assert not told.acquire(blocking=False)
    finally:
        spares.close()


def test_error_of_the_grader_itself_does_not_stop_the_start_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.judging.pool.spare_cells.RETRY_S", 0.01)
    crowd = Crowd(1.0)
    outcomes: list[Crowd | Exception] = [RuntimeError("a mistake in the code"), crowd]
    starts = iter(outcomes)

    def start(shape: Shape) -> Crowd:
        found = next(starts)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(crowd, "start", start)
    spares = SpareCells(crowd, 1, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    try:
        spares.wait_until_warm()
        assert spares.problem == ""
    finally:
        spares.close()


def test_job_waits_for_a_slow_start_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, the start of a cell can take minutes. Here, the clock of the pool runs a thousand times faster, so a
    start seems to take 700 s. The jobs must still get their cells.
    """
    clock = SimpleNamespace(monotonic=lambda: 1000 * time.monotonic())
    monkeypatch.setattr("grader.judging.pool.spare_cells.time", clock)
    spares = SpareCells(Crowd(0.1, 0.7), 1, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    try:
        spares.wait_until_warm()
        first = spares.take()
        second = spares.take()
    finally:
        spares.close()
    assert first is not second


def test_job_that_waits_is_told_that_the_grader_closes() -> None:
    spares = SpareCells(Crowd(0.1), 1, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    spares.close()
    with pytest.raises(Unavailable, match="closing"):
        spares.take()


def test_closed_bench_answers_at_once_that_it_is_closed(package: Package) -> None:
    bench = Workbench(engine("process"), slots=1)
    bench.start()
    bench.close()
    with pytest.raises(Unavailable, match="closed"):
        bench.judge(a_job(package, package.reference), package)


class Crowd:
    """An engine that simulates the start of a cell. A start takes `seconds`, and uses the fraction `share` of one processor
    during this time. At each start, `at_once` records how many cells are being started at this moment.
    """

    device = "cuda"  # no child is forked ahead on a GPU
    isolation = "namespaces"

    def __init__(self, share: float, seconds: float = 0.1) -> None:
        self.share, self.seconds = share, seconds
        self.at_once: list[int] = []
        self._now = 0
        self._lock = threading.Lock()

    def connect(self) -> None:
        pass

    def start(self, shape: Shape) -> "Crowd":
        with self._lock:
            self._now += 1
            self.at_once.append(self._now)
        time.sleep(self.seconds)
        with self._lock:
            self._now -= 1
        return self

    def cpu_seconds(self) -> float:
        return self.seconds * self.share

    def alive(self) -> bool:
        return True

    def destroy(self) -> None:
        pass


@pytest.mark.parametrize(("share", "most"), [(0.1, 1), (0.9, 3)])
def test_on_a_crowded_machine_cells_are_warmed_one_after_the_other(
    share: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.judging.pool.cell_starter.os.cpu_count", lambda: 3)
    crowd = Crowd(share)
    spares = SpareCells(crowd, 8, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    try:
        spares.wait_until_warm()
    finally:
        spares.close()
    assert crowd.at_once[0] == 1
    assert max(crowd.at_once) == most
