"""Checks a slot that uses a GPU. Between jobs, one child with a CUDA context waits for the next job. If another program uses
the GPU, no child may have a context, and the slot must report the problem.
"""

import os
import queue
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.content.package import Package, load
from grader.contract.errors import CellLost, Unavailable
from grader.contract.job import Verdict
from grader.hosts import gpu_lock
from grader.hosts.gpu_lock import OnGpu, Tenancy
from grader.hosts.host import Shape
from grader.hosts.machine import gpus
from grader.hosts.processes import ProcessEngine
from grader.judging.pool.cells import Cell
from grader.judging.pool.judge_supervisor import JudgeSupervisor
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.request import JudgingRequest
from grader.judging.slots.machine_speed import MachineSpeed
from grader.judging.slots.slot import Slot, SlotTask
from grader.judging.workbench import a_job
from tests.grader.hosts.gpu_rig import Driver, gpu

# The number of the simulated GPU. Test processes that run in parallel have different numbers, so that they do not share a GPU.
NUMBER = os.getpid() % 10**8
OUT_OF_MEMORY = """
import torch

def attention(*args, **kwargs):
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 64.00 GiB.")
"""
WARMED = """
import sys
import grader.inside.zygote.main
from grader.inside.zygote.warm import warm

backward = 0

def watch(frame, event, called):
    global backward
    backward += event == "c_call" and called.__name__ == "run_backward"

sys.setprofile(watch)
warm(judge=False, gpu=sys.argv[1] == "gpu")
sys.setprofile(None)
print(backward)
"""


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    made = Driver(tmp_path / "driver.json")
    made.stand_in_for_cuda(monkeypatch)
    monkeypatch.setattr(gpu_lock, "FREED_S", 0.5)
    made.says(gpu(NUMBER))
    return made


class Bench:
    """A slot with exclusive use of a GPU, and everything that it needs."""

    def __init__(self, folder: Path) -> None:
        seen = gpus.look().gpus[0]
        processes = ProcessEngine()
        processes.connect()
        engine = OnGpu(processes, seen)
        self.tenancy = Tenancy(seen, folder)
        self.tenancy.hold()
        self.judges = JudgeSupervisor(processes)
        self.spares = SpareCells(engine, 1, lambda: None, self.judges.get)
        self.slot = Slot("gpu", self.spares, self.judges, MachineSpeed(), tenancy=self.tenancy)
        self.spares.start()
        self.slot.start()

    def judge(self, package: Package, source: str) -> object:
        """Judge an answer. Return the final result of the slot: a judgement or a fault."""
        ends: queue.Queue[object] = queue.Queue()
        order = JudgingRequest(a_job(package, source), package, lambda *_: None, to_the_end=False)
        self.slot.submit(SlotTask(order, ends.put))
        return ends.get(timeout=120)

    def contexts(self, wanted: int, seconds: float = 30.0) -> int:
        """Wait until the driver reports that `wanted` programs use the GPU, but at most `seconds`. Return the number of
        programs that the driver then reports.
        """
        until = time.monotonic() + seconds
        while (there := gpus.look().gpus[0].programs) != wanted and time.monotonic() < until:
            time.sleep(0.1)
        assert there is not None
        return there

    def close(self) -> None:
        self.slot.close()
        self.spares.close()
        self.judges.close()
        self.tenancy.close()


@pytest.fixture
def bench(driver: Driver, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def test_one_child_waits_with_a_context_and_every_job_finds_it_alone(bench: Bench, package: Package) -> None:
    bench.spares.wait_until_warm()
    assert bench.contexts(0) == 0, "a spare takes nothing of the GPU"
    for _ in range(5):
        judged = bench.judge(package, package.reference)
        assert getattr(judged, "verdict", judged) is Verdict.AC
    assert bench.contexts(1) == 1
    bench.slot.close()
    assert bench.contexts(0) == 0


def test_running_out_of_memory_is_the_answers_own_doing_unless_somebody_else_is_there(
    bench: Bench, driver: Driver, package: Package
) -> None:
    judged = bench.judge(package, OUT_OF_MEMORY)
    assert getattr(judged, "verdict", judged) is Verdict.MLE
    assert bench.contexts(1) == 1
    driver.says(gpu(NUMBER, used_mb=9000, programs=1))
    judged = bench.judge(package, OUT_OF_MEMORY)
    assert isinstance(judged, Unavailable)
    assert "in use by a program that no job started" in str(judged)
    assert "in use by" in bench.slot.problem
    assert bench.contexts(1) == 1, "the stranger alone"
    driver.says(gpu(NUMBER))
    assert bench.tenancy.look_again()
    judged = bench.judge(package, package.reference)
    assert getattr(judged, "verdict", judged) is Verdict.AC


def test_a_child_that_can_make_no_context_is_our_fault_and_says_why() -> None:
    engine = ProcessEngine()
    engine.connect()
    cell = Cell(engine.start(Shape("cell", gpu="GPU-none")))
    try:
        with pytest.raises(CellLost, match=r"no context on its GPU: .*(CUDA|NVIDIA)"):
            cell.fork_ahead()
    finally:
        cell.destroy()


@pytest.mark.parametrize("where", ["cpu", "gpu"])
def test_nothing_goes_backward_before_a_fork_where_a_gpu_is_to_be_seen(where: str) -> None:
    told = subprocess.run([sys.executable, "-c", WARMED, where], capture_output=True, text=True, check=True)
    calls = int(told.stdout)
    assert (calls == 0) if where == "gpu" else (calls > 3)
