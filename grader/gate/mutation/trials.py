"""Judges saboteurs and mutants, which are broken copies of a reference. To save time, the CPU limits are tight, and a judging
stops at the first test that fails.
"""

from collections import Counter
from collections.abc import Callable

import msgspec

from grader.content.authoring.finding import Finding
from grader.content.authoring.gate_toml import GateToml
from grader.content.authoring.saboteurs import BLIND, RAISING, SEEN, Saboteur, fitting, reported, sabotaged, watched
from grader.content.package import Lock, Package
from grader.contract.job import Verdict
from grader.gate.mutation.mutants import Mutant, mutants
from grader.gate.report.record import MutantResult, SaboteurResult
from grader.gate.trials.run import Note, Trial, TrialResult, judge_trials, roomy, unjudged_findings
from grader.judging.workbench import Workbench

# Fixed seeds, so that the same reference and tests always give the same results.
SEEDS = (0, 1, 2)
TIMES_THE_REFERENCE, LEAST_CPU_S = 6.0, 1.0
Source = Callable[[], str]


class MutationTrials:
    """Judges the saboteurs and mutants of one challenge's reference. `findings` collects the problems that the author must fix.

    `cpu_s` is the CPU time of the slowest accepted answer in seconds. The CPU limits of the judgings are derived from it.
    """

    def __init__(self, bench: Workbench, package: Package, cpu_s: float, note: Note = lambda: None) -> None:
        self._bench, self._package, self._note = bench, package, note
        self._tight = tightened(package, cpu_s)
        self._rejections = Counter(answer.caught_by for answer in package.answers if answer.caught_by)
        self.findings: list[Finding] = []

    def saboteurs(self, reasons: GateToml) -> tuple[SaboteurResult, ...]:
        """Judge every saboteur that fits the challenge. Returns one result for each, in the order of `fitting`."""
        fit = fitting(self._package)
        idle, noticed = self._watched([s.id for s in fit if s.id not in BLIND])
        tried = [s for s in fit if s.id not in idle]
        tight = {s.id: sharpest_first(self._tight, self._rejections, noticed.get(s.id, "")) for s in tried}
        ends = self._judged({s.id: (sabotaged(self._package, s), tight[s.id]) for s in tried}, SEEDS[0])
        self._rejections.update(_by(end) for end in ends.values() if not end.accepted)
        passed = [s for s in tried if ends[s.id].accepted]
        self.findings += [_misplaced(end) for end in ends.values() if end.unloaded]
        asked = {s.id: sabotaged(self._package, s, marked=True) for s in passed if s.id not in noticed}
        twins = self._judged({name: (source, self._package) for name, source in asked.items()}, SEEDS[0])
        seen = noticed.keys() | {name for name, end in twins.items() if _noticed(end)}
        idle |= asked.keys() - seen
        for seed in SEEDS[1:]:
            again = [s for s in passed if s.id in seen and ends[s.id].accepted]
            ends |= self._judged({s.id: (sabotaged(self._package, s), tight[s.id]) for s in again}, seed)
        why = reasons.of_saboteurs()
        return tuple(_idle(s) if s.id in idle else _spoilt(s, ends[s.id], why.get(s.id)) for s in fit)

    def _watched(self, names: list[str]) -> tuple[set[str], dict[str, str]]:
        """Judge the reference while saboteurs watch it. Returns the ids of the saboteurs that are idle, and for each saboteur
        whose change a test could notice, the first such test.

        If a saboteur is in neither, the judging was inconclusive for this saboteur: the tests rejected the watched reference.
        """
        noticed: dict[str, str] = {}
        while names:
            trial = Trial("watched", watched(self._package, names), SEEDS[0], roomy(self._package))
            [end] = judge_trials(self._bench, [trial], note=self._note)
            self.findings += unjudged_findings([end])
            new = _reports(end)
            noticed |= new
            names = [name for name in names if name not in noticed]
            if end.accepted:
                return set(names), noticed
            if not new:
                break
        return set(), noticed

    def mutants(self, reasons: GateToml) -> tuple[MutantResult, ...]:
        """Judge every mutant on up to three seeds, until a test rejects the mutant. Returns one result for each mutant."""
        made = mutants(self._package.reference)
        ends: dict[str, TrialResult] = {}
        tight = sharpest_first(self._tight, self._rejections)
        for seed in SEEDS:
            alive = {m.id: (m.source, tight) for m in made if m.id not in ends or ends[m.id].accepted}
            ends |= self._judged(alive, seed)
        why = reasons.of_mutants()
        return tuple(_mutated(mutant, ends[mutant.id], why.get(mutant.id)) for mutant in made)

    def _judged(self, sources: dict[str, tuple[str, Package]], seed: int) -> dict[str, TrialResult]:
        trials = [Trial(name, source, seed, package) for name, (source, package) in sources.items()]
        ends = dict(zip(sources, judge_trials(self._bench, trials, to_the_end=False, note=self._note), strict=True))
        late = [name for name, end in ends.items() if end.late]
        again = [Trial(name, sources[name][0], ends[name].trial.seed, self._package) for name in late]
        ends |= zip(late, judge_trials(self._bench, again, to_the_end=False, note=self._note), strict=True)
        self.findings += unjudged_findings(ends.values())
        return ends


