"""No evidence, no pass: what a judgement must hold before it is believed."""

from collections import Counter

from grader.job import Job, Judgement, Kind, Verdict
from grader.package import Package

BIGGEST_SEED = 2**63 - 1


def complaint(judgement: Judgement, job: Job, package: Package | None) -> str | None:
    """What is wrong with a judgement, or None. `package` is None when this version is no longer at hand."""
    if judgement.job_id != job.id or judgement.digest != job.digest:
        return "it is about another job or another version of the challenge"
    if judgement.verdict is Verdict.JE:
        return judgement.message or "the node could not judge it"
    # A scratch job has no tests to pass; every other job must end with a verdict.
    if judgement.verdict is (Verdict.AC if job.kind is Kind.SCRATCH else None):
        return "its verdict does not fit its kind"
    if not 0 <= judgement.score <= judgement.max_score or abs(judgement.seed) > BIGGEST_SEED:
        return "its numbers are out of range"
    if package is None or package.digest != job.digest or job.kind is Kind.SCRATCH:
        return None
    return _missing(judgement, package, samples_only=job.kind is Kind.RUN)


def _missing(judgement: Judgement, package: Package, *, samples_only: bool) -> str | None:
    declared = {test.id for test in package.selected(samples_only=samples_only)}
    told = Counter(test.id for test in judgement.tests)
    if strange := [name for name, count in told.items() if name not in declared or count > 1]:
        return f"it tells of a test that is not declared, or twice: {strange[0]}"
    if judgement.verdict is not Verdict.AC:
        return None
    passed = {test.id for test in judgement.tests if test.verdict is Verdict.AC}
    return "it accepts without a pass of every test" if not declared or passed != declared else None
