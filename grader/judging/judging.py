"""Judges one job: loads the answer in a cell, lets the judge's tests call it, collects the results, and decides the verdict.

The judge and the candidate's process take turns. The judge has the first turn and sends CALL, RESULT and DONE frames. A CALL
gives the turn to the candidate's process until this process replies or calls a function of the test. The node reads only from
the side that has the turn. If the candidate's process ends, a new one is forked and loaded for the next test. Faults of the
grader itself are raised as exceptions.
"""

import time
from contextlib import suppress

from grader.contract import wire
from grader.contract.errors import CellLost, GraderError, JudgeLost
from grader.contract.job import Judgement, Kind, Verdict
from grader.contract.wire import Kind as FrameKind
from grader.judging.candidate_process import CandidateProcess
from grader.judging.candidate_turns import CandidateTurns
from grader.judging.decide import judgement
from grader.judging.judge_turns import JudgeBudgetExceeded, JudgeTurns
from grader.judging.loaded import not_text, record_load
from grader.judging.pool.cells import Cell
from grader.judging.pool.judges import Judge, JudgeChild
from grader.judging.request import JudgingRequest
from grader.judging.results import ResultCollector
from grader.judging.terminated import Terminated


class Judging:
    """Judges one request in one cell. Methods raise JobCancelled if the job was cancelled, and CellLost, JudgeLost or Starved
    if the grader or the machine is at fault.
    """

    def __init__(self, request: JudgingRequest, cell: Cell, judge: Judge | None) -> None:
        self._request = request
        self._cell = cell
        self._judge = judge
        limits = request.package.info.limits
        cell.prepare(limits)
        self._turns = CandidateTurns(cell, limits, request.cancelled)
        self._candidate = CandidateProcess(request, cell, self._turns)
        self._results = ResultCollector(request, self._turns)
        self._tests: JudgeChild | None = None
        self._called = False
        self._started = time.monotonic()

    def run(self) -> Judgement:
        """Judge the request. The processes of the answer and of the tests keep running, because ending them takes milliseconds:
        call `clean` after sending the judgement. If this raises an error, the process of the tests has ended.
        """
        try:
            self._load_and_test()
            return self._finish()
        except BaseException:
            self._end_tests()
            raise

    def clean(self) -> None:
        """End the processes of the tests and of the answer, and fork a child of the judge for the package's next job."""
        self._end_tests()
        self._candidate.discard()
        if self._judge is not None and self._request.job.kind is not Kind.SCRATCH:
            with suppress(GraderError):  # the next job gets the same error and reports it, so this job ignores it
                self._judge.fork_ahead(self._request.package)

    def _load_and_test(self) -> None:
        try:
            self._load()
            if self._results.evidence.load_verdict is None and self._request.job.kind is not Kind.SCRATCH:
                self._test()
        except CellLost as error:
            self._cell_ended(error)

    def _finish(self) -> Judgement:
        evidence = self._results.evidence
        with suppress(CellLost):  # if the kernel killed the cell for lack of memory, CPU time and memory use stay 0
            evidence.cpu_s = self._turns.cpu_s()
            evidence.memory_mb = self._cell.host.peak_mb()
        evidence.wall_s = time.monotonic() - self._started
        request, output = self._request, self._turns.output
        # Once a test has run, the output that belongs to no test may contain inputs of a hidden test, so it is not shown.
        if not evidence.tests:
            evidence.output, evidence.output_truncated = output.take(), output.truncated
        environment = {**request.environment, "isolation": self._cell.host.isolation}
        return judgement(request.job, request.package, evidence, environment)

    def _cell_ended(self, error: CellLost) -> None:
        """Fail the job if the kernel killed the zygote because the job used too much memory. Otherwise raise `error`."""
        terminated = self._turns.out_of_memory()
        if terminated is None:
            raise error
        if self._results.evidence.loaded:
            self._results.fail_running_test(terminated)
        else:
            record_load(self._results.evidence, terminated)

    def _load(self) -> None:
        """Compile, check and run the source in the cell. If this fails, no test runs."""
        evidence = self._results.evidence
        if complaint := not_text(self._request.job.source + self._request.job.snippet):
            evidence.load_verdict, evidence.message = Verdict.CE, complaint
        else:
            record_load(evidence, self._candidate.load())

    def _test(self) -> None:
        assert self._judge is not None
        self._tests = judge = self._judge.fork(self._request.package)
        self._converse(judge, JudgeTurns(judge, self._request.cancelled, self._turns.wire.caps, self._cell.speed))

    def _end_tests(self) -> None:
        if self._judge is not None and self._tests is not None:
            judge, self._tests = self._tests, None
            self._judge.end(judge)

    def _converse(self, judge: JudgeChild, turns: JudgeTurns) -> None:
        job, limits = self._request.job, self._request.package.info.limits
        start = {"seed": job.seed, "tests": self._results.test_ids, "device": job.device}
        start["tolerance_share"] = self._request.tolerance_share
        start["frame_bytes"] = limits.frame_mb << 20
        start["lines"] = len(job.source.splitlines())
        oom_before = judge.host.oom_kills()
        try:
            turns.send(FrameKind.START, start)
            while (frame := turns.receive()).kind is not FrameKind.DONE:
                if frame.kind is FrameKind.CALL:
                    self._called = True
                    self._candidate.call(frame, turns)
                elif frame.kind is FrameKind.RESULT and self._record(frame):
                    return
        except wire.WireClosed as error:
            self._judge_ended(judge, oom_before, error)
        except wire.WireTimeout as error:
            self._judge_stuck(error)
        except JudgeBudgetExceeded as error:
            # The time in which the judge checks the returned values is limited, because all jobs of the node share the judge.
            self._end_unless_complete(Terminated(Verdict.TLE, str(error)))
        except wire.WireTooLarge:
            self._end_unless_complete(self._turns.wire.too_large("was given"))
        except wire.WireError as error:
            raise JudgeLost(f"the judge broke the protocol: {error}") from error

    def _record(self, frame: wire.Frame) -> bool:
        """Store the result of one test. Returns True if no more tests will run."""
        ends = self._results.record(frame.json(), self._candidate.terminated)
        self._candidate.terminated, self._called = None, False
        return ends

    def _end_unless_complete(self, terminated: Terminated) -> None:
        if not self._results.complete:
            self._results.fail_running_test(terminated)

    def _judge_ended(self, judge: JudgeChild, oom_before: int, error: wire.WireClosed) -> None:
        """Fail the running test if the judge's child ended because memory ran out while it read the answer's reply.

        If the child ended for another reason, the grader is at fault: raises JudgeLost, and the job is judged again.
        """
        if self._results.complete:
            return
        if judge.host.oom_kills() <= oom_before:
            raise JudgeLost(f"the judge's child {judge.ending() or 'closed its connection'}") from error
        message = "what the answer returned could not be compared: it takes too much memory"
        self._results.fail_running_test(Terminated(Verdict.RE, message))

    def _judge_stuck(self, error: wire.WireTimeout) -> None:
        """Fail the running test, because the judge could not compare the answer's values in time. If the test has not called
        the answer yet, the grader is at fault: raises JudgeLost.
        """
        if self._results.complete:
            return
        if not self._called:
            raise JudgeLost(str(error)) from error
        message = "what the answer returned could not be compared in time"
        self._results.fail_running_test(Terminated(Verdict.RE, message))
