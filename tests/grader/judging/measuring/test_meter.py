"""Checks what counts as the time of a call: everything from the request to the result, even if the answer splits the call."""

import time
from typing import Any

import pytest

from grader.judging.pool.cells import CallMeter


class Clock:
    """A clock of the node and the CPU time of a cell, which the test sets."""

    def __init__(self) -> None:
        self.now = self.cpu = 100.0

    def cpu_seconds(self) -> float:
        return self.cpu

    def passes(self, wall_s: float, cpu_s: float) -> None:
        self.now += wall_s
        self.cpu += cpu_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "perf_counter", lambda: made.now)
    return made


def turn(meter: CallMeter, clock: Clock, call: bytes, wall_s: float, cpu_s: float) -> None:
    meter.turn_begins(call)
    clock.passes(wall_s, cpu_s)
    meter.turn_ended()


def test_the_last_call_counts(clock: Any) -> None:
    meter = CallMeter(clock)
    turn(meter, clock, b"first", 5.0, 4.0)
    clock.passes(7.0, 7.0)
    turn(meter, clock, b"second", 2.0, 1.5)
    assert (meter.wall_s, meter.cpu_s) == (2.0, 1.5)


def test_a_call_of_several_turns_counts_as_a_whole(clock: Any) -> None:
    meter = CallMeter(clock)
    turn(meter, clock, b"one", 5.0, 4.0)
    clock.passes(1.0, 2.0)  # the judge answers a callback, and threads of the answer go on computing
    turn(meter, clock, b"one", 0.5, 0.25)
    assert (meter.wall_s, meter.cpu_s) == (6.5, 6.25)


def test_a_call_that_does_not_end_changes_nothing(clock: Any) -> None:
    meter = CallMeter(clock)
    turn(meter, clock, b"one", 2.0, 1.0)
    meter.turn_begins(b"two")
    clock.passes(9.0, 9.0)
    assert (meter.wall_s, meter.cpu_s) == (2.0, 1.0)
