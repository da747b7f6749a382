"""Judges many sources for the gate. If a judging ends with a fault of the grader, the source is judged once more."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from grader.content.authoring.finding import Finding
from grader.content.package import Lock, Package
from grader.contract.job import Job, Judgement, Verdict, fresh_seed
from grader.judging.workbench import Finished, Workbench, a_job

NOT_LOADED = "not run: the answer could not be loaded"
# Each accepted answer is judged on this many fresh seeds of its own. A challenge has at least two accepted answers, so a test
# that rejects right answers on one seed in eight is found with a probability of at least 66 % (1 - (7/8) ** 8). `gradus
# challenge flakes` finds rarer failures.
PROOF_SEEDS = 4
# Accepted answers are judged with this share of each tolerance. Their rounding errors differ from seed to seed, so a test that
# is nearly exceeded on these few seeds rejects right answers on other seeds.
PROOF_SHARE = 1 / 3
Note = Callable[[], object]


def proof_seeds(count: int = PROOF_SEEDS) -> tuple[int, ...]:
    """Return `count` fresh random seeds."""
    return tuple(fresh_seed() for _ in range(count))


@dataclass(frozen=True)
class Trial:
    """A source to judge. `package` is the challenge, or a copy of it that has fewer tests, another order of tests, or tighter
    limits.
    """

    name: str
    source: str
    seed: int
    package: Package


@dataclass(frozen=True)
class TrialResult:
    """The outcome of a trial: its judgement, or the reason why it could not be judged (`fault`)."""

    trial: Trial
    judgement: Judgement | None
    fault: str = ""

    @property
    def accepted(self) -> bool:
        """Whether every test passed."""
        return self.judgement is not None and self.judgement.verdict is Verdict.AC

    @property
    def unloaded(self) -> bool:
        """Whether the source could not be loaded. In this case, no test has run."""
        tests = self.judgement.tests if self.judgement is not None else ()
        return bool(tests) and tests[0].message == NOT_LOADED

    @property
    def late(self) -> bool:
        """Whether the verdict is TLE (time limit exceeded) although the CPU time of all tests together is below the limit for
        one call. In this case, a busy machine may be the cause.
        """
        if self.judgement is None or self.judgement.verdict is not Verdict.TLE:
            return False
        return self.judgement.cpu_s < self.trial.package.info.limits.cpu_s_per_call


def judge_trials(
    bench: Workbench,
    trials: Iterable[Trial],
    *,
    to_the_end: bool = True,
    patient: bool = False,
    tolerance_share: float = 1.0,
    note: Note = lambda: None,
) -> list[TrialResult]:
    """Judge all trials, and return their results in the same order.

    With `to_the_end=False`, a judging stops at the first test that does not pass. A trial that could not be judged is judged
    once more. With `patient=True`, so is a trial whose result is `late`. `tolerance_share` multiplies the tolerances of all
    comparisons.
    """
    waiting = list(trials)
    judge = partial(bench.judge_all, to_the_end=to_the_end, tolerance_share=tolerance_share)
    ends = dict(_once(judge, waiting, note))
    again = [number for number, end in ends.items() if end.judgement is None or (patient and end.late)]
    for place, end in _once(judge, [waiting[number] for number in again], lambda: None):
        ends[again[place]] = end
    return [ends[number] for number in range(len(waiting))]


def _once(
    judge: Callable[[list[tuple[Job, Package]]], Iterator[Finished]], trials: list[Trial], note: Note
) -> Iterator[tuple[int, TrialResult]]:
    jobs = [(a_job(trial.package, trial.source, seed=trial.seed), trial.package) for trial in trials]
    places = {job.id: place for place, (job, _) in enumerate(jobs)}
    for finished in judge(jobs):
        note()
        place = places[finished.job.id]
        fault = str(finished.fault or "stopped") if finished.judgement is None else ""
        yield place, TrialResult(trials[place], finished.judgement, fault)


def roomy(package: Package) -> Package:
    """Return a copy of the package for an answer that does more than the challenge asks and prints what it finds.

    Its limits are high, and all its tests are samples, because a judgement contains only the printed output of samples.
    """
    limits = replace(package.info.limits, cpu_s_per_call=60.0, cpu_s=120.0, output_kb=256)
    tests = tuple(replace(test, sample=True) for test in package.lock.tests)
    return replace(package, info=replace(package.info, limits=limits), lock=Lock(tests))


def rejections(ends: Iterable[TrialResult], how: str = "") -> Iterator[Finding]:
    """Yield a finding for each trial of a right answer that was judged with PROOF_SHARE and not accepted. `how` says what else
    was unusual about the trials.
    """
    for end in ends:
        if end.judgement is not None and not end.accepted:
            told = f"is not accepted with a third of each tolerance on seed {end.trial.seed}{how}"
            yield Finding(end.trial.name, f"{told}: {first_failure(end.judgement)}")


def unjudged_findings(ends: Iterable[TrialResult]) -> Iterator[Finding]:
    """Yield a finding for each trial that could not be judged, even at the second attempt."""
    for end in ends:
        if end.judgement is None:
            yield Finding(end.trial.name, f"could not be judged: {end.fault}")


def first_failure(judgement: Judgement) -> str:
    """Return the id, the verdict and the message of the first test that did not pass, as one text."""
    failed = next((test for test in judgement.tests if test.verdict is not Verdict.AC), None)
    return f"{failed.id}: {failed.verdict} {failed.message}" if failed else judgement.message or "every test passed"
