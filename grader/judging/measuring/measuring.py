"""Measures an answer: makes pairs of runs of the answer and of the baseline until the ratio is known well enough.

In a pair, both get the same inputs, and which of them runs first alternates. What changes slowly, such as the clock rate of the
processor, so affects both alike. The smaller sizes get a few pairs each; the score is the ratio at the largest size.
"""

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from msgspec.structs import replace

from grader.content.package import Package
from grader.contract.errors import Fault, GraderError, Starved, Unavailable
from grader.contract.job import Judgement, Verdict
from grader.contract.measurement import (
    NO_PAUSE,
    ChainSize,
    MeasuredSize,
    Measurement,
    MeasurementPlan,
    OperatorShare,
    Quantity,
)
from grader.judging.candidate_turns import JobCancelled
from grader.judging.decide import plain
from grader.judging.measuring.bench import MeasuringBench, Run
from grader.judging.measuring.estimate import LEAST_VALUES, Estimate, estimate
from grader.judging.measuring.machine import Machine
from grader.judging.measuring.package import EMPTY_CHAIN, derived, name_of, only
from grader.judging.slots.lane import Lane

Result = TypeVar("Result")
# Pairs at each size below the largest.
FEW_PAIRS = 3
# A few pairs may agree by chance, so the measurement does not end before this many.
LEAST_PAIRS = 12
# Seconds of CPU time that a call of the baseline may use. It is the limit against an endless loop.
BASELINE_CPU_S = 20.0
# An answer that is this many times slower than the baseline is not measured, because other jobs would have to wait for it. A
# call may use LEAST_CPU_S seconds in any case.
SLOWEST = 10.0
LEAST_CPU_S = 2.0
# If the baseline got less than QUIET_SHARE of a processor in more than MOST_DISTURBED of the pairs, something else used the
# processor.
QUIET_SHARE = 0.9
MOST_DISTURBED = 1 / 3
# The kernel accounts for memory in parts of about this size. A smaller difference to an idle process counts as this one.
LEAST_MB = 0.25
# A measurement ends with a fault if jobs keep it from finishing a pair for this many seconds.
WAIT_S = 120.0
MEMORY_NEEDS_ACCOUNTS = (
    "this node cannot measure memory, because its kernel or its kind of cells does not report the peak of a process; use "
    "Docker cells on a kernel that can reset the peak of a control group"
)


class AnswerFailed(Exception):
    """The answer was wrong in a chain, or exceeded a limit. The message is shown to the candidate."""


@dataclass(frozen=True)
class MeasuringRequest:
    """An answer to measure. `report(pairs, half_width)` is called after each pair, and while the measurement waits for jobs."""

    package: Package
    source: str
    seed: int
    plan: MeasurementPlan
    report: Callable[[int, float | None], None] = lambda *_: None
    cancelled: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Pair:
    """One run of the answer and one of the baseline, with the same inputs."""

    answer: Run
    baseline: Run

    @property
    def disturbed(self) -> bool:
        """Whether the baseline waited for a processor."""
        return self.baseline.cpu_s < QUIET_SHARE * self.baseline.wall_s


def measure(request: MeasuringRequest, bench: MeasuringBench, lane: Lane) -> Measurement:
    """Measure an answer. A job that arrives interrupts a pair of runs, which is then repeated.

    Raises AnswerFailed if the answer is at fault, JobCancelled, and GraderError for faults of the grader, the chain or the
    baseline.
    """
    return _Measuring(request, bench, lane).run()


