"""Measures answers that are slow and try to look fast. Each must be measured as slow as it is, or be refused.

The honest slow answer is correct, and computes its scores again and again. Every cheat does the same work, and tries to hide it
or to leave it out: if it succeeded, it would look about 50 times as fast. A cheat wins if it looks more than MOST times as fast
as the honest slow answer.
"""

import math
from collections.abc import Iterator

import pytest

from grader.content.package import Package
from grader.contract.measurement import ChainSize, Measurement, MeasurementPlan, Quantity
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest, measure
from grader.judging.slots.lane import Lane
from grader.judging.workbench import Workbench
from tests.attacks.cheats import CHEATS, Cheat

pytestmark = pytest.mark.docker
MOST = 4.0
CHAIN = """
import torch


def chain(solution, size, steps, seed):
    draw = torch.Generator().manual_seed(seed)
    q, k, v, weights = (torch.randn(size, 64, generator=draw) for _ in range(4))
    sketches = []
    for _ in range(steps):
        out = solution.attention(q, k, v)
        sketch = (torch.tanh(out) * weights).sum(dtype=torch.float64).float() / size**0.5
        sketches.append(sketch)
        q = torch.randn(size, 64, generator=draw) + torch.tanh(weights * sketch)
    return torch.stack(sketches)
"""
QUICK = """
import math

import torch


def quick(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def attention(q, k, v):
    return quick(q, k, v)
"""
SLOW = f"""{QUICK}

def slow(q, k, v):
    for _ in range(400):
        out = quick(q, k, v)
    return out


def attention(q, k, v):
    return slow(q, k, v)

"""


@pytest.fixture(scope="module")
def measuring(bench: Workbench) -> Iterator[MeasuringBench]:
    made = MeasuringBench(bench.spares, bench.judge_container)
    yield made
    made.release()


def measured(measuring: MeasuringBench, package: Package, source: str) -> Measurement:
    """Measure an answer in few pairs, since what is compared differs by a factor of about 50."""
    plan = MeasurementPlan(
        Quantity.SPEED, CHAIN, QUICK, (ChainSize(32, 4, 0, 1), ChainSize(64, 10, 0, 1)), budget_s=0.0
    )
    return measure(MeasuringRequest(package, source, 11, plan), measuring, Lane())


@pytest.fixture(scope="module")
def honest(measuring: MeasuringBench, package: Package) -> float:
    """How many times as fast as the baseline the honest slow answer is: about 0.02."""
    found = math.exp(measured(measuring, package, SLOW).log_ratio)
    assert found < 1 / (2 * MOST), "the slow answer must be far slower than the baseline, or no cheat could be seen"
    return found


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.tries)
def test_a_cheat_is_refused_or_measured_as_slow_as_it_is(
    cheat: Cheat, measuring: MeasuringBench, package: Package, honest: float
) -> None:
    try:
        ratio = math.exp(measured(measuring, package, SLOW + cheat.code).log_ratio)
    except AnswerFailed:
        return
    assert not cheat.refused, f"it was measured: {ratio:.3f}"
    assert ratio < MOST * honest


def test_a_fast_answer_is_measured_as_fast(measuring: MeasuringBench, package: Package, honest: float) -> None:
    assert math.exp(measured(measuring, package, QUICK).log_ratio) > 2 * honest
