"""What a package claims about itself, tried through the real path.

The lock is in step with tests.py; the starter is not accepted; every accepted answer is, on every seed of the pool and with
the tests reversed, in a quarter of the CPU time at most; every wrong answer is judged as its folder says, and caught by the
test that its first line names.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec

from grader.errors import PackageError
from grader.gate.finding import Finding
from grader.gate.hidden import untold
from grader.gate.lock import collected
from grader.gate.statement import unclear
from grader.gate.trials import Judged, Note, Trial, first_failure, judged, not_judged
from grader.job import Judgement, Verdict
from grader.package import Answer, Lock, Package, load
from grader.workbench import Workbench

MIN_TESTS, MIN_SAMPLES = 12, 3
MIN_ACCEPTED, MIN_WRONG = 2, 6
SHARE_OF_TIME = 0.25


def check(bench: Workbench, folder: Path, *, all_seeds: bool = True) -> list[Finding]:
    """Everything wrong with what a package claims; empty when it holds."""
    try:
        package = load(folder)
        findings = out_of_step(bench, package)
    except PackageError as error:
        return [Finding(folder.name, str(error))]
    return findings or [*complete(package), *tried(bench, package, all_seeds=all_seeds)[0]]


def out_of_step(bench: Workbench, package: Package) -> list[Finding]:
    """Whether tests.lock lists other tests than tests.py defines. Raises PackageError when those cannot be collected."""
    if collected(bench, package) == package.lock.tests:
        return []
    return [Finding("tests.lock", f"not in step with tests.py: run `gradus challenge lock {package.slug}`")]


def complete(package: Package) -> Iterator[Finding]:
    """What is missing in the folder, before anything is run."""
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
    yield from unclear(package)
    yield from untold(package)


def tried(
    bench: Workbench, package: Package, *, all_seeds: bool, note: Note = lambda: None
) -> tuple[list[Finding], float]:
    """Judge starter, accepted and wrong answers: what does not hold, and the CPU seconds of the slowest accepted answer."""
    seeds = package.lock.seeds if all_seeds else package.lock.seeds[:1]
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    wrong = [answer for answer in package.answers if answer.verdict is not Verdict.AC]
    backwards = reversed_tests(package)
    ahead = [Trial(a.name, a.source, seed, package) for a in accepted for seed in seeds]
    forwards = judged(bench, ahead, patient=True, note=note)
    back = judged(bench, [Trial(a.name, a.source, seeds[0], backwards) for a in accepted], patient=True, note=note)
    spoilt = [Trial(a.name, a.source, seeds[0], up_to(package, a.caught_by)) for a in wrong]
    starter, *caught = judged(bench, [Trial("starter.py", package.starter, seeds[0], package), *spoilt], note=note)
    slowest = max((_cpu_s(forwards, answer) for answer in accepted), default=0.0)
    findings = [*not_judged([starter, *forwards, *back, *caught]), *_starter(starter)]
    findings += [*_accepted(forwards, "on seed {seed}"), *_accepted(back, "with the tests in reverse order")]
    findings += [f for a, end in zip(wrong, caught, strict=True) if end.judgement for f in mismatch(a, end.judgement)]
    return [*findings, *(f for answer in accepted for f in _slow(package, forwards, answer))], slowest


def reversed_tests(package: Package) -> Package:
    """The same package with its tests in reverse order."""
    lock = Lock(tuple(reversed(package.lock.tests)), package.lock.seeds)
    return msgspec.structs.replace(package, lock=lock)


def up_to(package: Package, test: str) -> Package:
    """The same package without the tests after the one that is named: a wrong answer's fate is known by then."""
    tests = package.lock.tests
    places = [place for place, spec in enumerate(tests, 1) if spec.id == test]
    return msgspec.structs.replace(package, lock=Lock(tests[: places[0]] if places else tests, package.lock.seeds))


def _starter(end: Judged) -> Iterator[Finding]:
    if end.accepted:
        yield Finding("starter.py", "is accepted: the tests ask for nothing")


def _accepted(ends: list[Judged], where: str) -> Iterator[Finding]:
    for end in ends:
        if end.judgement is not None and not end.accepted:
            place = where.format(seed=end.trial.seed)
            yield Finding(end.trial.name, f"is not accepted {place}: {first_failure(end.judgement)}")


def _cpu_s(ends: list[Judged], answer: Answer) -> float:
    used = [end.judgement.cpu_s for end in ends if end.trial.name == answer.name and end.judgement is not None]
    return median(used) if used else 0.0


def _slow(package: Package, ends: list[Judged], answer: Answer) -> Iterator[Finding]:
    used, limit = _cpu_s(ends, answer), package.info.limits.cpu_s
    if used > SHARE_OF_TIME * limit:
        yield Finding(
            answer.name, f"uses {used:.2f} s of CPU time, more than a quarter of the limit of {limit:g} s: raise cpu_s"
        )


def mismatch(answer: Answer, judgement: Judgement) -> Iterator[Finding]:
    """What is wrong with a wrong answer's judgement."""
    if judgement.verdict is not answer.verdict:
        told = first_failure(judgement)
        yield Finding(answer.name, f"should be {answer.verdict}, is {judgement.verdict}: {told}")
    failed = {test.id for test in judgement.tests if test.verdict is not Verdict.AC}
    if answer.caught_by and answer.caught_by not in failed:
        yield Finding(answer.name, f"is not caught by {answer.caught_by}")
