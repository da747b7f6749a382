"""Checks what a challenge claims about its tests and answers, by judging the answers.

A challenge claims that tests.lock matches tests.py, and that the tests do not accept starter.py. Every accepted answer must
pass on fresh seeds of its own with a third of each tolerance, on half of the seeds with the tests in reverse order, and must use
at most a quarter of the CPU time that `limits.cpu_s` allows. Every wrong answer must get the verdict that it declares, and fail
the test that it names.
"""

import ast
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.content import required_parts
from grader.content.answers import Answer
from grader.content.authoring.finding import Finding
from grader.content.authoring.statement import statement_findings
from grader.content.authoring.undisclosed import undisclosed_properties
from grader.content.package import Lock, Package, load
from grader.contract.errors import PackageError
from grader.contract.job import Judgement, Verdict
from grader.gate.lock import collected
from grader.gate.trials.run import (
    PROOF_SEEDS,
    PROOF_SHARE,
    Note,
    Trial,
    TrialResult,
    first_failure,
    judge_trials,
    proof_seeds,
    rejections,
    unjudged_findings,
)
from grader.judging.workbench import Workbench

SHARE_OF_TIME = 0.25
# An answer that seems too slow is judged this many more times. On its workbench, nothing else is judged during these judgings,
# so the measured times are more accurate.
MORE = 3


class Claims(NamedTuple):
    """What judging the answers of a challenge has shown: the findings, the CPU time of the slowest accepted answer in seconds,
    and how many milliseconds the reference needs for each test, in the order of tests.lock.
    """

    findings: list[Finding]
    cpu_s: float
    milliseconds: tuple[int, ...]


def check(bench: Workbench, folder: Path, *, all_seeds: bool = True) -> list[Finding]:
    """Check all claims of the challenge in `folder`. Returns the findings; an empty list if every claim is true."""
    try:
        package = load(folder)
        findings = stale_lock(bench, package)
    except PackageError as error:
        return [Finding(folder.name, str(error))]
    return findings or [*missing_parts(package), *judge_answers(bench, package, all_seeds=all_seeds).findings]


def stale_lock(bench: Workbench, package: Package) -> list[Finding]:
    """Return a finding if tests.lock does not match tests.py. Raises PackageError if the tests cannot be collected."""
    if collected(bench, package) == package.lock.tests:
        return []
    return [Finding("tests.lock", f"does not match tests.py: run `gradus challenge lock {package.slug}`")]


def missing_parts(package: Package) -> Iterator[Finding]:
    """Yield the findings that can be made without judging an answer.

    These are too few tests, too few answers, no hint, a wrong answer that names an unknown test, changes in wrong.toml that
    cause a syntax error, and information that is missing in the statement.
    """
    tests, answers = package.lock.tests, package.answers
    counted = required_parts.CountedTests(len(tests), sum(test.sample for test in tests))
    yield from required_parts.missing_parts(package.slug, counted, answers, len(package.info.hints))
    for answer in answers:
        if answer.caught_by and answer.caught_by not in {test.id for test in tests}:
            yield Finding(answer.place, f"names a test that does not exist: {answer.caught_by}")
        if answer.of and (error := unparsable(answer)):
            yield Finding(answer.place, f"{error} of `gradus challenge show-wrong {package.slug} {answer.stem}`")
    yield from statement_findings(package)
    yield from undisclosed_properties(package)


