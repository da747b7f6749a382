"""Decides when more or fewer nodes are needed. The caller passes readings and times; this module uses no clock and no network.

One more node is needed if the oldest submission has been waiting too long, and this has been so for some time. One node fewer
is needed if, for a long time, nothing was queued and at least half of the slots were idle. After each change there is a pause,
so that the change can take effect.
"""

from dataclasses import dataclass
from typing import NamedTuple

UP, DOWN = 1, -1


class Reading(NamedTuple):
    """The state of the queue and of the nodes at one moment. `oldest_s` is how long the oldest submission has been waiting."""

    queued: int
    oldest_s: float
    nodes: int
    slots: int
    judging: int


@dataclass(frozen=True)
class Rules:
    """The limits of scaling. The number of nodes stays between `least` and `most`. A node is added if, for `for_s` seconds, the
    wait of the oldest submission was always longer than `late_s` seconds. A node is removed if, for `idle_s` seconds, nothing
    was queued and at least half of the slots were idle. After a change, nothing is changed for `pause_s` seconds.
    """

    least: int = 1
    most: int = 10
    late_s: float = 10.0
    for_s: float = 30.0
    idle_s: float = 600.0
    pause_s: float = 180.0


class Scaler:
    """Computes how many nodes are needed. `wanted` is the last result that was put into effect; the caller must set it."""

    def __init__(self, rules: Rules) -> None:
        self.wanted: int | None = None
        self._rules = rules
        self._leaning, self._since = 0, 0.0
        self._quiet_until = 0.0

    def read(self, reading: Reading | None, at_s: float) -> int | None:
        """Return how many nodes are needed from now on, or None if that does not change. `at_s` is the time of the reading, in
        seconds. If `reading` is None, the state is unknown, and the waiting times `Rules.for_s` and `Rules.idle_s` restart.
        """
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
