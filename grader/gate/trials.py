"""Judging many sources for the gate: each trial on one seed, a fault of ours tried once more."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.gate.finding import Finding
from grader.job import Judgement, Verdict
from grader.package import Package
from grader.workbench import Workbench, a_job

NOT_LOADED = "not run: the answer could not be loaded"
Note = Callable[[], object]


@dataclass(frozen=True)
class Trial:
    """A source to be judged by a package, which may be a variant: fewer tests, another order, tighter limits."""

    name: str
    source: str
    seed: int
    package: Package


@dataclass(frozen=True)
class Judged:
    """A trial's end: its judgement, or why there is none."""

    trial: Trial
    judgement: Judgement | None
    fault: str = ""

    @property
    def accepted(self) -> bool:
        """Whether every test passed."""
        return self.judgement is not None and self.judgement.verdict is Verdict.AC

    @property
    def unloaded(self) -> bool:
        """Whether the source could not even be loaded: no test has looked at it."""
        tests = self.judgement.tests if self.judgement is not None else ()
        return bool(tests) and tests[0].message == NOT_LOADED

    @property
    def late(self) -> bool:
        """Whether the clock ended it before its CPU time was used up: on a busy machine that says nothing about the answer."""
        if self.judgement is None or self.judgement.verdict is not Verdict.TLE:
            return False
        return self.judgement.cpu_s < self.trial.package.info.limits.cpu_s_per_call


def judged(
    bench: Workbench,
    trials: Iterable[Trial],
    *,
    to_the_end: bool = True,
    patient: bool = False,
    note: Note = lambda: None,
) -> list[Judged]:
    """Judge all, in the order given. Unless `to_the_end`, a judging ends with the first test that does not pass.

    A fault of ours is tried once more; if `patient`, so is an answer that was `late`.
    """
    waiting = list(trials)
    ends = dict(_once(bench, waiting, to_the_end, note))
    again = [number for number, end in ends.items() if end.judgement is None or (patient and end.late)]
    for place, end in _once(bench, [waiting[number] for number in again], to_the_end, lambda: None):
        ends[again[place]] = end
    return [ends[number] for number in range(len(waiting))]


def _once(bench: Workbench, trials: list[Trial], to_the_end: bool, note: Note) -> Iterator[tuple[int, Judged]]:
    jobs = [(a_job(trial.package, trial.source, seed=trial.seed), trial.package) for trial in trials]
    places = {job.id: place for place, (job, _) in enumerate(jobs)}
    for finished in bench.judge_all(jobs, to_the_end=to_the_end):
        note()
        place = places[finished.job.id]
        fault = str(finished.fault or "stopped") if finished.judgement is None else ""
        yield place, Judged(trials[place], finished.judgement, fault)


def not_judged(ends: Iterable[Judged]) -> Iterator[Finding]:
    """What could not be judged, twice."""
    for end in ends:
        if end.judgement is None:
            yield Finding(end.trial.name, f"could not be judged: {end.fault}")


def first_failure(judgement: Judgement) -> str:
    """The first test that did not pass, and how it ended."""
    failed = next((test for test in judgement.tests if test.verdict is not Verdict.AC), None)
    return f"{failed.id}: {failed.verdict} {failed.message}" if failed else judgement.message or "every test passed"
