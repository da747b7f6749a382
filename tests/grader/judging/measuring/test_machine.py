"""Checks how the rates of a machine are read, and the floor that follows from them."""

from pathlib import Path

import msgspec
import pytest

from grader.contract.job import Judgement
from grader.contract.measurement import ChainSize, Quantity
from grader.judging.measuring.machine import MARK, Machine, Rates, read_rates

RATES = Rates(100.0, {1 << 16: 80.0, 1 << 20: 40.0, 1 << 28: 10.0}, "2.13", "gcc")


def printed(text: str, message: str = "") -> Judgement:
    return Judgement("", "", None, 0, 0, (), 0, "", 0.0, 0.0, 0.0, output=text, message=message)


def test_the_rates_are_read_from_what_the_cell_printed() -> None:
    assert read_rates(printed(MARK + msgspec.json.encode(RATES).decode())) == RATES


@pytest.mark.parametrize(
    "text", ["", MARK, MARK + "{}", MARK + '{"gflops": "much"}', "killed"], ids=["empty", "cut", "{}", "text", "other"]
)
def test_other_output_is_a_fault(text: str) -> None:
    with pytest.raises(ValueError, match="the machine was not measured"):
        read_rates(printed(text, "it took too long"))


@pytest.mark.parametrize(
    ("flops", "traffic", "seconds"),
    [
        (1e9, 1e3, 0.01),  # no copy is as small, so the arithmetic alone counts
        (0.0, 1 << 17, (1 << 17) / 80e9),
        (0.0, 1 << 20, (1 << 20) / 40e9),
        (0.0, 1 << 30, (1 << 30) / 10e9),
        (1e9, 1 << 30, (1 << 30) / 10e9),
    ],
)
def test_the_floor_is_the_larger_of_arithmetic_and_traffic(flops: float, traffic: float, seconds: float) -> None:
    assert Machine(RATES).floor(ChainSize(1, 1, flops, traffic), Quantity.SPEED) == pytest.approx(seconds)


def test_the_floor_of_memory_is_what_a_call_must_hold() -> None:
    assert Machine(RATES).floor(ChainSize(1, 1, 1e12, 3 << 20), Quantity.MEMORY) == 3


def test_the_best_of_all_measurements_counts() -> None:
    machine = Machine(RATES)
    machine.add(Rates(90.0, {1 << 16: 99.0, 1 << 20: 1.0, 1 << 28: 12.0}, "2.13", "gcc"))
    assert (machine.facts.gflops, machine.facts.gb_per_s) == (100.0, 12.0)
    assert machine.floor(ChainSize(1, 1, 0.0, 1 << 20), Quantity.SPEED) == pytest.approx((1 << 20) / 40e9)


def test_another_build_is_another_runner() -> None:
    other = msgspec.structs.replace(RATES, build="clang")
    assert Machine(RATES).facts.runner == Machine(RATES).facts.runner != Machine(other).facts.runner
    assert Machine(RATES).facts.torch == "2.13"
    if "model name" in Path("/proc/cpuinfo").read_text():
        assert Machine(RATES).facts.cpu in Path("/proc/cpuinfo").read_text()
