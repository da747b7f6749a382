"""`bench` measures how much slower an answer is than the reference. The time of sending calls to the cell does not count.

The author writes a probe `chain(solution, seed, k)`, a function that makes k calls of the answer in the cell. Each input
depends on the previous output, so no call can be cached, skipped or batched. Only a seed is sent to the cell, and one tensor
comes back. The reference runs the same chain in the judge, in turn with the answer, and the two results are compared each time.

`bench` times a chain of k steps and a chain of 2k steps. From the two times, it computes the fixed time, which does not depend
on the number of steps, and subtracts it from the long chain's time. It subtracts at most `WIRE_S` seconds: without this limit,
an answer that is slow on short chains on purpose would have most of the long chain's time subtracted. The short and the long
chain have different seeds, so that the long chain does not repeat the steps of the short one. Time is measured in the judge,
never in the cell, so that an answer cannot manipulate the measurement.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.testing.comparison.closeness import assert_close

WIRE_S = 0.005
"""The most that is taken off a chain: choose k so that k steps of the reference take longer."""

FLOOR_S = 1e-9
"""For a clock that is too coarse to see a chain."""

Clock = Callable[[], float]
Chain = Callable[[int, int], Any]


@dataclass(frozen=True)
class Speed:
    """The result of `bench`. `answer_s` and `reference_s` are seconds per step (medians of the rounds). `ratios` contains, for
    each round, the answer's time divided by the reference's time.
    """

    answer_s: float
    reference_s: float
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median of the ratios. 2.0 means that the answer takes twice as long as the reference."""
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """The smallest and the largest ratio of the rounds. Leaderboards treat overlapping intervals as a tie."""
        return min(self.ratios), max(self.ratios)


class Bench:
    """The fixture `bench`: `bench(probes.chain, probes.on(reference).chain, seed=rng.seed, k=50)` returns a Speed."""

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock

    def __call__(
        self, answer: Chain, reference: Chain, *, seed: Callable[[], int], k: int = 32, rounds: int = 5
    ) -> Speed:
        """Time the answer and the reference in `rounds` rounds. In each round, both run a chain of k steps and one of 2k steps.
        `seed()` returns a fresh seed for each length.

        Raises `CheckFailed` if a result of the answer differs from the reference's, and `ValueError` if k or rounds is below 1.
        """
        if k < 1 or rounds < 1:
            raise ValueError("bench needs k >= 1 and rounds >= 1")
        # The first call of a chain also does work that later calls need not repeat, so the first calls are not timed.
        first = seed()
        assert_close(answer(first, 1), reference(first, 1))
        steps = [self._round(answer, reference, seed, k) for _ in range(rounds)]
        answers, references = zip(*steps, strict=True)
        ratios = tuple(mine / theirs for mine, theirs in steps)
        return Speed(statistics.median(answers), statistics.median(references), ratios)

    def _round(self, answer: Chain, reference: Chain, seed: Callable[[], int], k: int) -> tuple[float, float]:
        """Time one round. Returns the seconds per step of the answer and of the reference."""
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
    """Return the seconds per step, given the seconds that a chain of k steps and a chain of 2k steps took."""
    common = min(max(2 * short_s - long_s, 0.0), WIRE_S, long_s / 2)
    return max(long_s - common, FLOOR_S) / (2 * k)
