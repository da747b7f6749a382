"""Defines the pytest marks of hidden tests. A mark says that candidates can read the test, how many points the test gives, or
that the test relies on an attestation (an observation that the answer could forge).
"""

import pytest

MAX_POINTS = 100

sample = pytest.mark.sample
"""The test is self-contained and shown to candidates."""

attested = pytest.mark.attested
"""The test rests on what was observed inside the cell."""

DESCRIPTIONS = (
    "sample: the test is shown to candidates",
    "points(n): what the test is worth (1 without it)",
    "attested: the test rests on what was observed inside the cell",
)


def points(n: int) -> pytest.MarkDecorator:
    """Set the points of a test: a whole number from 1 to 100. Raises `ValueError` for anything else."""
    if type(n) is not int or not 1 <= n <= MAX_POINTS:
        raise ValueError(f"points() takes a whole number from 1 to {MAX_POINTS}")
    return pytest.mark.points(n)
