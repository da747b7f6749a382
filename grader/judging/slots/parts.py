"""Judges a short job in two parts, which run at the same time if another slot is idle.

Each part has a process of its own for the answer and another one for the tests. The gate has measured how long each test takes
with the reference, and the parts take about the same time. Which tests are in which part depends only on the job and its package:
if no other slot is idle, the same two parts run one after the other in the same slot. So the verdict does not depend on how busy
the node is. All limits hold for each part; the limit on CPU time also holds for their sum.

A slot that helps with a part still counts as free. A job that gets this slot waits in its queue until the part has ended, which
is soon, because only short jobs are judged in parts.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import msgspec

from grader.content.package import Lock, Package
from grader.contract.job import Job, Judgement, Kind, TestResult, Verdict
from grader.judging.decide import score, verdict_of
from grader.judging.request import JudgingRequest, Report
from grader.judging.slots.slot import Slot, SlotTask
from grader.judging.slots.stages import Stages

# A part costs about 15 ms of CPU time, for two forks and for loading the answer. So a job has parts only if its tests take at
# least this long with the reference.
LEAST_MS = 60
# Assumed for each test of a challenge that has not been measured.
TYPICAL_MS = 5
PARTS = 2


class Helpers(Protocol):
    """Provides slots that are idle. Each slot that `borrow` returns must be passed to `end_loan` once its part has ended."""

    def borrow(self) -> Slot | None: ...

    def end_loan(self, slot: Slot) -> None: ...


def judge_in_parts(
    slot: Slot,
    request: JudgingRequest,
    done: Callable[[object], None],
    helpers: Helpers,
    stages: Stages | None = None,
) -> None:
    """Judge a request in `slot`, with the help of other slots if it has two parts. `done` is called as `SlotTask` describes.

    `stages` measures the slot's own part.
    """
    tests = parts_of(request)
    if len(tests) == 1:
        slot.submit(SlotTask(request, done, stages or Stages()))
        return
    _PartsOfJob(slot, request, tests, done, helpers).start(stages or Stages())


def parts_of(request: JudgingRequest) -> list[tuple[str, ...]]:
    """Return the ids of the tests of each part. Depends only on the job and its package."""
    job, package = request.job, request.package
    selected = tuple(test.id for test in package.selected(samples_only=job.kind is Kind.RUN))
    times = _milliseconds(package)
    # A team's judge belongs to one slot, and so does a GPU.
    alone = job.team or job.device != "cpu" or not package.info.limits.short or len(selected) < PARTS
    if job.kind is not Kind.SUBMIT or alone or sum(times.values()) < LEAST_MS:
        return [selected]
    return _balanced(selected, times)


def _milliseconds(package: Package) -> dict[str, int]:
    """Return how long each test takes with the reference, by its id."""
    tests = package.lock.tests
    measured = package.proof.milliseconds if package.proof is not None else ()
    times = measured if len(measured) == len(tests) else (TYPICAL_MS,) * len(tests)
    return {test.id: time_ms for test, time_ms in zip(tests, times, strict=True)}


def _balanced(ids: Sequence[str], times: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Divide tests into parts: the longest test first, each into the part that takes the shortest time so far (Graham 1969).
    Within a part, the tests keep their order.
    """
    totals = [0] * PARTS
    part_of: dict[str, int] = {}
    for test in sorted(ids, key=lambda each: -times[each]):
        part_of[test] = totals.index(min(totals))
        totals[part_of[test]] += times[test]
    return [tuple(test for test in ids if part_of[test] == part) for part in range(PARTS)]


