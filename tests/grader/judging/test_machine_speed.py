"""Checks limits that are given in seconds of the reference machine. A slower node must give the same verdicts, and a wrong
measurement of a node's speed must do no harm.
"""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from grader.content.package import Package
from grader.contract.job import Judgement, Limits, Verdict
from grader.hosts.processes import ProcessEngine
from grader.judging import judge_turns
from grader.judging.pool.cell_starter import CELL
from grader.judging.pool.cells import Cell
from grader.judging.slots import machine_speed
from grader.judging.slots.machine_speed import FASTEST, REFERENCE_S, SLOWEST, MachineSpeed
from grader.judging.workbench import Workbench, a_job, workbench
from grader.node import selftest

# This answer uses `seconds` CPU seconds of this machine and returns the right result.
BURNS = """
import time

def double(x):
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    return x + x
"""
LIMIT_S = 0.6


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with workbench("process", slots=1) as made:
        yield made


@pytest.fixture(scope="module")
def cell() -> Iterator[Cell]:
    engine = ProcessEngine()
    engine.connect()
    made = Cell(engine.start(CELL))
    yield made
    made.destroy()


def judged_at(bench: Workbench, speed: float, seconds: float) -> Judgement:
    """Judge an answer that uses `seconds` CPU seconds in its only call, as if this machine had the given speed."""
    bench.speed._speeds.clear()
    bench.speed._speeds.append(speed)
    info = replace(selftest.PACKAGE.info, limits=Limits(cpu_s=2 * LIMIT_S, cpu_s_per_call=LIMIT_S))
    package: Package = replace(selftest.PACKAGE, info=info)
    return bench.judge(a_job(package, BURNS.format(seconds=seconds)), package)


def test_a_slower_machine_gives_the_same_verdict(bench: Workbench) -> None:
    reference, slow = judged_at(bench, 1.0, 0.3), judged_at(bench, 0.25, 1.2)
    assert (reference.verdict, slow.verdict) == (Verdict.AC, Verdict.AC)
    # Candidates see seconds of the reference machine. If a machine has a quarter of its speed, 1.2 s are shown as 0.3 s. The
    # bounds are wide, because CPU time is counted in ticks of 10 ms, and a busy machine once counted a sixth too little. A
    # factor applied the wrong way round would show 0.075 s or 4.8 s.
    assert 0.15 < slow.cpu_s < LIMIT_S
    assert 0.15 < reference.cpu_s < LIMIT_S


def test_a_faster_machine_does_not_give_more_work_away(bench: Workbench) -> None:
    fast = judged_at(bench, 4.0, 0.3)
    assert fast.verdict is Verdict.TLE
    assert f"more than {LIMIT_S:g} s of CPU time" in fast.tests[0].message, "the limit as the challenge states it"


CHECKS = """
import time

def test_values_are_doubled(solution):
    "The judge works for some CPU seconds of this machine once the answer has said something."
    solution.double(1)
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
"""


@pytest.mark.parametrize(
    ("speed", "seconds", "verdict"),
    [(1.0, 0.3, Verdict.AC), (0.25, 1.2, Verdict.AC), (1.0, 1.2, Verdict.TLE), (4.0, 0.3, Verdict.TLE)],
)
def test_what_the_judge_may_use_is_counted_on_the_same_scale(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, speed: float, seconds: float, verdict: Verdict
) -> None:
    monkeypatch.setattr(judge_turns, "BUDGET_S", LIMIT_S)
    bench.speed._speeds.clear()
    bench.speed._speeds.append(speed)
    package = replace(selftest.PACKAGE, digest=f"checks-{seconds}", tests_source=CHECKS.format(seconds=seconds))
    found = bench.judge(a_job(package, selftest.RIGHT.replace("x.device.type", '"cpu"')), package)
    assert found.verdict is verdict, found
    if verdict is Verdict.TLE:
        assert found.tests[0].message == f"checking what the answer returned took more than {LIMIT_S:g} s"


def test_speed_is_measured_in_a_cell(cell: Cell) -> None:
    found = MachineSpeed()
    assert (found.value, found.measured) == (1.0, None)
    found.measure_if_due(cell)
    assert SLOWEST <= found.value <= FASTEST
    assert found.measured == found.value
    # The speed must not be measured again before the next measurement is due.
    before = len(found._speeds)
    found.measure_if_due(cell)
    assert len(found._speeds) == before


def test_a_workbench_is_measured_before_its_first_job() -> None:
    with workbench("process", slots=1) as made:
        made.spares.wait_until_warm()
        assert made.speed.measured is not None


@pytest.mark.parametrize(
    ("took_s", "speed"),
    [(REFERENCE_S, 1.0), (2 * REFERENCE_S, 0.5), (1e9, SLOWEST), (1e-12, FASTEST), (REFERENCE_S / 3, 3.0)],
)
def test_speed_has_bounds(monkeypatch: pytest.MonkeyPatch, cell: Cell, took_s: float, speed: float) -> None:
    found = MachineSpeed()
    monkeypatch.setattr(machine_speed, "measure_cpu_s", lambda _: took_s)
    found.measure_if_due(cell)
    assert found.value == pytest.approx(speed)


@pytest.mark.parametrize(
    "said", ["", "print('pace: nan')", "print('pace: 0.0')", "print('pace: -1')", "print('pace: inf')", "1 / 0"]
)
def test_a_measurement_that_says_nothing_counts_as_none(monkeypatch: pytest.MonkeyPatch, cell: Cell, said: str) -> None:
    found = MachineSpeed()
    monkeypatch.setattr(machine_speed, "_JOB", replace(machine_speed._JOB, source=said))
    found.measure_if_due(cell)
    assert (found.value, found.measured) == (1.0, None)


def test_one_odd_measurement_does_not_move_the_speed(monkeypatch: pytest.MonkeyPatch, cell: Cell) -> None:
    found = MachineSpeed()
    for took_s in (REFERENCE_S, REFERENCE_S, 50 * REFERENCE_S, REFERENCE_S, REFERENCE_S):
        monkeypatch.setattr(machine_speed, "measure_cpu_s", lambda _, took_s=took_s: took_s)
        found._due = 0.0
        found.measure_if_due(cell)
    assert found.value == 1.0


def test_a_spare_that_is_looked_at_comes_back(bench: Workbench) -> None:
    bench.spares.wait_until_warm()
    looked: list[Cell] = []
    bench.spares.starter.inspect = looked.append
    bench.spares.inspect_one()
    assert len(looked) == 1
    assert bench.spares.ready == 1
    taken = bench.spares.take()
    taken.destroy()
    assert taken is looked[0]


def test_a_spare_that_is_lost_while_it_is_looked_at_is_replaced(bench: Workbench) -> None:
    bench.spares.wait_until_warm()
    bench.spares.starter.inspect = lambda cell: cell.destroy()
    bench.spares.inspect_one()
    bench.spares.starter.inspect = lambda _: None
    bench.spares.wait_until_warm()
    taken = bench.spares.take()
    alive = taken.host.alive()
    taken.destroy()
    assert alive
