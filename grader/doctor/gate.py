"""Between a node and its first job: the walls are tried once, and a host where one does not hold serves nothing."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from grader.doctor.container import measure
from grader.doctor.findings import Finding, State
from grader.doctor.isolation import findings
from grader.errors import Unavailable

FRESH_S = 30.0


class Gate:
    """Tries the isolation of Docker cells. `weaker` replaces flags of the probe's container (tests do)."""

    def __init__(self, image: str, weaker: Mapping[str, Any] | None = None) -> None:
        self._image = image
        self._weaker = weaker
        self._lock = threading.Lock()
        self._looked = -FRESH_S
        self._reason = ""

    def check(self) -> None:
        """Raises Unavailable, with the reason, when a wall does not hold or cannot be tried.

        What was found counts for half a minute: a node asks once a retry and once a warming thread.
        """
        with self._lock:
            if time.monotonic() - self._looked > FRESH_S:
                failed = [
                    found for found in findings(measure(self._image, self._weaker)) if found.state is State.FAILED
                ]
                self._reason = reason(failed) if failed else ""
                self._looked = time.monotonic()
            if self._reason:
                raise Unavailable(self._reason)


def reason(failed: list[Finding]) -> str:
    """What to tell whoever waits, and what to do."""
    what = "; ".join(f"{found.title.lower()} ({found.measured})" for found in failed)
    return f"this host does not isolate, so nothing is judged on it: {what}. Run `gradus doctor` for what to do"
