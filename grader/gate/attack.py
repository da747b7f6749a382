"""Saboteurs and mutants on trial: each judging ends with the first test that fails, under tight limits."""

from collections.abc import Callable

import msgspec

from grader.gate.finding import Finding
from grader.gate.mutants import Mutant, mutants
from grader.gate.reasons import Reasons
from grader.gate.record import Mutated, Spoilt
from grader.gate.saboteurs import BLIND, SEEN, Saboteur, first_seen, fitting, sabotaged, watched
from grader.gate.trials import Judged, Note, Trial, judged, not_judged
from grader.job import Verdict
from grader.package import Package
from grader.workbench import Workbench

SEEDS = 3
TIMES_THE_REFERENCE, LEAST_CPU_S = 6.0, 1.0
Source = Callable[[], str]


class Attack:
    """Tries spoilt answers of one package. `cpu_s` is what a right answer uses; `findings` grows as it goes."""

    def __init__(self, bench: Workbench, package: Package, cpu_s: float, note: Note = lambda: None) -> None:
        self._bench, self._package, self._note = bench, package, note
        self._tight = tightened(package, cpu_s)
        self.findings: list[Finding] = []

    def saboteurs(self, reasons: Reasons) -> tuple[Spoilt, ...]:
        """How each fitting saboteur ends."""
        fit = fitting(self._package)
        idle, noticed = self._watched([s.id for s in fit if s.id not in BLIND])
        tried = [s for s in fit if s.id not in idle]
        ends = self._judged({s.id: sabotaged(self._package, s) for s in tried}, 0, self._tight)
        passed = [s for s in tried if ends[s.id].accepted]
        self.findings += [_misplaced(end) for end in ends.values() if end.unloaded]
        asked = {s.id: sabotaged(self._package, s, marked=True) for s in passed if s.id not in noticed}
        twins = self._judged(asked, 0, self._package)
        noticed |= {name for name, end in twins.items() if _noticed(end)}
        idle |= asked.keys() - noticed
        for seed in range(1, SEEDS):
            again = {s.id: sabotaged(self._package, s) for s in passed if s.id in noticed and ends[s.id].accepted}
            ends |= self._judged(again, seed, self._tight)
        why = reasons.of_saboteurs()
        return tuple(_idle(s) if s.id in idle else _spoilt(s, ends[s.id], why.get(s.id)) for s in fit)

    def _watched(self, names: list[str]) -> tuple[set[str], set[str]]:
        """Which saboteurs have nothing to change in the reference's calls, and which have; the others could not be told."""
        noticed: set[str] = set()
        while names:
            end = self._judged({"watched": watched(self._package, names)}, 0, self._package)["watched"]
            if end.accepted:
                return set(names), noticed
            messages = [test.message for test in end.judgement.tests] if end.judgement is not None else []
            name = next(filter(None, (first_seen(message, names) for message in messages)), None)
            if name is None:
                break
            noticed.add(name)
            names = [other for other in names if other != name]
        return set(), noticed

    def mutants(self, reasons: Reasons) -> tuple[Mutated, ...]:
        """How each mutant ends: killed on one of three seeds, or not."""
        made = mutants(self._package.reference)
        ends: dict[str, Judged] = {}
        for seed in range(SEEDS):
            alive = {m.id: m.source for m in made if m.id not in ends or ends[m.id].accepted}
            ends |= self._judged(alive, seed, self._tight)
        why = reasons.of_mutants()
        return tuple(_mutated(mutant, ends[mutant.id], why.get(mutant.id)) for mutant in made)

    def _judged(self, sources: dict[str, str], seed: int, package: Package) -> dict[str, Judged]:
        pool = self._package.lock.seeds
        trials = [Trial(name, source, pool[seed % len(pool)], package) for name, source in sources.items()]
        ends = dict(zip(sources, judged(self._bench, trials, to_the_end=False, note=self._note), strict=True))
        late = [name for name, end in ends.items() if end.late]
        again = [Trial(name, sources[name], ends[name].trial.seed, self._package) for name in late]
        ends |= zip(late, judged(self._bench, again, to_the_end=False, note=self._note), strict=True)
        self.findings += not_judged(ends.values())
        return ends


def tightened(package: Package, cpu_s: float) -> Package:
    """The package with limits that end an endless loop soon: a few times what a right answer uses."""
    limits = package.info.limits
    most = min(limits.cpu_s, max(LEAST_CPU_S, TIMES_THE_REFERENCE * cpu_s))
    limits = msgspec.structs.replace(limits, cpu_s=most, cpu_s_per_call=min(limits.cpu_s_per_call, most))
    return msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))


def without_reason(spoilt: tuple[Spoilt, ...]) -> list[Finding]:
    """Saboteurs that pass every test, and nobody says why they may."""
    return [
        Finding("tests.py", f"accepts the saboteur {item.id}: {item.text}") for item in spoilt if item.end == "survived"
    ]


def needless(reasons: Reasons, spoilt: tuple[Spoilt, ...], mutated: tuple[Mutated, ...]) -> list[Finding]:
    """Reasons for what does not survive: they would hide it when it does."""
    every: list[Spoilt | Mutated] = [*spoilt, *mutated]
    told = {item.id: f"is {item.end}" + f" by {item.by}" * bool(item.by) for item in every}
    excused = {item.id for item in every if item.end == "excused"}
    named = [*reasons.of_saboteurs(), *reasons.of_mutants()]
    return [
        Finding("gate.toml", f"gives a reason for {name}, which {told.get(name, 'is not among those made')}: remove it")
        for name in named
        if name not in excused
    ]


def _misplaced(end: Judged) -> Finding:
    message = end.judgement.message if end.judgement is not None else ""
    return Finding("the gate", f"the saboteur {end.trial.name} cannot be put around the reference: {message}")


def _noticed(end: Judged) -> bool:
    """Whether a marked twin ended where something could be seen; one that fails otherwise has been seen too."""
    tests = end.judgement.tests if end.judgement is not None else ()
    return not end.accepted and (any(SEEN in test.message for test in tests) or bool(tests))


def _idle(saboteur: Saboteur) -> Spoilt:
    return Spoilt(saboteur.id, saboteur.text, "idle")


def _spoilt(saboteur: Saboteur, end: Judged, why: str | None) -> Spoilt:
    if not end.accepted:
        return Spoilt(saboteur.id, saboteur.text, "rejected", _by(end))
    why = why or saboteur.usually
    return Spoilt(saboteur.id, saboteur.text, "excused" if why else "survived", why)


def _mutated(mutant: Mutant, end: Judged, why: str | None) -> Mutated:
    what = (mutant.id, mutant.operator, mutant.line, mutant.diff)
    if not end.accepted:
        return Mutated(*what, "killed", _by(end))
    return Mutated(*what, "excused" if why else "survived", why or "")


def _by(end: Judged) -> str:
    """What ended it: the first test that failed, or the loading of the source."""
    if end.judgement is None or end.unloaded:
        return "loading"
    return next((test.id for test in end.judgement.tests if test.verdict is not Verdict.AC), "loading")