class _Measuring:
    """The state of one measurement."""

    def __init__(self, request: MeasuringRequest, bench: MeasuringBench, lane: Lane) -> None:
        self._request, self._bench, self._lane = request, bench, lane
        self._plan = request.plan
        self._package = derived(request.package, request.plan)
        self._pairs: dict[int, list[Pair]] = {each.size: [] for each in request.plan.sizes}
        self._spent_s = 0.0
        self._idle_mb = 0.0

    def run(self) -> Measurement:
        began = time.monotonic()
        cell = self._bench.prepare()
        machine = self._undisturbed(lambda: self._bench.machine(self._interrupted))
        if self._plan.quantity is Quantity.MEMORY:
            if not cell.host.reset_peak():
                raise Unavailable(MEMORY_NEEDS_ACCOUNTS)
            self._idle_mb = self._undisturbed(self._idle_memory)
        *smaller, largest = self._plan.sizes
        for size in smaller:
            for _ in range(FEW_PAIRS):
                self._pair(size)
        while not self._ends():
            self._pair(largest)
        found = self._estimate()
        assert found is not None
        return Measurement(
            sizes=tuple(self._measured(size, machine) for size in self._plan.sizes),
            log_ratio=found.log_ratio,
            std_error=found.normal_error,
            degrees=found.degrees,
            pairs=len(self._pairs[largest.size]),
            wall_s=time.monotonic() - began,
            machine=machine.facts,
            shared=shared(self._pairs[largest.size]) if self._plan.quantity is Quantity.SPEED else "",
            operators=self._operators(largest),
        )

    def _undisturbed(self, work: Callable[[], Result]) -> Result:
        """Do some work while no job is judged, and return its result. If a job begins during the work, the result does not
        count, and the work is repeated after the job. All runs must be part of such work.
        """
        until = time.monotonic() + WAIT_S

        def look() -> None:
            if self._request.cancelled():
                raise JobCancelled
            if time.monotonic() > until:
                raise Starved(NO_PAUSE)
            self._report()

        while True:
            self._lane.wait_until_quiet(look)
            try:
                result = work()
                if not self._lane.disturbed:
                    return result
            except (AnswerFailed, JobCancelled):
                if not self._lane.disturbed:
                    raise
            look()

    def _interrupted(self) -> bool:
        return self._request.cancelled() or self._lane.disturbed

    def _pair(self, size: ChainSize) -> None:
        pairs = self._pairs[size.size]
        seed = run_seed(self._request.seed, size.size, len(pairs))

        def both() -> Pair:
            began = time.monotonic()
            if len(pairs) % 2:
                answer = self._answer(size, seed, pairs[-1].baseline)
                baseline = self._baseline(size, seed)
            else:
                baseline = self._baseline(size, seed)
                answer = self._answer(size, seed, baseline)
            self._spent_s += time.monotonic() - began
            return Pair(answer, baseline)

        pairs.append(self._undisturbed(both))
        self._report()

    def _baseline(self, size: ChainSize, seed: int) -> Run:
        run = self._run(self._package, "chain", size, self._plan.baseline, seed, BASELINE_CPU_S)
        if run.judgement.verdict is not Verdict.AC:
            raise Fault(f"{self._package.slug}: the baseline fails at size {size.size}: {_message(run.judgement)}")
        return run

    def _answer(self, size: ChainSize, seed: int, baseline: Run) -> Run:
        longest_s = SLOWEST * baseline.seconds
        run = self._run(self._package, "chain", size, self._request.source, seed, max(LEAST_CPU_S, longest_s))
        if run.judgement.verdict is Verdict.AC:
            return run
        if run.judgement.verdict is Verdict.TLE and longest_s > LEAST_CPU_S:
            raise AnswerFailed(
                f"At size {size.size}, your code takes more than {SLOWEST:g} times as long as the baseline, so it was not "
                "measured."
            )
        raise AnswerFailed(f"At size {size.size}: {_message(run.judgement)}")

    def _idle_memory(self) -> float:
        """Return the peak of a process that loads the baseline and does nothing, in MiB."""
        size = self._plan.sizes[-1]
        package = derived(self._request.package, replace(self._plan, chain=EMPTY_CHAIN))
        seeds = [run_seed(self._request.seed, 0, number) for number in range(FEW_PAIRS)]
        runs = [self._run(package, "chain", size, self._plan.baseline, seed, BASELINE_CPU_S) for seed in seeds]
        return median(run.memory_mb for run in runs)

    def _operators(self, size: ChainSize) -> tuple[OperatorShare, ...]:
        """Profile one call of the answer. Returns nothing if that fails, since the answer has already been measured."""
        seed = run_seed(self._request.seed, size.size, -1)
        try:
            run = self._undisturbed(
                lambda: self._run(self._package, "operators", size, self._request.source, seed, LEAST_CPU_S)
            )
        except GraderError:
            return ()
        return _operators_of(run.judgement)

    def _run(self, package: Package, kind: str, size: ChainSize, source: str, seed: int, cpu_s: float) -> Run:
        return self._bench.run(only(package, name_of(kind, size.size), cpu_s), source, seed, self._interrupted)

    def _value(self, run: Run, size: ChainSize) -> float:
        """Return what is compared: seconds per call, or MiB above those of an idle process."""
        if self._plan.quantity is Quantity.SPEED:
            return run.seconds / size.steps
        return max(run.memory_mb - self._idle_mb, LEAST_MB)

    def _estimate(self) -> Estimate | None:
        """Estimate the ratio at the largest size; None if there are too few pairs."""
        size = self._plan.sizes[-1]
        pairs = self._pairs[size.size]
        if len(pairs) < LEAST_VALUES:
            return None
        return estimate([math.log(self._value(p.baseline, size) / self._value(p.answer, size)) for p in pairs])

    def _ends(self) -> bool:
        found = self._estimate()
        if found is None:
            return False
        enough = len(self._pairs[self._plan.sizes[-1].size]) >= LEAST_PAIRS
        return self._spent_s >= self._plan.budget_s or (enough and found.half_width <= self._plan.precision)

    def _report(self) -> None:
        found = self._estimate()
        width = found.half_width if found is not None else None
        self._request.report(len(self._pairs[self._plan.sizes[-1].size]), width)

    def _measured(self, size: ChainSize, machine: Machine) -> MeasuredSize:
        pairs = self._pairs[size.size]
        answer, baseline = (
            median(self._value(run, size) for run in runs)
            for runs in ([pair.answer for pair in pairs], [pair.baseline for pair in pairs])
        )
        floor = machine.floor(size, self._plan.quantity)
        return MeasuredSize(size.size, answer, baseline, floor, len(pairs))


def shared(pairs: Sequence[Pair]) -> str:
    """Say why the machine was too busy to measure times; empty if it was quiet."""
    disturbed = sum(pair.disturbed for pair in pairs)
    if disturbed <= MOST_DISTURBED * len(pairs):
        return ""
    return (
        f"in {disturbed} of {len(pairs)} pairs, the baseline got less than {QUIET_SHARE:.0%} of a processor, because "
        "something else used it"
    )


def run_seed(seed: int, size: int, number: int) -> int:
    """Return the seed of a pair. Nobody can compute it from the seeds of other pairs without knowing the measurement's seed."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{size}:{number}".encode()).digest()[:8], "big") >> 1


def _operators_of(judgement: Judgement) -> tuple[OperatorShare, ...]:
    exhibits = [exhibit for test in judgement.tests for exhibit in test.exhibits]
    return tuple(OperatorShare(plain(name), share) for each in exhibits[:1] for name, share in each.data.items())


def _message(judgement: Judgement) -> str:
    return judgement.message or next((test.message for test in judgement.tests if test.message), "it failed")
