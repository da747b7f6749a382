"""Runs a chain with the answer, and compares what it returns with a chain of the reference. Used as tests.py of a measurement
(see `package.py`), so no hidden test is in the memory of the process that runs this.

The node measures the last call that a test makes, so a test must make the measured call last.
"""

from typing import Any

from grader.testing import assert_close, check

# A chain's size and its number of steps. `package.py` appends them.
SIZES: list[tuple[int, int]] = []
# A larger result would make the measured call long, because the whole result is sent.
MOST_ELEMENTS = 1 << 16
MOST_OPERATORS = 12


def pytest_generate_tests(metafunc: Any) -> None:
    """Make a test of each kind for each size. The size is the test's ID."""
    metafunc.parametrize(("size", "steps"), SIZES, ids=[str(size) for size, _ in SIZES])


def test_chain(size: int, steps: int, probes: Any, reference: Any, rng: Any) -> None:
    """The chain returns what a chain of the reference returns."""
    warm_up, seed = rng.seed(), rng.seed()
    probes.chain(size, 1, warm_up)
    found = probes.chain(size, steps, seed)
    expected = probes.on(reference).chain(size, steps, seed)
    few = expected.numel() <= MOST_ELEMENTS
    check(few, f"the chain returns {expected.numel():,} elements; return at most {MOST_ELEMENTS:,}")
    assert_close(found, expected, name="the result of the chain")


def test_operators(size: int, steps: int, probes: Any, rng: Any, exhibit: Any) -> None:
    """How the time of one call is divided among torch's operators, as the answer's own process reports it."""
    seconds = probes.profile_operators(size, rng.seed())
    plain = type(seconds) is dict and all(type(value) is float and value >= 0 for value in seconds.values())
    check(plain, "the profile of a call is malformed")
    total = sum(seconds.values())
    largest = sorted(seconds, key=lambda name: -seconds[name])[:MOST_OPERATORS]
    shares = {str(name)[:60]: seconds[name] / total for name in largest if 0 < total < float("inf")}
    exhibit.records.append({"title": "operators", "kind": "operators", "data": shares})
