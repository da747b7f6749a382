"""Marks of hidden tests: who may see a test, what it is worth, what it rests on."""

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
    """What the test is worth: a whole number from 1 to 100. Raises `ValueError` for anything else."""
    if type(n) is not int or not 1 <= n <= MAX_POINTS:
        raise ValueError(f"points() takes a whole number from 1 to {MAX_POINTS}")
    return pytest.mark.points(n)
