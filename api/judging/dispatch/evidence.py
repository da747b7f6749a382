"""Checks a judgement that a node has sent, before it is stored. It must be about the job that the node was given. The verdict
«accepted» is only allowed if the judgement reports each test once, and each as passed. For a run of the samples, these are
the sample tests; for a comparison, the one test of all comparisons; for other submissions, all tests.
"""

from collections import Counter

from grader.content.own_input import offer
from grader.content.package import Package
from grader.contract.job import Job, Judgement, Kind, Verdict


def complaint(judgement: Judgement, job: Job, package: Package | None) -> str | None:
    """Return what is wrong with a judgement, or None. `package` is None if this version of the challenge is no longer stored.
    In that case, the reported tests are not checked.
    """
    if judgement.job_id != job.id or judgement.digest != job.digest:
        return "it is for another job, or for another version of the challenge"
    if judgement.verdict is Verdict.JE:
        return judgement.message or "the node could not judge it"
    # A scratch job runs the user's own snippet and no tests, so its verdict cannot be AC (accepted). Every other job must have
    # a verdict.
    if judgement.verdict is (Verdict.AC if job.kind is Kind.SCRATCH else None):
        return "its verdict does not fit its kind"
    if judgement.seed != job.seed:
        return "it was judged on a different seed than the given one"
    if not 0 <= judgement.score <= judgement.max_score:
        return "its numbers are out of range"
    if package is None or package.digest != job.digest or job.kind is Kind.SCRATCH:
        return None
    tests = (offer.TEST,) if job.kind is Kind.COMPARE else package.selected(samples_only=job.kind is Kind.RUN)
    return _missing(judgement, {test.id for test in tests})


def _missing(judgement: Judgement, declared: set[str]) -> str | None:
    counts = Counter(test.id for test in judgement.tests)
    if strange := [name for name, count in counts.items() if name not in declared or count > 1]:
        return f"it reports a test that is not declared, or one twice: {strange[0]}"
    if judgement.verdict is not Verdict.AC:
        return None
    passed = {test.id for test in judgement.tests if test.verdict is Verdict.AC}
    return "it accepts the answer although not every test passed" if not declared or passed != declared else None
