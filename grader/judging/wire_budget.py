"""Limits how many calls, and how many bytes of values, one judging exchanges with the candidate's process."""

from grader.contract.job import Limits, Verdict
from grader.contract.wire import Caps, Frame
from grader.judging.terminated import Terminated


class WireBudget:
    """Counts the calls and bytes of a judging against its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = 0
        self._bytes = 0

    def charge_call(self, frame: Frame) -> Terminated | None:
        """Count a call and its bytes. Returns TLE after too many calls, OLE after too many bytes, otherwise None."""
        self._calls += 1
        return self.charge(frame)

    def charge(self, frame: Frame) -> Terminated | None:
        """Count a frame's bytes. Returns the outcome (TLE or OLE) if a limit is exceeded, otherwise None."""
        self._bytes += frame.size
        return self.exceeded()

    def exceeded(self) -> Terminated | None:
        """Return the outcome (TLE or OLE) if a limit is exceeded, otherwise None."""
        if self._calls > self._limits.calls:
            return Terminated(Verdict.TLE, f"more than {self._limits.calls:,} calls in one judging")
        if self._bytes > self._limits.wire_mb << 20:
            return Terminated(Verdict.OLE, f"more than {self._limits.wire_mb} MB of values in one judging")
        return None

    def caps(self, tree: int) -> Caps:
        """Return the size limits for the next frame from the cell or the judge: `tree` bytes for its JSON, and for its values
        the smaller of the limit per frame and what is left of the limit per judging.

        A frame that is too large to forward is not read at all. The limit never exceeds what the judge accepts, because the
        judge would stop reading in the middle of a larger frame.
        """
        left = (self._limits.wire_mb << 20) - self._bytes
        return Caps(tree=tree, blob=max(0, min(self._limits.frame_mb << 20, left)))

    def too_large(self, whose: str) -> Terminated:
        """Return the outcome (OLE) for a frame that exceeds the size limits. `whose` completes the message: the call «returned»
        or «was given» too much.
        """
        if self.caps(0).blob < self._limits.frame_mb << 20:
            return Terminated(Verdict.OLE, f"more than {self._limits.wire_mb} MB of values in one judging")
        return Terminated(Verdict.OLE, f"a call {whose} more than {self._limits.frame_mb} MB of values at once")
