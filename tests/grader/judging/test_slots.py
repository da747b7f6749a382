"""Checks which jobs are allowed to share a cell, and what a slot does if no cell can be started. The tests use cells that are
plain processes, for which the same rules apply.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.content.package import Package, load
from grader.contract.errors import Unavailable
from grader.contract.job import Verdict
from grader.hosts.host import Host, Shape
from grader.hosts.uids import Uids
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.workbench import Workbench, a_job, engine

USES = 3


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    made = Workbench(engine("process"), slots=1, cell_uses=USES)
    made.start()
    yield made
    made.close()


def host_of(bench: Workbench) -> Host:
    cell = bench._slots[0]._cell.current
    assert cell is not None
    return cell.host


def cells_of(bench: Workbench, package: Package, *orders: tuple[str, str]) -> list[int]:
    """Judge one job for each (policy, owner) in `orders`. Return the number of the cell that ran each job. Cells are numbered
    from 0, in the order in which they are first used.
    """
    hosts: list[Host] = []
    seen: list[int] = []
    for policy, owner in orders:
        used: list[Host] = []
        job = a_job(package, package.reference, policy=policy, owner=owner)
        judgement = bench.judge(job, package, lambda *_, used=used: used.append(host_of(bench)))
        assert judgement.verdict is Verdict.AC
        assert all(host is used[0] for host in used)
        if not any(host is used[0] for host in hosts):
            hosts.append(used[0])
        seen.append(next(n for n, host in enumerate(hosts) if host is used[0]))
    return seen


def test_cell_of_policy_submission_is_never_used_twice_nor_after_others(bench: Workbench, package: Package) -> None:
    orders = [("submission", "ada"), ("submission", "ada"), ("shared", "ada"), ("submission", "ada")]
    assert cells_of(bench, package, *orders) == [0, 1, 2, 3]


def test_cell_of_policy_account_serves_one_owner_only(bench: Workbench, package: Package) -> None:
    orders = [("submission", "x"), ("account", "ada"), ("account", "ada"), ("account", "ben"), ("shared", "ben")]
    assert cells_of(bench, package, *orders) == [0, 1, 1, 2, 3]


def test_shared_cell_serves_everybody_until_it_is_worn(bench: Workbench, package: Package) -> None:
    orders = [("submission", "x"), ("shared", "a"), ("shared", "b"), ("shared", "c"), ("shared", "d"), ("account", "d")]
    assert cells_of(bench, package, *orders) == [0, 1, 1, 1, 2, 3]


class NoEngine:
    """Replaces Docker: every attempt to connect fails with a message."""

    own_uids = False

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
    spares = SpareCells(engine, Uids(own=False), 1, told.release, lambda: None)
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


def test_job_waits_for_a_slow_start_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, the start of a cell can take minutes. Here, the clock of the pool runs a thousand times faster, so a
    start seems to take 700 s. The jobs must still get their cells.
    """
    clock = SimpleNamespace(monotonic=lambda: 1000 * time.monotonic())
    monkeypatch.setattr("grader.judging.pool.spare_cells.time", clock)
    spares = SpareCells(Crowd(0.1, 0.7), Uids(own=False), 1, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    try:
        spares.wait_until_warm()
        first = spares.take()
        second = spares.take()
    finally:
        spares.close()
    assert first is not second


def test_job_that_waits_is_told_that_the_grader_closes() -> None:
    spares = SpareCells(Crowd(0.1), Uids(own=False), 1, lambda: None, lambda: None)  # type: ignore[arg-type]
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

    own_uids = False
    device = "cuda"  # no child is forked ahead on a GPU

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
    spares = SpareCells(crowd, Uids(own=False), 8, lambda: None, lambda: None)  # type: ignore[arg-type]
    spares.start()
    try:
        spares.wait_until_warm()
    finally:
        spares.close()
    assert crowd.at_once[0] == 1
    assert max(crowd.at_once) == most
