"""Decides when more or fewer nodes are needed. Its inputs are readings and times; it uses no clock and no network.

One more node is needed if the wait of the oldest submission has been too long for some time. One node fewer is needed if,
for a long time, nothing was queued and half of the slots were idle. After each change there is a pause, so that the change
can take effect.
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
    """The limits of scaling. The number of nodes stays between `least` and `most`. A node is added after the oldest
    submission has waited longer than `late_s` for `for_s` seconds, and removed after `idle_s` seconds of idleness.
    `pause_s` is the pause after a change.
    """

    least: int = 1
    most: int = 10
    late_s: float = 10.0
    for_s: float = 30.0
    idle_s: float = 600.0
    pause_s: float = 180.0


class Scaler:
    """Computes how many nodes are needed. The result is always between `Rules.least` and `Rules.most`."""

    def __init__(self, rules: Rules) -> None:
        self.wanted: int | None = None
        self._rules = rules
        self._leaning, self._since = 0, 0.0
        self._quiet_until = 0.0

    def read(self, reading: Reading | None, at_s: float) -> int | None:
        """Return the new number of nodes, or None if it does not change. If `reading` is None, the state is unknown: the
        times of waiting and of idleness then start again from zero.
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
