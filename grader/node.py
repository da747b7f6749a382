"""The node: takes jobs over the transport, judges them in slots, reports, drains. It knows no HTTP and no SQL."""

import functools
import logging
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader import logs, transport
from grader.errors import GraderError, PackageError, Unavailable
from grader.gpus import Gpu
from grader.hosts import Engine
from grader.job import Job, Judgement, Kind, TestResult
from grader.judges import MAX_PACKAGES
from grader.judging import Order
from grader.kept import Kept
from grader.machine import versions
from grader.packages import Packages
from grader.proving.prover import Prover
from grader.slots import Judges, Slot, Work
from grader.spares import Spares
from grader.stages import Stages
from grader.tenancy import OnGpu, Tenancy
from grader.uids import Uids

log = logging.getLogger(__name__)
HEARTBEAT_S = 2.0
LOOK_S = 5.0


@dataclass(frozen=True)
class Settings:
    """What a node is told on its command line. On `cuda` each of `gpus` has one of the slots."""

    name: str
    packages: Path
    kept: Path
    slots: int = 2
    spares: int = 2
    cell_uses: int = 200
    device: str = "cpu"
    gpus: tuple[Gpu, ...] = ()
    image: str = ""
    cells: str = "docker"


@dataclass
class Running:
    """A job that this node has accepted."""

    job: Job
    slot: str
    cancelled: threading.Event = field(default_factory=threading.Event)
    trace: str = ""


