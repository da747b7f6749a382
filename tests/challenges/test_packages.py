"""Every challenge in the catalogue holds what its folder claims, through the real path: Docker cells, judge, hidden tests."""

from pathlib import Path

import pytest

from grader.gate.claims import check
from grader.package import find, load
from grader.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2] / "challenges"
FOLDERS = find(ROOT)


@pytest.mark.docker
@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_package_holds_what_it_claims(docker_bench: Workbench, folder: Path) -> None:
    findings = check(docker_bench, folder, all_seeds=False)
    assert findings == []


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_statement_and_editorial_are_written(folder: Path) -> None:
    package = load(folder)
    assert "float" in package.statement
    assert len(package.editorial) > 1000
    assert all(len(test.title) >= 20 and test.title != test.id for test in package.lock.tests)


def test_the_catalogue_is_not_empty() -> None:
    assert len(FOLDERS) >= 4