def tightened(package: Package, cpu_s: float) -> Package:
    """Return a copy of the package with lower CPU limits, so that endless loops are stopped early. The CPU limit becomes
    TIMES_THE_REFERENCE times `cpu_s`, or LEAST_CPU_S seconds if that is more, but never exceeds the challenge's own limit.
    """
    limits = package.info.limits
    most = min(limits.cpu_s, max(LEAST_CPU_S, TIMES_THE_REFERENCE * cpu_s))
    limits = msgspec.structs.replace(limits, cpu_s=most, cpu_s_per_call=min(limits.cpu_s_per_call, most))
    return msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))


def sharpest_first(package: Package, rejections: Counter[str], first: str = "") -> Package:
    """Return a copy of the package in which the test `first`, if given, comes first, and then the tests that have rejected the
    most answers so far. In this way, most judgings stop at their first test.
    """
    tests = sorted(package.lock.tests, key=lambda test: (test.id != first, -rejections[test.id]))
    return msgspec.structs.replace(package, lock=Lock(tuple(tests)))


def _reports(end: TrialResult) -> dict[str, str]:
    """Return the saboteurs that were reported while they watched, each with the first test in which it was.

    A saboteur that watches may repeat a call or run a backward pass, because of which a later call may raise an error. So in a
    test that failed, errors say nothing about the saboteurs of RAISING.
    """
    tests = end.judgement.tests if end.judgement is not None else ()
    return {
        name: test.id
        for test in reversed(tests)
        for name in reported(test.stdout)
        if test.verdict is Verdict.AC or name not in RAISING
    }


def unexcused_survivors(spoilt: tuple[SaboteurResult, ...]) -> list[Finding]:
    """Return a finding for each saboteur that survived and is not excused."""
    return [
        Finding("tests.py", f"accepts the saboteur {item.id}: {item.text}") for item in spoilt if item.end == "survived"
    ]


def unneeded_reasons(
    reasons: GateToml, spoilt: tuple[SaboteurResult, ...], mutated: tuple[MutantResult, ...]
) -> list[Finding]:
    """Return a finding for each reason in gate.toml that is not needed, because its saboteur or mutant did not survive or no
    longer exists.

    An outdated reason would hide a saboteur or mutant that survives after a later change of the tests.
    """
    every: list[SaboteurResult | MutantResult] = [*spoilt, *mutated]
    told = {item.id: f"is {item.end}" + f" by {item.by}" * bool(item.by) for item in every}
    excused = {item.id for item in every if item.end == "excused"}
    named = [*reasons.of_saboteurs(), *reasons.of_mutants()]
    return [
        Finding("gate.toml", f"gives a reason for {name}, which {told.get(name, 'is not among those made')}: remove it")
        for name in named
        if name not in excused
    ]


def _misplaced(end: TrialResult) -> Finding:
    message = end.judgement.message if end.judgement is not None else ""
    return Finding("the gate", f"the saboteur {end.trial.name} cannot wrap the reference: {message}")


def _noticed(end: TrialResult) -> bool:
    """Return whether a marked twin (see saboteurs.py) failed a test. Any failure counts, whatever its cause."""
    tests = end.judgement.tests if end.judgement is not None else ()
    return not end.accepted and (any(SEEN in test.message for test in tests) or bool(tests))


def _idle(saboteur: Saboteur) -> SaboteurResult:
    return SaboteurResult(saboteur.id, saboteur.text, "idle")


def _spoilt(saboteur: Saboteur, end: TrialResult, why: str | None) -> SaboteurResult:
    if not end.accepted:
        return SaboteurResult(saboteur.id, saboteur.text, "rejected", _by(end))
    why = why or saboteur.usually
    return SaboteurResult(saboteur.id, saboteur.text, "excused" if why else "survived", why)


def _mutated(mutant: Mutant, end: TrialResult, why: str | None) -> MutantResult:
    what = (mutant.id, mutant.operator, mutant.line, mutant.diff)
    if not end.accepted:
        return MutantResult(*what, "killed", _by(end))
    return MutantResult(*what, "excused" if why else "survived", why or "")


def _by(end: TrialResult) -> str:
    """Return the id of the first test that failed, or "loading" if the source could not be loaded."""
    if end.judgement is None or end.unloaded:
        return "loading"
    return next((test.id for test in end.judgement.tests if test.verdict is not Verdict.AC), "loading")
