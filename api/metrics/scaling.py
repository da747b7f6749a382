"""When more nodes are wanted, and when fewer: a decision over readings, without a clock or a wire of its own.

More, when the oldest submission has waited too long for a while; fewer, when for long nothing waited and half of the slots
had nothing to do. One node at a time, then a pause in which the last step takes effect.
"""

from dataclasses import dataclass
from typing import NamedTuple

UP, DOWN = 1, -1


class Reading(NamedTuple):
    """The queue and the nodes at a moment; `oldest_s` is how long the oldest submission has waited."""

    queued: int
    oldest_s: float
    nodes: int
    slots: int
    judging: int


@dataclass(frozen=True)
class Rules:
    """Between `least` and `most` nodes; `late_s` is too long a wait, and must last `for_s`; idleness must last `idle_s`."""

    least: int = 1
    most: int = 10
    late_s: float = 10.0
    for_s: float = 30.0
    idle_s: float = 600.0
    pause_s: float = 180.0


class Scaler:
    """Says how many nodes are wanted. What it says stays within the rules, whatever it reads."""

    def __init__(self, rules: Rules) -> None:
        self.wanted: int | None = None
        self._rules = rules
        self._leaning, self._since = 0, 0.0
        self._quiet_until = 0.0

    def read(self, reading: Reading | None, at_s: float) -> int | None:
        """How many nodes are wanted from now on, if that has changed. No reading: nobody knows, so every wait begins anew."""
        rules = self._rules
        if reading is None:
            self._leaning = 0
            return None
        if self.wanted is None:
            self.wanted = min(max(reading.nodes, rules.least), rules.most)
        leaning = self._lean(reading)
        if leaning != self._leaning:
            self._leaning, self._since = leaning, at_s
        held = at_s - self._since >= (rules.for_s if leaning == UP else rules.idle_s)
        wanted = min(max(self.wanted + leaning, rules.least), rules.most)
        if not held or at_s < self._quiet_until or wanted == self.wanted:
            return None
        self._leaning, self._quiet_until = 0, at_s + rules.pause_s
        return wanted

    def _lean(self, reading: Reading) -> int:
        if reading.oldest_s > self._rules.late_s:
            return UP
        return DOWN if not reading.queued and 2 * reading.judging <= reading.slots else 0
