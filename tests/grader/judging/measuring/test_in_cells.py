"""Measures real answers in Docker cells. The tests assert only relations that hold on a busy machine too: what differs, differs
by a large factor.
"""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.content.package import Entry, load
from grader.contract.errors import Fault
from grader.contract.job import Limits
from grader.contract.measurement import ChainSize, Measurement, MeasurementPlan, Quantity
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest, measure
from grader.judging.slots.lane import Lane
from grader.judging.workbench import Workbench

pytestmark = pytest.mark.docker
CHAIN = """
import torch


def chain(solution, size, steps, seed):
    draw = torch.Generator().manual_seed(seed)
    x, weights = torch.randn(size, generator=draw), torch.randn(size, generator=draw)
    sketches = []
    for _ in range(steps):
        sketch = (solution.f(x) * weights).sum() / size**0.5
        sketches.append(sketch)
        x = torch.randn(size, generator=draw) + torch.tanh(weights * sketch)
    return torch.stack(sketches)
"""
REFERENCE = "import torch\n\ndef f(x):\n    return torch.tanh(x)\n"


def repeated(times: int, more: str = "") -> str:
    return f"import torch\n\ndef f(x):\n    for _ in range({times}):\n        y = torch.tanh(x)\n{more}    return y\n"


SIZES = (ChainSize(1000, 4, 0, 8e3), ChainSize(50_000, 4, 0, 4e5))


@pytest.fixture(scope="module")
def made(docker_bench: Workbench) -> Iterator[MeasuringBench]:
    bench = MeasuringBench(docker_bench.spares, docker_bench.judge_container)
    yield bench
    bench.release()


@pytest.fixture
def measured(made: MeasuringBench) -> Callable[..., Measurement]:
    template = load(Path(__file__).parents[3] / "attacks" / "package" / "hostile" / "attention")
    answers = (replace(template.answers[0], source=REFERENCE),)

    def run(
        source: str, *, baseline: str = repeated(100), chain: str = CHAIN, memory_mb: int = 256, **more: Any
    ) -> Measurement:
        limits = Limits(memory_mb=memory_mb, processes=8)
        info = replace(template.info, entry=(Entry("f", "function", "f(x)"),), limits=limits)
        package = replace(template, digest="measured", info=info, answers=answers, probes="")
        plan = MeasurementPlan(more.pop("quantity", Quantity.SPEED), chain, baseline, SIZES, budget_s=0.0)
        return measure(MeasuringRequest(package, source, 3, plan, **more), made, Lane())

    return run


def test_less_work_is_measured_as_faster(measured: Any) -> None:
    found = measured(repeated(4), baseline=repeated(1000))
    assert math.exp(found.log_ratio) > 3
    assert [each.size for each in found.sizes] == [1000, 50_000]
    assert found.machine.gflops > 1
    assert found.machine.gb_per_s > 0.5
    assert found.machine.torch
    assert found.operators[0].name == "tanh"
    assert 0 < found.operators[0].share <= 1


def test_memory_is_measured_above_an_idle_process(measured: Any) -> None:
    large = "    z = torch.zeros(64 << 20).fill_(1.0)\n"
    found = measured(REFERENCE, baseline=repeated(1, large), quantity=Quantity.MEMORY, memory_mb=1024)
    assert math.exp(found.log_ratio) > 3
    assert found.sizes[-1].baseline == pytest.approx(256, rel=0.3)
    assert not found.shared


def test_memory_in_buffers_of_sockets_counts(measured: Any) -> None:
    hidden = """
    import socket
    kept, sent = [], 0
    while sent < 16 << 20:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        kept.append((ours, theirs))
        try:
            while True:
                sent += ours.send(bytes(1 << 16))
        except BlockingIOError:
            pass
"""
    found = measured(REFERENCE, baseline=repeated(1, hidden), quantity=Quantity.MEMORY)
    assert found.sizes[-1].baseline > found.sizes[-1].answer + 15


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (repeated(1, "    if len(x) > 1000:\n        y = y * 1.001\n"), "At size 50000: the result of the chain"),
        (repeated(1, "    if len(x) > 1000:\n        raise KeyError('here')\n"), "At size 50000: .*KeyError"),
        (repeated(1, "    import ctypes\n    ctypes.string_at(0)\n"), "At size 1000: .*signal 11"),
        (repeated(1, "    import os\n    os._exit(0)\n"), "At size 1000: .*process ended"),
        (repeated(1, "    import time\n    time.sleep(60)\n"), "At size 1000: a call took longer than"),
        (repeated(1, "    while True:\n        pass\n"), "At size 1000: a call used more than 2 s"),
        ("def f(x):\n    return None\n", "At size 1000: .*TypeError"),
        (repeated(1, "    y = torch.zeros(1 << 30).fill_(1.0)[:len(x)]\n"), "At size 1000: used more than 256 MB"),
        ("1 / 0\n", "At size 1000: .*ZeroDivisionError"),
    ],
    ids=[
        "wrong at one size",
        "raises",
        "crashes",
        "exits",
        "hangs",
        "loops",
        "returns nothing",
        "memory",
        "not loaded",
    ],
)
def test_an_answer_that_fails_in_the_chain_is_told_why(measured: Any, source: str, message: str) -> None:
    with pytest.raises(AnswerFailed, match=message):
        measured(source)


def test_a_chain_that_returns_too_much_or_no_tensor_is_a_fault(measured: Any) -> None:
    large = "import torch\n\ndef chain(solution, size, steps, seed):\n    return torch.zeros(1 << 17)\n"
    with pytest.raises(Fault, match="the chain returns 131,072 elements"):
        measured(REFERENCE, chain=large)
    with pytest.raises(Fault, match="the baseline fails"):
        measured(REFERENCE, chain="def chain(solution, size, steps, seed):\n    return size + seed\n")


def test_a_measurement_goes_on_in_another_cell_after_one_was_lost(made: MeasuringBench, measured: Any) -> None:
    lost = made.prepare()
    lost.host.destroy()
    assert math.exp(measured(repeated(4), baseline=repeated(1000)).log_ratio) > 3
    assert made.prepare() is not lost
