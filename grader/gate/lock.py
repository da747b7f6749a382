"""tests.lock: the tests as pytest collects them, and a pool of secret seeds that every accepted answer passes on."""

import json
import random
from pathlib import Path

import msgspec

from grader.gate.finding import Finding
from grader.gate.trials import Trial, first_failure, judged, not_judged
from grader.job import Verdict
from grader.package import Lock, Package, TestSpec, load
from grader.workbench import Workbench

# Each is judged with every accepted answer, in the gate and whenever an answer is added. A judging draws one, so more of them
# would prove no single judging better; they are secret, and enough that a resubmission seldom meets the same numbers.
SEEDS = 8


def collected(bench: Workbench, package: Package) -> tuple[TestSpec, ...]:
    """The tests as pytest collects them. Raises PackageError when tests.py cannot be collected."""
    return tuple(TestSpec(**test) for test in bench.judge_container().describe(package))


def write_lock(bench: Workbench, folder: Path) -> tuple[Lock, list[Finding]]:
    """Collect the tests, prove a pool of fresh secret seeds on every accepted answer, and write tests.lock.

    A pool that is there stays, so that locking twice changes nothing. Nothing is written when an accepted answer fails on a
    seed: the findings say which.
    """
    package = load(folder, locked=False)
    source = random.SystemRandom()
    seeds = package.lock.seeds or tuple(source.randrange(1 << 62) for _ in range(SEEDS))
    lock = Lock(collected(bench, package), seeds)
    findings = _unproven(bench, msgspec.structs.replace(package, lock=lock))
    if not findings:
        (folder / "tests.lock").write_text(json.dumps(msgspec.to_builtins(lock), indent=1) + "\n")
    return lock, findings


def _unproven(bench: Workbench, package: Package) -> list[Finding]:
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    trials = [Trial(a.name, a.source, seed, package) for a in accepted for seed in package.lock.seeds]
    ends = judged(bench, trials)
    return [
        *not_judged(ends),
        *(
            Finding(e.trial.name, f"is not accepted on seed {e.trial.seed}: {first_failure(e.judgement)}")
            for e in ends
            if e.judgement is not None and not e.accepted
        ),
    ]
