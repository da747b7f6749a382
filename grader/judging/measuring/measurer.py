"""Measures answers for the service, one at a time, in a thread and a cell of its own.

The thread and the cell exist only while they are needed: from the first request until IDLE_S seconds after the last one.
"""

import logging
import queue
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from grader.content.package import Package
from grader.contract import logs
from grader.contract.errors import GraderError
from grader.contract.measurement import Measure, Measured, Measuring
from grader.contract.transport import FromNode
from grader.judging.candidate_turns import JobCancelled
from grader.judging.measuring.bench import MeasuringBench
from grader.judging.measuring.measuring import AnswerFailed, MeasuringRequest, measure
from grader.judging.slots.lane import Lane

log = logging.getLogger(__name__)
# After this many seconds without a request, the cell is ended, because it takes memory.
IDLE_S = 300.0
CLOSE_S = 60.0
BUSY = "busy: the node measures another answer at this moment"
CLOSING = "the node is ending"
CANCELLED = "cancelled"


@dataclass
class RunningMeasurement:
    """A measurement that the node has accepted."""

    asked: Measure
    cancelled: threading.Event = field(default_factory=threading.Event)


class Measurer:
    """Starts and cancels measurements. `find` returns the package with a slug and a digest, or raises PackageError. Exactly one
    Measured is sent for each request.
    """

    def __init__(
        self,
        bench: MeasuringBench,
        lane: Lane,
        find: Callable[[str, str], Package],
        send: Callable[[FromNode], None],
    ) -> None:
        self._bench, self._lane, self._find, self._send = bench, lane, find, send
        self._lock = threading.Lock()
        self._requests: queue.Queue[RunningMeasurement | None] = queue.Queue()
        self._running: RunningMeasurement | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, asked: Measure) -> None:
        """Start a measurement. If the node measures already, or is ending, sends a fault instead."""
        with self._lock:
            refusal = CLOSING if self._closed else BUSY if self._running is not None else ""
            if not refusal:
                self._running = RunningMeasurement(asked)
                self._requests.put(self._running)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="measure", daemon=True)
                    self._thread.start()
        if refusal:
            self._send(Measured(asked.id, asked.token, fault=refusal))

    def cancel(self, token: str) -> bool:
        """End the measurement with this token. Returns False if there is none."""
        with self._lock:
            running = self._running
        if running is None or running.asked.token != token:
            return False
        running.cancelled.set()
        return True

    def close(self) -> None:
        """End the measurement and the cell, and refuse further requests."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running.cancelled.set()
            self._requests.put(None)
            thread = self._thread
        if thread is not None:
            thread.join(CLOSE_S)

    def _work(self) -> None:
        while (running := self._next()) is not None:
            end = self._measured(running)
            logs.tell(log, "measured", measurement=end.id, fault=end.fault, message=end.message)
            with self._lock:
                self._running = None
            self._send(end)
        self._bench.release()

    def _next(self) -> RunningMeasurement | None:
        """Wait for the next request. Returns None if the thread should end."""
        with suppress(queue.Empty):
            return self._requests.get(timeout=IDLE_S)
        with self._lock:
            if self._requests.empty():
                self._thread = None
                return None
        return self._requests.get()

    def _measured(self, running: RunningMeasurement) -> Measured:
        asked = running.asked
        identity = asked.id, asked.token
        try:
            request = MeasuringRequest(
                self._find(asked.slug, asked.digest),
                asked.source,
                asked.seed,
                asked.plan,
                report=lambda pairs, width: self._send(Measuring(*identity, pairs, width)),
                cancelled=running.cancelled.is_set,
            )
            return Measured(*identity, measurement=measure(request, self._bench, self._lane))
        except AnswerFailed as error:
            return Measured(*identity, message=str(error))
        except Exception as error:  # unknown errors of the grader become a fault, so that the thread goes on
            return Measured(*identity, fault=self._fault(running, error))

    def _fault(self, running: RunningMeasurement, error: Exception) -> str:
        """Say why a measurement ended without a result. What fails after it was cancelled, for example because the node ends its
        containers, is not the reason.
        """
        if isinstance(error, JobCancelled) or (isinstance(error, GraderError) and running.cancelled.is_set()):
            return CLOSING if self._closed else CANCELLED
        if isinstance(error, GraderError):
            return str(error)[:500]
        log.error("an answer could not be measured", exc_info=error)
        return "".join(traceback.format_exception_only(error)).strip()[:500]
