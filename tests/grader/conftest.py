"""Moves the grader's tests that start containers to the heavy suite `cells` (tests/heavy/suites.toml)."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests as heavy. Pytest passes the tests of all folders, so the others are left out here."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.get_closest_marker("docker"):
            item.add_marker(pytest.mark.heavy)
