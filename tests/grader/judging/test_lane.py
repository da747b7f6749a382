"""Checks that judging and measuring exclude each other, and that jobs go first."""

import threading
from collections.abc import Callable

import pytest

from grader.judging.slots import lane as lanes
from grader.judging.slots.lane import Lane

WAIT_S = 20.0


def in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


class Held:
    """Holds a lane in a thread of its own, from `entered` until `leave` is set."""

    def __init__(self, enter: Callable[[], object]) -> None:
        self.entered, self.leave = threading.Event(), threading.Event()
        self._enter = enter
        self.thread = in_thread(self._hold)

    def _hold(self) -> None:
        with self._enter():  # type: ignore[attr-defined]
            self.entered.set()
            assert self.leave.wait(WAIT_S)

    def end(self) -> None:
        self.leave.set()
        self.thread.join(WAIT_S)
        assert not self.thread.is_alive()


def nothing() -> None:
    """Look at nothing while a pair waits."""


def test_jobs_run_side_by_side() -> None:
    lane = Lane()
    jobs = [Held(lane.job) for _ in range(3)]
    assert all(job.entered.wait(WAIT_S) for job in jobs)
    for job in jobs:
        job.end()


def test_a_job_waits_for_the_pair_that_runs() -> None:
    lane = Lane()
    pair = Held(lambda: lane.pair(nothing))
    assert pair.entered.wait(WAIT_S)
    job = Held(lane.job)
    assert not job.entered.wait(0.1)
    pair.end()
    assert job.entered.wait(WAIT_S)
    job.end()


def test_a_pair_is_told_that_a_job_waits() -> None:
    lane = Lane()
    pair = Held(lambda: lane.pair(nothing))
    assert pair.entered.wait(WAIT_S)
    assert not lane.job_waits
    job = Held(lane.job)
    while not lane.job_waits:
        assert job.thread.is_alive()
    pair.end()
    assert job.entered.wait(WAIT_S)
    second = Held(lane.job)
    assert second.entered.wait(WAIT_S)
    assert not lane.job_waits
    job.end()
    second.end()


def test_a_pair_waits_for_every_job() -> None:
    lane = Lane()
    first, second = Held(lane.job), Held(lane.job)
    assert first.entered.wait(WAIT_S)
    assert second.entered.wait(WAIT_S)
    pair = Held(lambda: lane.pair(nothing))
    first.end()
    assert not pair.entered.wait(0.1)
    second.end()
    assert pair.entered.wait(WAIT_S)
    pair.end()


def test_a_job_that_waited_goes_before_the_next_pair() -> None:
    lane = Lane()
    first = Held(lambda: lane.pair(nothing))
    assert first.entered.wait(WAIT_S)
    job = Held(lane.job)
    while not lane._waiting:
        pass
    second = Held(lambda: lane.pair(nothing))
    first.end()
    assert job.entered.wait(WAIT_S)
    assert not second.entered.wait(0.1)
    job.end()
    assert second.entered.wait(WAIT_S)
    second.end()


def test_a_job_may_begin_while_a_pair_waits_for_another_job() -> None:
    lane = Lane()
    long = Held(lane.job)
    assert long.entered.wait(WAIT_S)
    pair = Held(lambda: lane.pair(nothing))
    short = Held(lane.job)
    assert short.entered.wait(WAIT_S)
    short.end()
    assert not pair.entered.wait(0.1)
    long.end()
    assert pair.entered.wait(WAIT_S)
    pair.end()


def test_who_waits_for_a_pair_can_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "LOOK_S", 0.01)
    lane, looks = Lane(), []

    def look() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise InterruptedError

    with lane.job(), pytest.raises(InterruptedError), lane.pair(look):
        pass
    assert len(looks) == 3
    with lane.pair(nothing):
        pass


def test_an_error_leaves_the_lane_free() -> None:
    lane = Lane()
    with pytest.raises(ZeroDivisionError), lane.pair(nothing):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), lane.job():
        raise ZeroDivisionError
    with lane.pair(nothing):
        pass
