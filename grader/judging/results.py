"""Collects the test results of one judging, and decides whether to stop it early."""

from typing import Any

from grader.contract.errors import JudgeLost
from grader.contract.job import Kind, Verdict
from grader.judging.candidate_turns import CandidateTurns
from grader.judging.decide import Evidence, test_result
from grader.judging.request import JudgingRequest
from grader.judging.terminated import Terminated


class ResultCollector:
    """Turns the judge's reports into test results, which it stores in `evidence`."""

    def __init__(self, request: JudgingRequest, turns: CandidateTurns) -> None:
        self._request = request
        self._turns = turns
        specs = request.package.selected(samples_only=request.job.kind is Kind.RUN)
        self._specs = {spec.id: spec for spec in specs}
        self.evidence = Evidence()

    @property
    def test_ids(self) -> list[str]:
        """The selected tests, in the order in which they run."""
        return list(self._specs)

    @property
    def complete(self) -> bool:
        """Whether every selected test has a result."""
        return len(self.evidence.tests) == len(self._specs)

    def record(self, report: dict[str, Any], terminated: Terminated | None) -> bool:
        """Store one test's result. Returns True if no more tests will run.

        `terminated` says why the candidate's process ended during the test, and replaces the judge's verdict. It is None if the
        process did not end.
        """
        spec = self._specs.get(report["id"])
        if spec is None:
            raise JudgeLost(f"the judge reported a test that was not asked for: {report['id']!r}")
        if terminated is None and report["passed"] is not True:
            terminated = self._turns.out_of_memory()
        printed = self._turns.output.take().decode("utf-8", errors="replace")
        override = (terminated.verdict, terminated.message) if terminated else None
        result = test_result(spec, report, stdout=printed, override=override)
        self.evidence.tests[spec.id] = result
        self._turns.forget_out_of_memory()
        self._request.report(len(self.evidence.tests), len(self._specs), result)
        return self._ends_after(result.verdict)

    def _ends_after(self, verdict: Verdict) -> bool:
        if not self._request.to_the_end and verdict is not Verdict.AC:
            self.evidence.spent, self.evidence.rest = verdict, "not run: a test before failed"
        elif spent := self._turns.spent():
            self.evidence.spent, self.evidence.rest = spent.verdict, f"not run: {spent.message} before"
        return self.evidence.spent is not None

    def fail_running_test(self, terminated: Terminated) -> None:
        """Record `terminated` as the result of the running test. The tests after it are not run."""
        running = next(spec for spec in self._specs.values() if spec.id not in self.evidence.tests)
        report: dict[str, object] = {"passed": False, "seconds": 0.0}
        override = (terminated.verdict, terminated.message)
        self.evidence.tests[running.id] = test_result(running, report, stdout="", override=override)
        self.evidence.spent = terminated.verdict
        self.evidence.rest = "not run: the judging ended with the test before"
