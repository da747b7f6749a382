"""Checks the isolation of a node's machine. The node judges no jobs until the check passes."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from grader.contract.errors import Unavailable
from grader.doctor.container import measure
from grader.doctor.findings import Finding, State
from grader.doctor.isolation import findings

FRESH_S = 30.0


class IsolationCheck:
    """Checks the isolation of Docker containers. `weaker` replaces options of the probe's container, for tests."""

    def __init__(self, image: str, weaker: Mapping[str, Any] | None = None) -> None:
        self._image = image
        self._weaker = weaker
        self._lock = threading.Lock()
        self._looked = -FRESH_S
        self._reason = ""

    def check(self) -> None:
        """Raise Unavailable, with the reason, if a check fails or cannot be run.

        A result is reused for FRESH_S seconds, because a node that starts calls this method several times: before its first
        cell, once for each GPU, and at every retry.
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
    """Return the message that says why the node does not judge, and what to do about it."""
    what = "; ".join(f"{found.title.lower()} ({found.measured})" for found in failed)
    return f"this host does not isolate, so nothing is judged on it: {what}. Run `gradus doctor` for what to do"
