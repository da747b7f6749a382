"""Defines the node: it receives jobs over a socket, judges them in slots, and reports the outcomes. It uses neither HTTP nor
SQL.
"""

import functools
import logging
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from grader.content.package_cache import PackageCache
from grader.contract import logs, transport
from grader.contract.errors import GraderError, PackageError, Unavailable
from grader.contract.job import Job, Judgement, Kind, TestResult
from grader.contract.measurement import Measure
from grader.hosts.host import Engine
from grader.hosts.machine.facts import versions
from grader.judging.measuring.measurer import Measurer
from grader.judging.request import JudgingRequest
from grader.judging.slots.lane import Lane
from grader.judging.slots.parts import judge_in_parts
from grader.judging.slots.slot import Slot
from grader.judging.slots.stages import Stages
from grader.node.gate_runner import GateRunner
from grader.node.packages import Packages
from grader.node.settings import Settings
from grader.node.slot_pool import SlotPool

log = logging.getLogger(__name__)
HEARTBEAT_S = 2.0
# After sending results of tests, the node collects further ones for this many seconds. Each message wakes the service, which on a
# small machine takes time from the judging.
COLLECT_S = 0.05


@dataclass
class RunningJob:
    """A job that this node has accepted. `trace` is the W3C traceparent header of the request, or empty."""

    job: Job
    slot: Slot
    trace: str
    cancelled: threading.Event = field(default_factory=threading.Event)


