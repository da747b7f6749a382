"""How long each stage of a job takes at its node. Durations only: the clocks of node and service may differ."""

import time
from collections.abc import Callable

from grader.transport import STAGES, Took


class Stages:
    """Of one job, one after the other, the first from now on; `tell` gets them all when the last is over."""

    def __init__(self, tell: Callable[[tuple[Took, ...]], None] | None = None) -> None:
        self._tell = tell
        self._since = time.monotonic()
        self._took: list[Took] = []

    def ended(self, stage: str) -> None:
        """What went on until now was this."""
        since, self._since = self._since, time.monotonic()
        self._took.append(Took(stage, round(self._since - since, 6)))
        if stage == STAGES[-1] and self._tell is not None:
            self._tell(tuple(self._took))
