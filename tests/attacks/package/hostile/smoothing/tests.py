"""Checks values, then speed. For the speed, a chain of calls is timed in the cell and compared with the same chain in the
reference.
"""

from grader.testing import assert_close, check, points, sample

SLOWEST = 5.0


@sample
def test_values(solution, reference, rng):
    """The values differ from softmax(x xᵀ / √d) x."""
    for rows in (1, 7, 64):
        x = rng.randn(rows, 16)
        assert_close(solution.smooth(x), reference.smooth(x))


@points(3)
def test_speed(probes, reference, rng, bench):
    """The answer is more than five times slower than the reference."""
    speed = bench(probes.chain, probes.on(reference).chain, seed=rng.seed, k=16)
    check(speed.ratio <= SLOWEST, "it is more than five times slower than a plain answer")