class Outbox:
    """Sends messages to the service in order. Results of tests are sent together, and every other message at once, after the
    results that came before it. If the connection is lost, nothing is sent: the node's thread that receives notices the loss, and
    the service has the jobs judged again once their leases expire.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._waiting = bytearray()
        self._some_wait = threading.Event()

    def send(self, message: transport.FromNode) -> None:
        """Send a message now, and all those that wait."""
        with self._lock:
            self._waiting += transport.pack(message)
            self._flush()

    def send_soon(self, message: transport.FromNode) -> None:
        """Let a message wait for at most COLLECT_S seconds, so that it is sent together with others."""
        with self._lock:
            self._waiting += transport.pack(message)
        self._some_wait.set()

    def work(self) -> None:
        """Send the messages that wait, as long as the process runs."""
        while self._some_wait.wait():
            self._some_wait.clear()
            with self._lock:
                self._flush()
            time.sleep(COLLECT_S)

    def _flush(self) -> None:
        data, self._waiting = self._waiting, bytearray()
        with suppress(OSError):
            self._connection.sendall(data)


class Node:
    """Judges the jobs that arrive on one connection. `check_host` raises Unavailable if this machine does not isolate jobs well
    enough.
    """

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        connection: socket.socket,
        check_host: Callable[[], None] = lambda: None,
        gate_runner: Callable[[Callable[[transport.FromNode], None], Lane], GateRunner] | None = None,
    ) -> None:
        self._settings = settings
        self._outbox = Outbox(connection)
        self._connection = connection
        self._lock = threading.Lock()
        self._packages = Packages(settings.packages, PackageCache(settings.kept))
        self._slots = SlotPool(settings, engine, check_host, self._report_capacity)
        self._gate_runner = gate_runner(self._outbox.send, self._slots.lane) if gate_runner else None
        self._measurer = Measurer(
            self._slots.measuring_bench(), self._slots.lane, self._packages.get, self._outbox.send
        )
        self._running: dict[str, RunningJob] = {}
        self._draining = threading.Event()
        self._closing = False
        self._environment = {"node": settings.name, "image": settings.image, "cells": settings.cells}

    def serve(self) -> None:
        """Take jobs until the service sends Drain or closes the connection. Then finish the running jobs and end all
        containers.
        """
        self._outbox.send(_hello(self._settings, self._slots.lanes, proves=self._gate_runner is not None))
        self._report_capacity()
        if self._gate_runner is not None:
            self._gate_runner.remove_leftovers()
        self._slots.start(idle=lambda: not self._running)
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        threading.Thread(target=self._outbox.work, name="outbox", daemon=True).start()
        try:
            self._listen()
            self._closing = True
        finally:
            self._close()

    def end(self) -> None:
        """End the node from a signal handler, by raising SystemExit. Does nothing if the node is already ending: an exception
        would interrupt the removal of its containers.
        """
        if not self._closing:
            sys.exit(0)

    def _listen(self) -> None:
        while not self._draining.is_set():
            try:
                message = transport.receive_from_service(self._connection)
            except (ConnectionError, OSError):
                return
            if isinstance(message, transport.Offer):
                self._take(message.job, message.trace)
            elif isinstance(message, transport.Prove):
                self._prove(message)
            elif isinstance(message, Measure):
                self._measurer.take(message)
            elif isinstance(message, transport.Cancel):
                self._cancel(message.job_id, message.token)
            else:
                self._draining.set()
        while self._running:
            time.sleep(0.05)

    def _take(self, job: Job, trace: str) -> None:
        slot = None if self._draining.is_set() else self._slots.take()
        if slot is None:
            self._outbox.send(transport.Refused(job.id, job.token, "no slot is free"))
            return
        running = RunningJob(job, slot, trace)
        with self._lock:
            self._running[job.token] = running
        self._outbox.send(transport.Accepted(job.id, job.token))
        fields = {"judging": job.id, "slot": slot.name, "slug": job.slug, "digest": job.digest[:12]}
        logs.tell(log, "judging_taken", **fields, trace=trace)
        try:
            package = self._packages.get(job.slug, job.digest)
        except PackageError as error:
            self._finish(running, error)
            return
        report = functools.partial(self._progress, job)
        environment = {**self._environment, **slot.labels}
        request = JudgingRequest(job, package, report, cancelled=running.cancelled.is_set, environment=environment)
        stages = Stages(lambda took: self._outbox.send(transport.Traced(job.token, trace, took)) if trace else None)
        judge_in_parts(slot, request, lambda outcome: self._finish(running, outcome), self._slots, stages)

    def _progress(self, job: Job, done: int, total: int, result: TestResult) -> None:
        if job.kind is not Kind.SCRATCH:
            self._outbox.send_soon(transport.Progress(job.id, job.token, done, total, result))

    def _finish(self, running: RunningJob, outcome: object) -> None:
        job = running.job
        fields = {"judging": job.id, "slot": running.slot.name, "outcome": logs.in_words(outcome)}
        logs.tell(log, "judging_left", **fields, trace=running.trace)
        with self._lock:
            self._running.pop(job.token, None)
        self._slots.give_back(running.slot)
        self._outbox.send(_end_of(job, outcome))
        self._report_capacity()

    def _prove(self, message: transport.Prove) -> None:
        if self._gate_runner is not None:
            self._gate_runner.take(message)
        else:
            self._outbox.send(transport.Proved(message.id, message.token, passed=False, fault="this node runs no gate"))

    def _cancel(self, job_id: str, token: str) -> None:
        if self._measurer.cancel(token) or (self._gate_runner is not None and self._gate_runner.cancel(token)):
            return
        with self._lock:
            running = self._running.get(token)
        if running is None:
            self._outbox.send(transport.Stopped(job_id, token))
        else:
            running.cancelled.set()

    def _report_capacity(self) -> None:
        capacity = self._slots.capacity()
        if isinstance(capacity, transport.Unavailable):
            logs.tell(log, "cannot_judge", reason=capacity.reason)
        elif self._draining.is_set():
            capacity = transport.Ready(0, 0)
        self._outbox.send(capacity)

    def _beat(self) -> None:
        while True:
            time.sleep(HEARTBEAT_S)
            with self._lock:
                tokens = tuple(self._running)
            self._outbox.send(self._slots.heartbeat(tokens))

    def _close(self) -> None:
        self._closing = True
        self._measurer.close()
        if self._gate_runner is not None:
            self._gate_runner.close()
        for running in list(self._running.values()):
            running.cancelled.set()
        self._slots.close()


def _hello(settings: Settings, lanes: dict[str, int], *, proves: bool) -> transport.Hello:
    # On a GPU, the time of a call depends on other things, and CPU time says nothing about it.
    measures = settings.device == "cpu"
    gpus = tuple(gpu.title for gpu in settings.gpus)
    return transport.Hello(settings.name, settings.device, lanes, versions(), proves, gpus, measures)


def _end_of(job: Job, outcome: object) -> transport.End:
    """Return the message that reports an outcome. An outcome is a judgement, a fault of the grader, or None for a cancelled
    job.
    """
    if isinstance(outcome, Judgement):
        return transport.Judged(outcome)
    if isinstance(outcome, Unavailable):
        return transport.Refused(job.id, job.token, str(outcome)[:500])
    if isinstance(outcome, GraderError):
        detail = "".join(traceback.format_exception(outcome))[-4000:]
        return transport.Fault(job.id, job.token, str(outcome)[:500], detail)
    return transport.Stopped(job.id, job.token)
