"""Checks that no pair of runs begins while a job runs, and that a job that begins during a pair disturbs it."""

import threading

import pytest

from grader.judging.slots import lane as lanes
from grader.judging.slots.lane import Lane

WAIT_S = 20.0


def nothing() -> None:
    """Look at nothing while the measurement waits."""


class Waiting:
    """Waits in a thread until a lane is quiet; `done` is set then."""

    def __init__(self, lane: Lane) -> None:
        self.done = threading.Event()
        threading.Thread(target=self._wait, args=(lane,), daemon=True).start()

    def _wait(self, lane: Lane) -> None:
        lane.wait_until_quiet(nothing)
        self.done.set()


def test_a_job_disturbs_the_pair_that_runs_and_not_the_next_one() -> None:
    lane = Lane()
    lane.wait_until_quiet(nothing)
    assert not lane.disturbed
    with lane.job():
        assert lane.disturbed
    assert lane.disturbed, "the job has ended, but the pair before it has been disturbed"
    lane.wait_until_quiet(nothing)
    assert not lane.disturbed


def test_a_pair_waits_for_every_job() -> None:
    lane = Lane()
    with lane.job():
        with lane.job():
            waiting = Waiting(lane)
            assert not waiting.done.wait(0.1)
        assert not waiting.done.wait(0.1)
    assert waiting.done.wait(WAIT_S)
    assert not lane.disturbed


def test_who_waits_can_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "LOOK_S", 0.01)
    lane, looks = Lane(), list[int]()

    def look() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise InterruptedError

    with lane.job(), pytest.raises(InterruptedError):
        lane.wait_until_quiet(look)
    assert len(looks) == 3
    lane.wait_until_quiet(look)
    assert len(looks) == 3


def test_a_job_that_fails_leaves_the_lane_quiet() -> None:
    lane = Lane()
    with pytest.raises(ZeroDivisionError), lane.job():
        raise ZeroDivisionError
    lane.wait_until_quiet(nothing)