class Node:
    """One node on one connection. `gate` raises Unavailable on a host where nothing may be judged."""

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        connection: socket.socket,
        gate: Callable[[], None] = lambda: None,
        prover: Callable[[Callable[[transport.FromNode], None]], Prover] | None = None,
    ) -> None:
        self._gate = gate
        self._prover = prover(self._send) if prover else None
        self._first_judge: threading.Thread | None = None
        self._settings = settings
        self._connection = connection
        self._sending = threading.Lock()
        self._lock = threading.Lock()
        uids = Uids(own=engine.own_uids)
        self._engine = engine
        self._judges = Judges(engine, uids)
        self._packages = Packages(settings.packages, Kept(settings.kept))
        self._tenancies = [Tenancy(gpu) for gpu in settings.gpus]
        engines: Sequence[Engine] = [OnGpu(engine, gpu) for gpu in settings.gpus] or [engine]
        self._spares = [
            Spares(each, uids, settings.spares, self._tell_capacity, self._before_first) for each in engines
        ]
        self._slots = {slot.name: slot for slot in map(self._slot, range(settings.slots))}
        self._free = list(self._slots)
        self._running: dict[str, Running] = {}
        self._draining = threading.Event()
        self._closing = False
        self._environment = {"node": settings.name, "image": settings.image, "cells": settings.cells}

    def _slot(self, number: int) -> Slot:
        tenancy = self._tenancies[number] if self._tenancies else None
        spares = self._spares[number if tenancy else 0]
        return Slot(
            f"{self._settings.name}/{number}", spares, self._judges, cell_uses=self._settings.cell_uses, tenancy=tenancy
        )

    def _hello(self) -> transport.Hello:
        told, gpus = self._settings, tuple(gpu.title for gpu in self._settings.gpus)
        return transport.Hello(told.name, told.device, self._lanes(), versions(), self._prover is not None, gpus)

    def serve(self) -> None:
        """Work until told to drain or until the service is gone; leave no container behind."""
        self._send(self._hello())
        self._tell_capacity()
        with suppress(Unavailable):
            self._engine.connect()
            self._engine.remove_leftovers()
        if self._prover is not None:
            self._prover.remove_leftovers()
        for spares in self._spares:
            spares.start()
        for slot in self._slots.values():
            slot.start()
        if self._tenancies:
            threading.Thread(target=self._watch_gpus, name="gpus", daemon=True).start()
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        threading.Thread(target=self._preload, name="preload", daemon=True).start()
        try:
            self._listen()
            self._closing = True
        finally:
            self._close()

    def end(self) -> None:
        """Asked by a signal. Raises SystemExit, but not while it cleans up: what is left then stays until the next node."""
        if not self._closing:
            sys.exit(0)

    def _before_first(self) -> None:
        """Before the first cell, and after every problem: the walls are tried while the judge warms."""
        if self._first_judge is None or not self._first_judge.is_alive():
            self._first_judge = threading.Thread(target=self._warm_judge, name="first-judge", daemon=True)
            self._first_judge.start()
        self._gate()
        for tenancy in self._tenancies:
            tenancy.hold()
        self._judges.get()

    def _warm_judge(self) -> None:
        with suppress(GraderError):  # said by whoever wants it
            self._judges.get()

    def _preload(self) -> None:
        """Load packages into the judge ahead of their first job. What is broken is told when a job asks for it."""
        for package in self._packages.read_all()[:MAX_PACKAGES]:
            with suppress(GraderError):
                self._judges.get().describe(package)

    def _lanes(self) -> dict[str, int]:
        usual = max(1, len(self._slots) - 1)
        return {"any": usual, "short": len(self._slots) - usual}

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
            elif isinstance(message, transport.Cancel):
                self._cancel(message.job_id, message.token)
            else:
                self._draining.set()
        while self._running:
            time.sleep(0.05)

    def _take(self, job: Job, trace: str) -> None:
        with self._lock:
            slot = None if self._draining.is_set() else self._slot_for(job)
            running = Running(job, slot or "")
            if slot is not None:
                self._running[job.token] = running
        if slot is None:
            self._send(transport.Refused(job.id, job.token, "no slot is free"))
            return
        self._send(transport.Accepted(job.id, job.token))
        running.trace = trace
        told = {"judging": job.id, "slot": slot, "slug": job.slug, "digest": job.digest[:12]}
        logs.tell(log, "judging_taken", **told, trace=trace)
        try:
            package = self._packages.get(job.slug, job.digest)
        except PackageError as error:
            self._finish(running, error)
            return
        report = functools.partial(self._progress, job)
        environment = {**self._environment, **self._slots[slot].labels}
        order = Order(job, package, report, cancelled=running.cancelled.is_set, environment=environment)
        stages = Stages(lambda took: self._send(transport.Traced(job.token, trace, took)) if trace else None)
        self._slots[slot].submit(Work(order, lambda outcome: self._finish(running, outcome), stages))

    def _slot_for(self, job: Job) -> str | None:
        """A free slot, taken: the one whose cell is this account's own, else the one used last. What can judge goes first."""
        if not self._free:
            return None
        able = [name for name in self._free if not self._slots[name].problem] or self._free
        own = (name for name in able if self._slots[name].owner == job.owner)
        chosen = next(own, able[-1])
        self._free.remove(chosen)
        return chosen

    def _progress(self, job: Job, done: int, total: int, result: TestResult) -> None:
        if job.kind is not Kind.SCRATCH:
            self._send(transport.Progress(job.id, job.token, done, total, result))

    def _finish(self, running: Running, outcome: object) -> None:
        job = running.job
        told = {"judging": job.id, "slot": running.slot, "outcome": logs.in_words(outcome)}
        logs.tell(log, "judging_left", **told, trace=running.trace)
        with self._lock:
            self._running.pop(job.token, None)
            self._free.append(running.slot)
        if isinstance(outcome, Judgement):
            self._send(transport.Judged(outcome))
        elif isinstance(outcome, Unavailable):
            self._send(transport.Refused(job.id, job.token, str(outcome)[:500]))
        elif isinstance(outcome, GraderError):
            detail = "".join(traceback.format_exception(outcome))[-4000:]
            self._send(transport.Fault(job.id, job.token, str(outcome)[:500], detail))
        else:
            self._send(transport.Stopped(job.id, job.token))
        self._tell_capacity()

    def _prove(self, message: transport.Prove) -> None:
        if self._prover is not None:
            self._prover.take(message)
        else:
            self._send(transport.Proved(message.id, message.token, passed=False, fault="this node runs no gate"))

    def _cancel(self, job_id: str, token: str) -> None:
        if self._prover is not None and self._prover.cancel(token):
            return
        with self._lock:
            running = self._running.get(token)
        if running is None:
            self._send(transport.Stopped(job_id, token))
        else:
            running.cancelled.set()

    def _tell_capacity(self) -> None:
        """The last free slot is kept for short jobs, so that a training challenge never blocks a shape puzzle."""
        problems = {name: slot.problem for name, slot in self._slots.items()}
        if all(problems.values()):
            reason = "; ".join(dict.fromkeys(problems.values()))
            logs.tell(log, "cannot_judge", reason=reason)
            self._send(transport.Unavailable(reason))
            return
        with self._lock:
            free = 0 if self._draining.is_set() else sum(not problems[name] for name in self._free)
        kept = 1 if len(self._slots) > 1 else 0
        self._send(transport.Ready(short=min(free, kept), any=max(0, free - kept)))

    def _beat(self) -> None:
        while True:
            time.sleep(HEARTBEAT_S)
            with self._lock:
                tokens = tuple(self._running)
            cells = sum(slot.warm for slot in self._slots.values())
            self._send(transport.Heartbeat(tokens, cells=cells, spares=sum(each.ready for each in self._spares)))

    def _watch_gpus(self) -> None:
        """A GPU that somebody else was found on is looked at until he is gone."""
        while True:
            time.sleep(LOOK_S)
            if any(tenancy.look_again() for tenancy in self._tenancies if tenancy.occupied):
                self._tell_capacity()

    def _send(self, message: transport.FromNode) -> None:
        """A service that is gone is noticed by the listener; its leases run out there."""
        with self._sending:
            try:
                self._connection.sendall(transport.pack(message))
            except OSError:
                return

    def _close(self) -> None:
        self._closing = True
        if self._prover is not None:
            self._prover.close()
        for running in list(self._running.values()):
            running.cancelled.set()
        for slot in self._slots.values():
            slot.close()
        for spares in self._spares:
            spares.close()
        self._judges.close()
        # A container that a thread was just starting, or that tried the walls, belongs to nobody: it would stay.
        self._engine.remove_leftovers()
        for tenancy in self._tenancies:
            tenancy.close()
