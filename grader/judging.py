"""One judging, told on one page: open the answer in a cell, let the judge's tests call it, collect, decide.

Turns alternate: the judge speaks (CALL, RESULT, DONE), a CALL gives the turn to the cell until it replies (or calls back), and
nobody is read out of turn. A child that dies is forked and loaded again for the next test. Faults of ours are raised.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grader import wire
from grader.cells import Cell
from grader.decide import Evidence, judgement, test_result
from grader.errors import CellLost, GraderError, JudgeLost
from grader.job import Job, Judgement, Kind, TestResult, Verdict
from grader.judges import Judge, JudgeChild
from grader.loaded import not_text, read_loaded
from grader.package import Package, TestSpec
from grader.relay import TICK_S, Gone, Stopped, Turns
from grader.wire import Caps, Frame
from grader.wire import Kind as Say
from grader.zygote_client import Child

JUDGE_TURN_S = 30.0
OUT_OF_TURN_S = 0.5
Report = Callable[[int, int, TestResult], None]


@dataclass(frozen=True)
class Order:
    """What a judging is made of. `report(done, total, result)` is called as each test ends.

    Unless `to_the_end`, the first test that does not pass ends the judging.
    """

    job: Job
    package: Package
    report: Report
    cancelled: Callable[[], bool] = lambda: False
    environment: dict[str, str] = field(default_factory=dict)
    to_the_end: bool = True


class Judging:
    """Runs one order in one cell. Raises Stopped when cancelled, and Fault (CellLost, JudgeLost) for what is ours."""

    def __init__(self, order: Order, cell: Cell, judge: Judge | None) -> None:
        self._order = order
        self._cell = cell
        self._judge = judge
        limits = order.package.info.limits
        cell.prepare(limits)
        self._turns = Turns(cell, limits, order.cancelled)
        self._evidence = Evidence()
        self._child: Child | None = None
        self._gone: Gone | None = None
        self._asked = False
        self._seed = order.package.lock.draw() if order.job.seed is None else order.job.seed
        self._started = time.monotonic()

    def run(self) -> Judgement:
        """Judge. The child is still there afterwards: `clean` is for after the judgement has been handed on."""
        try:
            self._load()
            if self._evidence.load_verdict is None and self._order.job.kind is not Kind.SCRATCH:
                self._test()
        except CellLost as error:
            self._cell_ended(error)
        return self._finish()

    def clean(self) -> None:
        """Kill the child and all of its uid, wipe what it could write to, and fork the next judge child ahead."""
        self._discard_child()
        if self._judge is not None and self._order.job.kind is not Kind.SCRATCH:
            with suppress(GraderError):  # the next job finds out, and says so
                self._judge.fork_ahead(self._order.package)

    def _discard_child(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            self._cell.discard(child)

    def _finish(self) -> Judgement:
        evidence = self._evidence
        with suppress(CellLost):  # a cell that is gone now has been used up by its job
            evidence.cpu_s = self._turns.cpu_s()
            evidence.memory_mb = self._cell.host.peak_mb()
        evidence.wall_s = time.monotonic() - self._started
        order, output = self._order, self._turns.output
        # What is left over once tests have run may hold a hidden test's inputs.
        if not evidence.tests:
            evidence.output, evidence.output_truncated = output.take(), output.truncated
        return judgement(order.job, order.package, self._seed, evidence, order.environment)

    def _cell_ended(self, error: CellLost) -> None:
        """A job that took so much memory that the zygote died too has itself to blame; anything else is ours."""
        gone = self._turns.out_of_memory()
        if gone is None:
            raise error
        if self._evidence.loaded:
            self._blame(gone)
        else:
            self._evidence.load_verdict, self._evidence.message = gone.verdict, f"while loading: {gone.message}"

    # ── the answer ────────────────────────────────────────────────────────────────────────────────────────────────

    def _load(self) -> None:
        """BEGIN a child: compile and check the source. What goes wrong here decides the whole judging."""
        if complaint := not_text(self._order.job.source + self._order.job.snippet):
            self._evidence.load_verdict, self._evidence.message = Verdict.CE, complaint
            return
        reply = self._begin()
        if isinstance(reply, Gone):
            message = f"while loading: {reply.message.removeprefix('a call ')}"
            self._evidence.load_verdict, self._evidence.message = reply.verdict, message
            return
        self._evidence.loaded = True
        loaded = read_loaded(reply)
        if loaded.refused is not None:
            self._evidence.load_verdict, self._evidence.compile_error = loaded.refused.outcome()
            self._evidence.message = self._evidence.compile_error.message
        elif not loaded.ok:
            self._evidence.load_verdict, self._evidence.message = loaded.error.outcome()

    def _begin(self) -> Frame | Gone:
        """Fork a child (or take the one that waits) and load the source in it."""
        child = self._cell.child()
        self._child = child
        job, info = self._order.job, self._order.package.info
        tree = {
            "source": job.source,
            "snippet": job.snippet if job.kind is Kind.SCRATCH else "",
            "given": self._order.package.given,
            "probes": self._order.package.probes,
            "entries": msgspec.to_builtins(info.entry),
            "forbidden": list(info.forbidden.names),
            "device": job.device,
            "loopback": info.limits.loopback,
            "processes": info.limits.processes,
        }
        frame = Frame(Say.BEGIN, wire.NO_CALL, msgspec.json.encode(tree), b"")
        reply = self._turns.turn(child, frame, wire.fresh_call(), kinds=(Say.LOADED,))
        if isinstance(reply, Gone):
            self._lose(reply)
        return reply

    def _lose(self, gone: Gone) -> None:
        self._gone = gone
        self._discard_child()

    # ── the tests ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _test(self) -> None:
        assert self._judge is not None
        order = self._order
        judge = self._judge.fork(order.package)
        try:
            self._converse(judge)
        finally:
            judge.end()

    def _converse(self, judge: JudgeChild) -> None:
        by_id = {spec.id: spec for spec in self._specs()}
        start = {"seed": self._seed, "tests": list(by_id), "device": self._order.job.device}
        start["frame_bytes"] = self._order.package.info.limits.frame_mb << 20
        oom_before = judge.host.oom_kills()
        try:
            wire.send(judge.child.sock, Say.START, start, deadline=time.monotonic() + JUDGE_TURN_S)
            while (frame := self._listen(judge)).kind is not Say.DONE:
                if frame.kind is Say.CALL:
                    self._call(judge, frame)
                elif frame.kind is Say.RESULT and self._record(by_id, frame.json()):
                    return
        except wire.WireClosed as error:
            self._judge_ended(judge, oom_before, error)
        except wire.WireTimeout as error:
            self._judge_stuck(error)
        except wire.WireError as error:
            raise JudgeLost(f"the judge broke the protocol: {error}") from error

    def _listen(self, judge: JudgeChild) -> Frame:
        """The judge's turn, under its own clock; the candidate's stands still."""
        deadline = time.monotonic() + JUDGE_TURN_S
        while not wire.wait_readable(judge.child.sock, TICK_S):
            if self._order.cancelled():
                raise Stopped
            if time.monotonic() > deadline:
                raise wire.WireTimeout("the judge is stuck")
        return wire.receive(judge.child.sock, caps=Caps(tree=16 << 20, blob=1 << 30), deadline=deadline)

    def _call(self, judge: JudgeChild, frame: Frame) -> None:
        """Give the turn to the cell until it replies, with callbacks into the judge in between."""
        self._asked = True
        deadline = time.monotonic() + JUDGE_TURN_S
        if self._gone is not None or not self._ensure_child():
            wire.send(judge.child.sock, Say.GONE, deadline=deadline)
            return
        call = wire.fresh_call()
        reply = self._into_cell(frame, call)
        while isinstance(reply, Frame) and reply.kind is Say.CALLBACK:
            wire.forward(judge.child.sock, reply, call=wire.NO_CALL, deadline=time.monotonic() + JUDGE_TURN_S)
            answer = self._listen(judge)
            if answer.kind is not Say.CALLBACK_REPLY:
                raise JudgeLost("the judge did not answer a callback")
            reply = self._into_cell(answer, call)
        deadline = time.monotonic() + JUDGE_TURN_S
        if isinstance(reply, Gone):
            self._lose(reply)
            wire.send(judge.child.sock, Say.GONE, deadline=deadline)
        else:
            # A judge that gave up in the middle of a reply has reported on it: what it sent before it ended is read next.
            with suppress(wire.WireClosed):
                wire.forward(judge.child.sock, reply, call=wire.NO_CALL, deadline=deadline)

    def _into_cell(self, frame: Frame, call: bytes) -> Frame | Gone:
        assert self._child is not None
        if frame.kind is Say.CALL and wire.pending(self._child.sock):
            return self._out_of_turn(self._child)
        return self._turns.turn(self._child, frame, call, kinds=(Say.REPLY, Say.CALLBACK))

    def _out_of_turn(self, child: Child) -> Gone:
        """Bytes (or the end) that nobody asked for."""
        try:
            wire.receive(child.sock, caps=Caps(tree=0, blob=0), deadline=time.monotonic() + OUT_OF_TURN_S)
        except wire.WireClosed:
            return self._turns.ended(child)
        except wire.WireError:
            pass
        return Gone(Verdict.RE, "the answer's process sent something that was not asked for")

    def _ensure_child(self) -> bool:
        """A child with the source loaded, forked anew after a test in which one died."""
        if self._child is not None:
            return True
        reply = self._begin()
        if isinstance(reply, Gone):
            return False
        if not read_loaded(reply).ok:
            self._lose(Gone(Verdict.RE, "the answer could be loaded once, and not again after its process had ended"))
            return False
        return True

    def _record(self, by_id: dict[str, TestSpec], report: dict[str, Any]) -> bool:
        """Keep one test's result; True when the submission's budget is spent and the judging ends here."""
        spec = by_id.get(report["id"])
        if spec is None:
            raise JudgeLost(f"the judge reported a test that was not asked for: {report['id']!r}")
        gone = self._gone
        if gone is None and report["passed"] is not True:
            gone = self._turns.out_of_memory()
        printed = self._turns.output.take().decode("utf-8", errors="replace")
        result = test_result(spec, report, stdout=printed, override=(gone.verdict, gone.message) if gone else None)
        self._evidence.tests[spec.id] = result
        self._gone, self._asked = None, False
        self._turns.forget_out_of_memory()
        self._order.report(len(self._evidence.tests), len(by_id), result)
        return self._spent(result)

    def _spent(self, result: TestResult) -> bool:
        if not self._order.to_the_end and result.verdict is not Verdict.AC:
            self._evidence.spent, self._evidence.rest = result.verdict, "not run: a test before failed"
        elif spent := self._turns.spent():
            self._evidence.spent, self._evidence.rest = spent.verdict, f"not run: {spent.message} before"
        return self._evidence.spent is not None

    def _judge_ended(self, judge: JudgeChild, oom_before: int, error: wire.WireClosed) -> None:
        """Killed for memory while it held a reply: the reply's fault. Anything else is ours, and tried again."""
        if self._all_told():
            return
        if judge.host.oom_kills() > oom_before:
            self._blame(Gone(Verdict.RE, "what the answer returned could not be compared: it takes too much memory"))
            return
        raise JudgeLost(f"the judge's child {judge.ending() or 'closed its connection'}") from error

    def _judge_stuck(self, error: wire.WireTimeout) -> None:
        """Stuck over what the answer returned to this test, or by itself: that is ours."""
        if self._all_told():
            return
        if not self._asked:
            raise JudgeLost(str(error)) from error
        self._blame(Gone(Verdict.RE, "what the answer returned could not be compared in time"))

    def _blame(self, gone: Gone) -> None:
        """The test that was running fails; those after it are not run."""
        running = next(spec for spec in self._specs() if spec.id not in self._evidence.tests)
        report: dict[str, object] = {"passed": False, "seconds": 0.0}
        override = (gone.verdict, gone.message)
        self._evidence.tests[running.id] = test_result(spec=running, report=report, stdout="", override=override)
        self._evidence.spent, self._evidence.rest = gone.verdict, "not run: the judging ended with the test before"

    def _all_told(self) -> bool:
        return len(self._evidence.tests) == len(self._specs())

    def _specs(self) -> tuple[TestSpec, ...]:
        return self._order.package.selected(samples_only=self._order.job.kind is Kind.RUN)