def unparsable(answer: Answer) -> str:
    """Return the syntax error of a wrong answer. Returns an empty text if the answer is valid Python, or if its declared
    verdict is CE (compile error).
    """
    if answer.verdict is Verdict.CE:
        return ""
    try:
        ast.parse(answer.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = f"{error.msg} in line {error.lineno}" if isinstance(error, SyntaxError) else str(error)
        return f"its changes leave a syntax error: {why}"
    return ""


def judge_answers(bench: Workbench, package: Package, *, all_seeds: bool, note: Note = lambda: None) -> Claims:
    """Judge the starter, the accepted answers and the wrong answers."""
    count = PROOF_SEEDS if all_seeds else 1
    accepted = [answer for answer in package.answers if answer.verdict is Verdict.AC]
    wrong = [answer for answer in package.answers if answer.verdict is not Verdict.AC]
    seeds = {answer.name: proof_seeds(count) for answer in accepted}
    backwards = reversed_tests(package)
    ahead = [Trial(a.name, a.source, seed, package) for a in accepted for seed in seeds[a.name][::2]]
    judge = partial(judge_trials, bench, patient=True, tolerance_share=PROOF_SHARE, note=note)
    forwards = judge(ahead)
    seeming = [a for a in accepted if _is_slow(package, forwards, a) for _ in range(MORE)]
    for each in seeming:
        forwards += judge([Trial(each.name, each.source, proof_seeds(1)[0], package)])
    behind = [
        Trial(a.name, a.source, seed, backwards) for a in accepted for seed in seeds[a.name][1::2] or seeds[a.name]
    ]
    back = judge(behind)
    [starter] = judge_trials(bench, [Trial("starter.py", package.starter, proof_seeds(1)[0], package)], note=note)
    caught = _judge_wrong(bench, package, wrong, note)
    slowest = max((_cpu_s(forwards, answer) for answer in accepted), default=0.0)
    findings = [*unjudged_findings([starter, *forwards, *back, *caught]), *_starter(starter)]
    findings += [*rejections(forwards), *rejections(back, " with the tests in reverse order")]
    findings += [f for a, end in zip(wrong, caught, strict=True) if end.judgement for f in mismatch(a, end.judgement)]
    findings += [f for answer in accepted for f in _slow(package, forwards, answer)]
    return Claims(findings, slowest, _milliseconds(package, package.answers[0].name, [*forwards, *back]))


def _judge_wrong(bench: Workbench, package: Package, wrong: list[Answer], note: Note) -> list[TrialResult]:
    """Judge wrong answers, each by the test that it names alone. An answer that does not get its declared verdict in this way is
    judged once more, by all tests up to the one that it names, because a test before it may give this verdict.
    """
    [seed] = proof_seeds(1)
    ends = judge_trials(bench, [Trial(a.name, a.source, seed, only(package, a.caught_by)) for a in wrong], note=note)
    other = [
        place
        for place, end in enumerate(ends)
        if end.judgement is not None and wrong[place].caught_by and [*mismatch(wrong[place], end.judgement)]
    ]
    more = [Trial(wrong[n].name, wrong[n].source, seed, up_to(package, wrong[n].caught_by)) for n in other]
    for place, end in zip(other, judge_trials(bench, more, note=note), strict=True):
        ends[place] = end
    return ends


def only(package: Package, test: str) -> Package:
    """Return a copy of the package that has only this test. If there is no such test, it has all of them."""
    tests = tuple(spec for spec in package.lock.tests if spec.id == test)
    return msgspec.structs.replace(package, lock=Lock(tests)) if tests else package


def reversed_tests(package: Package) -> Package:
    """Return a copy of the package with the tests in reverse order."""
    return msgspec.structs.replace(package, lock=Lock(tuple(reversed(package.lock.tests))))


def up_to(package: Package, test: str) -> Package:
    """Return a copy of the package without the tests that come after `test`. A wrong answer must fail `test`, so the results of
    later tests would not matter.
    """
    tests = package.lock.tests
    places = [place for place, spec in enumerate(tests, 1) if spec.id == test]
    return msgspec.structs.replace(package, lock=Lock(tests[: places[0]] if places else tests))


def _starter(end: TrialResult) -> Iterator[Finding]:
    if end.accepted:
        yield Finding("starter.py", "is accepted: the tests ask for nothing")


def _cpu_s(ends: list[TrialResult], answer: Answer) -> float:
    """Return the smallest CPU time that was measured for an answer, in seconds. The smallest is the best estimate, because
    other programs on the machine can only increase the measured time.
    """
    used = [end.judgement.cpu_s for end in ends if end.trial.name == answer.name and end.judgement is not None]
    return min(used, default=0.0)


def _milliseconds(package: Package, reference: str, ends: list[TrialResult]) -> tuple[int, ...]:
    """Return the smallest time that was measured for each test with the reference, in the order of tests.lock."""
    least = {test.id: float("inf") for test in package.lock.tests}
    for end in ends:
        if end.judgement is not None and end.trial.name == reference:
            for test in end.judgement.tests:
                least[test.id] = min(least[test.id], test.seconds)
    return tuple(max(1, round(1000 * seconds)) for seconds in least.values() if seconds < float("inf"))


def _is_slow(package: Package, ends: list[TrialResult], answer: Answer) -> bool:
    return _cpu_s(ends, answer) > SHARE_OF_TIME * package.info.limits.cpu_s


def _slow(package: Package, ends: list[TrialResult], answer: Answer) -> Iterator[Finding]:
    if _is_slow(package, ends, answer):
        used, limit = _cpu_s(ends, answer), package.info.limits.cpu_s
        yield Finding(
            answer.name, f"uses {used:.2f} s of CPU time, more than a quarter of the limit of {limit:g} s: raise cpu_s"
        )


def mismatch(answer: Answer, judgement: Judgement) -> Iterator[Finding]:
    """Yield a finding if a wrong answer got another verdict than it declares, and one if it did not fail the test it names."""
    if judgement.verdict is not answer.verdict:
        told = first_failure(judgement)
        where = f"on seed {judgement.seed}"
        yield Finding(answer.place, f"should be {answer.verdict}, is {judgement.verdict} {where}: {told}")
    failed = {test.id for test in judgement.tests if test.verdict is not Verdict.AC}
    if answer.caught_by and answer.caught_by not in failed:
        yield Finding(answer.place, f"is not caught by {answer.caught_by} on seed {judgement.seed}")
