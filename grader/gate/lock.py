"""Writes tests.lock, which lists the tests of a challenge. The file is written only if all accepted answers pass these tests on
fresh seeds.
"""

import json
from pathlib import Path

import msgspec

from grader.content.authoring.finding import Finding
from grader.content.package import Lock, Package, TestSpec, load
from grader.contract.job import Verdict
from grader.gate.trials.run import PROOF_SHARE, Trial, judge_trials, proof_seeds, rejections, unjudged_findings
from grader.judging.workbench import Workbench


def collected(bench: Workbench, package: Package) -> tuple[TestSpec, ...]:
    """Return the tests of a package, as pytest collects them. Raises `PackageError` if pytest cannot collect them."""
    return tuple(TestSpec(**test) for test in bench.judge_container().describe(package))


def write_lock(bench: Workbench, folder: Path) -> tuple[Lock, list[Finding]]:
    """Collect the tests, judge every accepted answer on fresh seeds, and write tests.lock.

    If an accepted answer fails, no file is written, and the findings name the answer and the seed.
    """
    package = load(folder, locked=False)
    lock = Lock(collected(bench, package))
    findings = _unproven(bench, msgspec.structs.replace(package, lock=lock))
    if not findings:
        (folder / "tests.lock").write_text(json.dumps(msgspec.to_builtins(lock), indent=1) + "\n")
    return lock, findings


def _unproven(bench: Workbench, package: Package) -> list[Finding]:
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    trials = [Trial(a.name, a.source, seed, package) for seed in proof_seeds() for a in accepted]
    ends = judge_trials(bench, trials, tolerance_share=PROOF_SHARE)
    return [*unjudged_findings(ends), *rejections(ends)]
