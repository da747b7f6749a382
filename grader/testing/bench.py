"""`bench`: how much slower an answer is than the reference, with the wire kept out of what is measured.

Calls are *chained* inside the cell by a probe of the author's, `chain(solution, seed, k)`: each input depends on the
output before, so nothing can be cached, skipped or batched; a seed goes in and one tensor comes back. The reference runs
the same chain beside the judge, in turn with the answer, and its result is the check: every timed chain is replayed. A
chain of k and one of 2k are timed; what they have in common is the wire and whatever happens once, and is taken off, but
never more than `WIRE_S`: an answer that dawdles over the short chain would have most of the long one taken off. Each
chain has a seed of its own, so that the long one is no continuation of the short one. Time is taken here, never in the
cell.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.testing.closeness import assert_close

WIRE_S = 0.005
"""The most that is taken off a chain: choose k so that k steps of the reference take longer."""

FLOOR_S = 1e-9
"""For a clock that is too coarse to see a chain."""

Clock = Callable[[], float]
Chain = Callable[[int, int], Any]


@dataclass(frozen=True)
class Speed:
    """Seconds a step of the answer and of the reference (medians of the rounds), and the ratios round by round."""

    answer_s: float
    reference_s: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median ratio: 2.0 means twice as slow as the reference."""
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """Smallest and largest ratio of the rounds; a board treats overlapping intervals as a tie."""
        return min(self.ratios), max(self.ratios)


class Bench:
    """`bench(probes.chain, probes.on(reference).chain, k=50)` gives a Speed. `seed` draws a fresh seed for each chain."""

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock

    def __call__(
        self, answer: Chain, reference: Chain, *, seed: Callable[[], int], k: int = 32, rounds: int = 5
    ) -> Speed:
        """Time both in turn. Raises CheckFailed when a timed result is not the reference's, ValueError for k or rounds < 1."""
        if k < 1 or rounds < 1:
            raise ValueError("bench needs k >= 1 and rounds >= 1")
        # The first call of either pays for what is loaded or allocated once.
        first = seed()
        assert_close(answer(first, 1), reference(first, 1))
        steps = [self._round(answer, reference, seed, k) for _ in range(rounds)]
        answers, references = zip(*steps, strict=True)
        ratios = tuple(mine / theirs for mine, theirs in steps)
        return Speed(statistics.median(answers), statistics.median(references), ratios)

    def _round(self, answer: Chain, reference: Chain, seed: Callable[[], int], k: int) -> tuple[float, float]:
        """Seconds a step of the answer and of the reference."""
        answer_short, reference_short = self._pair(answer, reference, seed(), k)
        answer_long, reference_long = self._pair(answer, reference, seed(), 2 * k)
        return _step(answer_short, answer_long, k), _step(reference_short, reference_long, k)

    def _pair(self, answer: Chain, reference: Chain, seed: int, length: int) -> tuple[float, float]:
        mine, answer_s = self._timed(answer, seed, length)
        theirs, reference_s = self._timed(reference, seed, length)
        assert_close(mine, theirs, scale=float(length))
        return answer_s, reference_s

    def _timed(self, chain: Chain, seed: int, length: int) -> tuple[Any, float]:
        started = self._clock()
        value = chain(seed, length)
        return value, self._clock() - started


def _step(short_s: float, long_s: float, k: int) -> float:
    """Seconds a step, from the times of k and of 2k steps."""
    common = min(max(2 * short_s - long_s, 0.0), WIRE_S, long_s / 2)
    return max(long_s - common, FLOOR_S) / (2 * k)
