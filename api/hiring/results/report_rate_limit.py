"""Limits how often an account requests expensive reports: files with results, and comparisons of answers."""

from typing import Annotated

from fastapi import Depends

from api.kit.http.provided import provided
from api.kit.http.throttle import Throttle

# The maximum number of reports that one account can request per hour.
REPORTS_PER_HOUR = 120


class ReportRateLimit(Throttle):
    """Counts the reports that each account requested."""

    def __init__(self) -> None:
        super().__init__(REPORTS_PER_HOUR, 3600)


ReportRateLimitDep = Annotated[ReportRateLimit, Depends(provided(ReportRateLimit))]
