"""Measures how long each stage of a job takes on its node. Reports durations and not times of day, because the clocks of the
node and the service may differ.
"""

import time
from collections.abc import Callable

from grader.contract.transport import STAGES, Took


class Stages:
    """The stages of one job, in order. The first stage begins when this object is created. When the last stage has ended,
    `tell` is called with the durations of all stages.
    """

    def __init__(self, tell: Callable[[tuple[Took, ...]], None] | None = None) -> None:
        self._tell = tell
        self._since = time.monotonic()
        self._took: list[Took] = []

    def ended(self, stage: str) -> None:
        """Record that `stage` has ended. The next stage begins immediately."""
        since, self._since = self._since, time.monotonic()
        self._took.append(Took(stage, round(self._since - since, 6)))
        if stage == STAGES[-1] and self._tell is not None:
            self._tell(tuple(self._took))
