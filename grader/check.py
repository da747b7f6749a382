"""The authoring gate, its first half: what a package claims about itself is tried through the real path.

Schema, lock in step with tests.py, starter not accepted, every accepted answer accepted on every seed of the pool, every wrong
answer judged as its folder says and caught by the test that its first line names.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.errors import PackageError
from grader.job import Job, Judgement, Verdict
from grader.package import Answer, Lock, Package, TestSpec, load
from grader.workbench import Workbench, a_job

SEEDS = 32
MIN_TESTS, MIN_SAMPLES = 12, 3
MIN_ACCEPTED, MIN_WRONG = 2, 6


@dataclass(frozen=True)
class Finding:
    """Something that an author has to mend: where, and what to do."""

    where: str
    text: str


def collected(bench: Workbench, package: Package) -> tuple[TestSpec, ...]:
    """The tests as pytest collects them. Raises PackageError when tests.py cannot be collected."""
    return tuple(TestSpec(**test) for test in bench.judge_container().describe(package))


def write_lock(bench: Workbench, folder: Path) -> tuple[Lock, list[Finding]]:
    """Collect the tests, prove a pool of fresh secret seeds on every accepted answer, and write tests.lock.

    Nothing is written when an accepted answer fails on one of them: the findings say which.
    """
    package = load(folder, locked=False)
    source = random.SystemRandom()
    lock = Lock(collected(bench, package), tuple(source.randrange(1 << 62) for _ in range(SEEDS)))
    proven = msgspec.structs.replace(package, lock=lock)
    findings = list(_accepted_everywhere(bench, proven))
    if not findings:
        (folder / "tests.lock").write_text(json.dumps(msgspec.to_builtins(lock), indent=1) + "\n")
    return lock, findings


def check(bench: Workbench, folder: Path, *, all_seeds: bool = True) -> list[Finding]:
    """Everything wrong with a package; empty when it may be served."""
    try:
        package = load(folder)
        tests = collected(bench, package)
    except PackageError as error:
        return [Finding(folder.name, str(error))]
    findings = list(_complete(package))
    if tests != package.lock.tests:
        findings.append(Finding("tests.lock", f"not in step with tests.py: run `gradus challenge lock {folder.name}`"))
        return findings
    findings += _starter(bench, package)
    findings += _accepted_everywhere(bench, package if all_seeds else _fewer_seeds(package))
    return findings + list(_wrong_ones(bench, package))


def _fewer_seeds(package: Package) -> Package:
    lock = Lock(package.lock.tests, package.lock.seeds[:1])
    return msgspec.structs.replace(package, lock=lock)


def _complete(package: Package) -> Iterator[Finding]:
    tests, answers = package.lock.tests, package.answers
    accepted = sum(answer.verdict is Verdict.AC for answer in answers)
    counts = (
        (len(tests), MIN_TESTS, "tests"),
        (sum(test.sample for test in tests), MIN_SAMPLES, "samples"),
        (accepted, MIN_ACCEPTED, "accepted answers"),
        (len(answers) - accepted, MIN_WRONG, "wrong answers"),
        (len(package.info.hints), 1, "hints"),
    )
    for count, least, what in counts:
        if count < least:
            yield Finding(package.slug, f"has {count} {what}, at least {least} are needed")
    for answer in answers:
        if answer.caught_by and answer.caught_by not in {test.id for test in tests}:
            yield Finding(answer.name, f"names a test that does not exist: {answer.caught_by}")


def _starter(bench: Workbench, package: Package) -> Iterator[Finding]:
    judgement = bench.judge(a_job(package, package.starter), package)
    if judgement.verdict is Verdict.AC:
        yield Finding("starter.py", "is accepted: the tests ask for nothing")


def _accepted_everywhere(bench: Workbench, package: Package) -> Iterator[Finding]:
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    jobs = {}
    for answer in accepted:
        for seed in package.lock.seeds:
            job = a_job(package, answer.source, seed=seed)
            jobs[job.id] = (job, answer)
    for finished in bench.judge_all((job, package) for job, _ in jobs.values()):
        answer = jobs[finished.job.id][1]
        if finished.judgement is None:
            yield Finding(answer.name, f"could not be judged: {finished.fault}")
        elif finished.judgement.verdict is not Verdict.AC:
            yield Finding(
                answer.name, f"is not accepted on seed {finished.job.seed}: {_first_failure(finished.judgement)}"
            )


def _wrong_ones(bench: Workbench, package: Package) -> Iterator[Finding]:
    jobs: dict[str, tuple[Job, Answer]] = {}
    for answer in package.answers:
        if answer.verdict is not Verdict.AC:
            job = a_job(package, answer.source)
            jobs[job.id] = (job, answer)
    for finished in bench.judge_all((job, package) for job, _ in jobs.values()):
        answer = jobs[finished.job.id][1]
        if finished.judgement is None:
            yield Finding(answer.name, f"could not be judged: {finished.fault}")
        else:
            yield from mismatch(answer, finished.judgement)


def mismatch(answer: Answer, judgement: Judgement) -> Iterator[Finding]:
    """What is wrong with a wrong answer's judgement."""
    if judgement.verdict is not answer.verdict:
        told = _first_failure(judgement)
        yield Finding(answer.name, f"should be {answer.verdict}, is {judgement.verdict}: {told}")
    failed = {test.id for test in judgement.tests if test.verdict is not Verdict.AC}
    if answer.caught_by and answer.caught_by not in failed:
        yield Finding(answer.name, f"is not caught by {answer.caught_by}")


def _first_failure(judgement: Judgement) -> str:
    failed = next((test for test in judgement.tests if test.verdict is not Verdict.AC), None)
    return f"{failed.id}: {failed.verdict} {failed.message}" if failed else judgement.message or "every test passed"
