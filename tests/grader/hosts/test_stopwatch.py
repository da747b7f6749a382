"""Checks the stopwatch that measures how long a process is idle. Time in which the process waits for a processor does not
count. A process must not be able to appear less idle by waking up at chosen moments.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from grader.contract.wire import WireTimeout
from grader.hosts.machine import stopwatch
from grader.hosts.machine.stopwatch import Stopwatch, patience
from grader.hosts.machine.tasks import Tree, any_runs, find


class Clock:
    """A clock that advances only when a test changes `now`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Told:
    """CPU accounting of a process whose values the test sets."""

    def __init__(self, runs: Callable[[], bool | None]) -> None:
        self.runs = runs
        self.used = 0.0

    def cpu_seconds(self) -> float:
        return self.used


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(stopwatch, "time", made)
    return made


def watched(clock: Clock, runs: Callable[[], bool | None], *, seconds: float, turn_s: float) -> Stopwatch:
    """Run a stopwatch for `seconds` in total, and return it. After every `turn_s` seconds, it is stopped and started again."""
    watch = Stopwatch(Told(runs), lambda: None)
    for _ in range(round(seconds / turn_s)):
        watch.start()
        until = clock.now + turn_s
        while clock.now < until:
            clock.now += min(watch.look(), until - clock.now) or 1e-6
        watch.stop()
    return watch


@pytest.mark.parametrize("turn_s", [0.004, 0.05, 60.0])
def test_sleep_counts_in_turns_of_any_length(clock: Clock, turn_s: float) -> None:
    watch = watched(clock, lambda: False, seconds=60, turn_s=turn_s)
    assert watch.idle_s == pytest.approx(60, rel=0.05)
    assert watch.wall_s == pytest.approx(60, rel=0.01)


def test_waiting_for_a_processor_does_not_count(clock: Clock) -> None:
    assert watched(clock, lambda: True, seconds=60, turn_s=60).idle_s == 0.0


@pytest.mark.parametrize("period_s", [0.005, 0.05, 0.1])
def test_who_is_awake_for_moments_gains_those_moments_whenever_they_are(clock: Clock, period_s: float) -> None:
    """In this attack, many threads wake at the same moment, so that the process seems to wait for a processor. Here, they are
    awake for 4 % of the time. Nearly all of the other 96 % must count as idle.
    """
    watch = watched(clock, lambda: clock.now % period_s < 0.04 * period_s, seconds=120, turn_s=120)
    assert watch.idle_s > 0.85 * 120


def test_who_looks_late_counts_a_step_and_not_what_has_passed(clock: Clock) -> None:
    watch = Stopwatch(Told(lambda: False), lambda: None)
    watch.start()
    clock.now += 100
    watch.look()
    assert watch.idle_s <= 2 * stopwatch.TICK_S


def test_what_has_something_to_say_is_not_idle(clock: Clock) -> None:
    watch = Stopwatch(Told(lambda: False), lambda: None)
    watch.start()
    clock.now += 1
    watch.look(False)
    assert watch.idle_s == 0.0


def test_what_cannot_be_seen_counts_and_is_remembered(clock: Clock) -> None:
    watch = watched(clock, lambda: None, seconds=10, turn_s=10)
    assert watch.blind
    assert watch.idle_s == pytest.approx(10, rel=0.1)


@pytest.mark.parametrize(
    ("runs", "used", "limits", "text"),
    [
        (False, 0.0, {"idle_s": 5.0}, "nothing happened for 5 s"),
        (True, 1.0, {"idle_s": 5.0, "cpu_s": 7.0}, "more than 7 s of CPU"),
        (True, 0.0, {"idle_s": 5.0, "wall_s": 50.0}, "longer than 50 s"),
    ],
)
def test_patience_ends(clock: Clock, runs: bool, used: float, limits: dict[str, float], text: str) -> None:
    account = Told(lambda: runs)
    look = patience(account, **limits)

    def go_on() -> None:
        for _ in range(3000):
            clock.now += 0.05
            account.used += 0.05 * used
            look(True)

    with pytest.raises(WireTimeout, match=text):
        go_on()


def test_patience_with_what_waits_does_not_end(clock: Clock) -> None:
    look = patience(Told(lambda: True), idle_s=5.0, cpu_s=7.0)
    for _ in range(3000):
        clock.now += 0.05
        look(True)


def test_tree_sees_threads_and_children_work_and_sleep() -> None:
    """The process itself sleeps, but a second thread of its child works. The tree of both processes must count as running."""
    inner = "import threading, time\ndef spin():\n while True: pass\n"
    inner += "threading.Thread(target=spin, daemon=True).start()\ntime.sleep(60)"
    outer = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {inner!r}])\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", outer], start_new_session=True) as process:
        tree = Tree(process.pid)
        until = time.monotonic() + 20
        while tree.cpu_seconds() < 0.5:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert tree.runs() is True
        assert find([os.getpid(), process.pid], process.pid, os.getpid()) == tree
        os.killpg(process.pid, 9)


def test_who_sleeps_is_seen_to_and_who_is_gone_is_not_seen() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        until = time.monotonic() + 10
        while Tree(process.pid).runs() is not False:
            assert time.monotonic() < until
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert any_runs([process.pid]) is None
        assert Tree(process.pid).runs() is None
        with pytest.raises(OSError, match="No such"):
            Tree(process.pid).cpu_seconds()
