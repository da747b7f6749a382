"""Checks that a node answers each request for a measurement exactly once, whatever happens. No cell is started."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from grader.contract.errors import CellLost, PackageError
from grader.contract.measurement import ChainSize, Measure, Measured, MeasurementPlan, Measuring, Quantity
from grader.judging.candidate_turns import JobCancelled
from grader.judging.measuring import measurer as measurers
from grader.judging.measuring.measurer import Measurer
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest
from grader.judging.slots.lane import Lane

WAIT_S = 20.0
PLAN = MeasurementPlan(Quantity.SPEED, "", "", (ChainSize(1, 1, 1, 1), ChainSize(2, 1, 1, 1)))


def asked(token: str = "t") -> Measure:
    return Measure(f"id of {token}", token, "slug", "digest", "", "source", 1, PLAN)


class Bench:
    def __init__(self) -> None:
        self.released = threading.Event()

    def release(self) -> None:
        self.released.set()


class Scene:
    """A measurer whose measurements do what `work` does, and the messages that it sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: queue.Queue[Any] = queue.Queue()
        self.bench = Bench()
        self.work: Callable[[MeasuringRequest], Any] = lambda _: None
        monkeypatch.setattr(measurers, "measure", lambda request, bench, lane: self.work(request))
        self.measurer = Measurer(self.bench, Lane(), self.find, self.sent.put)  # type: ignore[arg-type]

    def find(self, slug: str, digest: str) -> Any:
        return None

    def next(self) -> Any:
        return self.sent.get(timeout=WAIT_S)

    def until_cancelled(self, request: MeasuringRequest) -> None:
        request.report(0, None)
        waiting = threading.Event()
        while not request.cancelled():
            waiting.wait(0.01)
        raise JobCancelled


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(monkeypatch)
    yield made
    made.measurer.close()


def test_the_result_is_sent_after_the_progress(scene: Scene) -> None:
    scene.work = lambda request: request.report(3, 0.05)
    scene.measurer.take(asked())
    assert scene.next() == Measuring("id of t", "t", 3, 0.05)
    assert scene.next() == Measured("id of t", "t")


@pytest.mark.parametrize(
    ("error", "message", "fault"),
    [
        (AnswerFailed("At size 2: wrong"), "At size 2: wrong", ""),
        (CellLost("the cell is gone"), "", "the cell is gone"),
        (KeyError("what"), "", "KeyError: 'what'"),
    ],
)
def test_each_failure_has_an_end_and_the_next_request_is_served(
    scene: Scene, error: Exception, message: str, fault: str
) -> None:
    def fails(request: MeasuringRequest) -> None:
        raise error

    scene.work = fails
    for token in ("t", "u"):
        scene.measurer.take(asked(token))
        assert scene.next() == Measured(f"id of {token}", token, message=message, fault=fault)


def test_an_unknown_package_is_a_fault(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(slug: str, digest: str) -> None:
        raise PackageError("no such package")

    monkeypatch.setattr(scene.measurer, "_find", find)
    scene.measurer.take(asked())
    assert scene.next().fault == "no such package"


def test_one_answer_is_measured_at_a_time(scene: Scene) -> None:
    scene.work = scene.until_cancelled
    scene.measurer.take(asked("t"))
    assert isinstance(scene.next(), Measuring)
    scene.measurer.take(asked("u"))
    busy = scene.next()
    assert (busy.token, busy.measurement) == ("u", None)
    assert busy.fault.startswith("busy")
    assert scene.measurer.cancel("t")
    assert scene.next() == Measured("id of t", "t", fault="cancelled")


def test_only_the_token_of_the_measurement_cancels_it(scene: Scene) -> None:
    assert not scene.measurer.cancel("t")
    scene.work = scene.until_cancelled
    scene.measurer.take(asked("t"))
    assert isinstance(scene.next(), Measuring)
    assert not scene.measurer.cancel("u")
    assert scene.measurer.cancel("t")
    assert isinstance(scene.next(), Measured)


def test_closing_ends_the_measurement_and_the_cell(scene: Scene) -> None:
    scene.work = scene.until_cancelled
    scene.measurer.take(asked("t"))
    assert isinstance(scene.next(), Measuring)
    scene.measurer.close()
    assert scene.next().fault == "the node is ending"
    assert scene.bench.released.is_set()
    scene.measurer.take(asked("u"))
    assert scene.next() == Measured("id of u", "u", fault="the node is ending")


def test_a_measurement_that_fails_while_the_node_ends_says_that_the_node_ends(scene: Scene) -> None:
    def fails(request: MeasuringRequest) -> None:
        with suppress(JobCancelled):
            scene.until_cancelled(request)
        raise CellLost("the cell is gone")

    scene.work = fails
    scene.measurer.take(asked("t"))
    assert isinstance(scene.next(), Measuring)
    scene.measurer.close()
    assert scene.next() == Measured("id of t", "t", fault="the node is ending")


def test_an_idle_measurer_ends_its_cell_and_takes_another_later(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurers, "IDLE_S", 0.01)
    for token in ("t", "u"):
        scene.bench.released.clear()
        scene.measurer.take(asked(token))
        assert scene.next().token == token
        assert scene.bench.released.wait(WAIT_S)
