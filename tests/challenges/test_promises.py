"""Tests that for every promise in a statement of the catalogue, gate.toml names tests, and that these tests exist in the
challenge.
"""

from pathlib import Path

import pytest

from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.authoring.promises import unknown_tests, untested_promises
from grader.content.package import find, load

FOLDERS = find(Path(__file__).resolve().parents[2] / "challenges")


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_promises_are_kept(folder: Path) -> None:
    package, rows = load(folder), load_gate_toml(folder).promise
    assert [*untested_promises(package, rows), *unknown_tests(package, rows)] == []
