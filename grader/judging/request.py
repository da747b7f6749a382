"""Defines the input of a judging."""

from collections.abc import Callable
from dataclasses import dataclass, field

from grader.content.package import Package
from grader.contract.job import Job, TestResult

Report = Callable[[int, int, TestResult], None]


@dataclass(frozen=True)
class JudgingRequest:
    """A job with its package. `report(done, total, result)` is called after each test.

    With `to_the_end=False`, the judging stops at the first test that does not pass. `tolerance_share` multiplies the tolerances
    of all comparisons.
    """

    job: Job
    package: Package
    report: Report
    cancelled: Callable[[], bool] = lambda: False
    environment: dict[str, str] = field(default_factory=dict)
    to_the_end: bool = True
    tolerance_share: float = 1.0
