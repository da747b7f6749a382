"""Every challenge in the catalogue holds what its folder claims, through the real path: Docker cells, judge, hidden tests."""

from pathlib import Path

import pytest

from grader.gate.claims import check
from grader.gate.record import LEAST_RATE, LEAST_RATE_OVERALL
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
    assert len(package.editorial) > 1000
    assert all(len(test.title) >= 20 and test.title != test.id for test in package.lock.tests)


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_gate_has_proven_this_version(folder: Path) -> None:
    proof = load(folder).proof
    assert proof is not None, f"run `gradus challenge check {folder.name}` and commit its gate.lock"
    assert proof.kill_rate >= LEAST_RATE


def test_catalogue_kills_enough_mutants() -> None:
    proofs = [proof for folder in FOLDERS if (proof := load(folder).proof) is not None]
    assert sum(proof.killed for proof in proofs) >= LEAST_RATE_OVERALL * sum(proof.mutants for proof in proofs) > 0