class _PartsOfJob:
    """The parts of one job. A part that no other slot has taken runs in the job's own slot, after the part before it."""

    def __init__(
        self,
        slot: Slot,
        request: JudgingRequest,
        tests: Sequence[tuple[str, ...]],
        done: Callable[[object], None],
        helpers: Helpers,
    ) -> None:
        self._slot, self._request, self._done, self._helpers = slot, request, done, helpers
        self._lock = threading.Lock()
        report = InOrder(request.package, request.report)
        self._parts = [
            replace(request, package=with_tests(request.package, ids), report=report.add, cancelled=self._stopped)
            for ids in tests
        ]
        self._started = time.monotonic()
        self._waiting = list(range(len(tests)))
        self._running = 0
        self._outcomes: dict[int, object] = {}

    def start(self, stages: Stages) -> None:
        """Give the first part to the job's own slot, and each other part to a slot that is idle."""
        given = [(self._slot, self._take(), stages)]
        while self._waiting and (helper := self._helpers.borrow()) is not None:
            given.append((helper, self._take(), Stages()))
        for slot, part, measured in given:
            self._run(part, slot, measured)

    def _take(self) -> int:
        self._running += 1
        return self._waiting.pop(0)

    def _run(self, part: int, slot: Slot, stages: Stages) -> None:
        slot.submit(SlotTask(self._parts[part], lambda outcome: self._ended(part, slot, outcome), stages))

    def _ended(self, part: int, slot: Slot, outcome: object) -> None:
        """Store the outcome of a part. Start the next part, or finish the job if this was the last one."""
        if slot is not self._slot:
            self._helpers.end_loan(slot)
        with self._lock:
            self._outcomes[part] = outcome
            self._running -= 1
            if self._stopped():
                self._waiting.clear()
            following = self._take() if slot is self._slot and self._waiting else None
            last = not self._running
        if following is not None:
            self._run(following, slot, Stages())
        elif last:
            self._done(self._outcome())

    def _stopped(self) -> bool:
        """Whether the job was cancelled, or a part has ended without a judgement, so that the other parts are not needed."""
        return self._request.cancelled() or any(
            not isinstance(each, Judgement) for each in self._outcomes.copy().values()
        )

    def _outcome(self) -> object:
        made = [self._outcomes[part] for part in sorted(self._outcomes)]
        failed = [each for each in made if not isinstance(each, Judgement)]
        if failed:
            # If a part has failed, the other one was cancelled for this reason, and its outcome is None.
            return next((each for each in failed if each is not None), None)
        parts = [each for each in made if isinstance(each, Judgement)]
        wall_s = round(time.monotonic() - self._started, 4)
        return msgspec.structs.replace(merged(self._request.job, self._request.package, parts), wall_s=wall_s)


def with_tests(package: Package, ids: Sequence[str]) -> Package:
    """Return a copy of the package that has only the tests with these ids. Its digest is unchanged, so the judge's process that
    has loaded the package also runs the copy's tests.
    """
    chosen = frozenset(ids)
    return msgspec.structs.replace(package, lock=Lock(tuple(test for test in package.lock.tests if test.id in chosen)))


class InOrder:
    """Reports the results of all parts in the order of the package's tests."""

    def __init__(self, package: Package, report: Report) -> None:
        self._order = [test.id for test in package.lock.tests]
        self._report = report
        self._lock = threading.Lock()
        self._arrived: dict[str, TestResult] = {}
        self._reported = 0

    def add(self, done: int, total: int, result: TestResult) -> None:
        """Take one result of a part, whose numbers `done` and `total` do not matter here."""
        with self._lock:
            self._arrived[result.id] = result
            while self._reported < len(self._order) and self._order[self._reported] in self._arrived:
                following = self._arrived[self._order[self._reported]]
                self._reported += 1
                self._report(self._reported, len(self._order), following)


def merged(job: Job, package: Package, parts: Sequence[Judgement]) -> Judgement:
    """Merge the judgements of all parts of a job into one. Its `wall_s` is that of one part."""
    results = {test.id: test for part in parts for test in part.tests}
    tests = [results[test.id] for test in package.lock.tests]
    cpu_s = round(sum(part.cpu_s for part in parts), 4)
    limit = package.info.limits.cpu_s
    if cpu_s > limit and all(test.verdict is Verdict.AC for test in tests):
        message = f"the submission used more than {limit:g} s of CPU time"
        tests[-1] = msgspec.structs.replace(tests[-1], verdict=Verdict.TLE, message=message)
    verdict = verdict_of(None, tests)
    # A part that could not load the answer says why. All parts of an answer that never loads say the same.
    told = next((part for part in parts if part.message or part.compile_error), parts[0])
    return msgspec.structs.replace(
        told,
        job_id=job.id,
        verdict=verdict,
        score=score(package, tests, verdict),
        max_score=sum(part.max_score for part in parts),
        tests=tuple(tests),
        cpu_s=cpu_s,
        memory_mb=max(part.memory_mb for part in parts),
    )
