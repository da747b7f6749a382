"""Turns what was observed during a judging into a judgement. All functions are pure: they use neither the clock nor other
processes.

A test passes only if the judge reported that it passed. A test without a report never passes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.content.package import Package, TestSpec
from grader.contract.errors import JudgeLost
from grader.contract.job import CompileError, Exhibit, Job, Judgement, Kind, TestResult, Verdict

_REPLACED = dict.fromkeys({*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}, "\ufffd") | {ord("\r"): "\n"}


@dataclass
class Evidence:
    """Everything that was observed during a judging. `tests` holds the results by test id."""

    tests: dict[str, TestResult] = field(default_factory=dict)
    loaded: bool = False
    load_verdict: Verdict | None = None
    message: str = ""
    compile_error: CompileError | None = None
    output: bytes = b""
    output_truncated: bool = False
    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_mb: float = 0.0
    spent: Verdict | None = None
    rest: str = ""


def test_result(
    spec: TestSpec, report: dict[str, object], *, stdout: str, override: tuple[Verdict, str] | None
) -> TestResult:
    """Build the result of one test from the judge's report.

    `override` is the verdict and the message if the candidate's process ended during the test. They replace those of the judge.
    """
    verdict = Verdict.AC if report["passed"] is True else _failed(report.get("verdict", "WA"))
    message = str(report.get("message", ""))
    if override is not None:
        verdict, message = override
    line = report.get("line")
    return TestResult(
        id=spec.id,
        title=spec.title,
        points=spec.points,
        sample=spec.sample,
        attested=spec.attested,
        verdict=verdict,
        seconds=round(float(str(report["seconds"])), 4),
        message=plain(message),
        line=line if isinstance(line, int) else None,
        stdout=plain(stdout) if spec.sample else "",
        exhibits=_exhibits(report.get("exhibits")),
    )


def _failed(named: object) -> Verdict:
    """Return the reported verdict of a test that did not pass. If the report names AC, which contradicts that, return WA."""
    verdict = Verdict(str(named))
    return Verdict.WA if verdict is Verdict.AC else verdict


def plain(text: str) -> str:
    """Replace characters that cannot be stored, sent or shown: lone surrogates, NULs and terminal control characters."""
    return text.replace("\r\n", "\n").encode("utf-8", errors="replace").decode().translate(_REPLACED)


def _exhibits(records: object) -> tuple[Exhibit, ...]:
    if not isinstance(records, list):
        return ()
    return tuple(Exhibit(title=r["title"], kind=r["kind"], data=r["data"]) for r in records)


def judgement(job: Job, package: Package, evidence: Evidence, environment: dict[str, str]) -> Judgement:
    """Build the judgement of a finished judging. Raises JudgeLost if a test that should have run has no result."""
    expected = package.selected(samples_only=job.kind is Kind.RUN) if job.kind is not Kind.SCRATCH else ()
    tests = tuple(_complete(expected, evidence))
    verdict = evidence.load_verdict if job.kind is Kind.SCRATCH else verdict_of(evidence.load_verdict, tests)
    return Judgement(
        job_id=job.id,
        token=job.token,
        verdict=verdict,
        score=score(package, tests, verdict),
        max_score=sum(spec.points for spec in expected),
        tests=tests,
        seed=job.seed,
        digest=package.digest,
        cpu_s=round(evidence.cpu_s, 4),
        wall_s=round(evidence.wall_s, 4),
        memory_mb=round(evidence.memory_mb, 1),
        message=plain(evidence.message),
        compile_error=evidence.compile_error,
        output=plain(evidence.output.decode("utf-8", errors="replace")),
        output_truncated=evidence.output_truncated,
        environment=environment,
    )


def verdict_of(load_verdict: Verdict | None, tests: Sequence[TestResult]) -> Verdict:
    """Return `load_verdict` if loading failed, otherwise the verdict of the first test that failed, or AC if all passed."""
    if load_verdict is not None:
        return load_verdict
    return next((test.verdict for test in tests if test.verdict is not Verdict.AC), Verdict.AC)


def _complete(expected: Sequence[TestSpec], evidence: Evidence) -> list[TestResult]:
    """Return a result for every expected test, in order. For a test that did not run, the message of the result says why."""
    results = []
    for spec in expected:
        if spec.id in evidence.tests:
            results.append(evidence.tests[spec.id])
        elif evidence.load_verdict is not None:
            results.append(_not_run(spec, evidence.load_verdict, "not run: the answer could not be loaded"))
        elif evidence.spent is not None:
            results.append(_not_run(spec, evidence.spent, evidence.rest))
        else:
            raise JudgeLost(f"the judge has not reported {spec.id}")
    return results


def _not_run(spec: TestSpec, verdict: Verdict, message: str) -> TestResult:
    return TestResult(spec.id, spec.title, spec.points, spec.sample, spec.attested, verdict, 0.0, message)


def score(package: Package, tests: Sequence[TestResult], verdict: Verdict | None) -> int:
    """Return the points for these results. In an all-or-nothing package, an answer that is not accepted gets none."""
    if package.info.scoring == "all-or-nothing" and verdict is not Verdict.AC:
        return 0
    return sum(test.points for test in tests if test.verdict is Verdict.AC)
