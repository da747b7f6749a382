"""Marks the tests of the grader that start cells, as containers or as plain processes. The marked tests belong to the heavy
suite `cells` (tests/heavy/suites.toml).
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Fixtures that start cells in plain processes. `process_bench` is shared by all tests; the others are defined in single test
# files.
STARTS_CELLS = {"process_bench", "bench", "cell"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder that start cells as heavy. `items` contains the tests of all folders."""
    for item in items:
        starts_cells = item.get_closest_marker("docker") or STARTS_CELLS & set(getattr(item, "fixturenames", ()))
        if item.path.is_relative_to(HERE) and starts_cells:
            item.add_marker(pytest.mark.heavy)
