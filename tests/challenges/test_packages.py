"""Judges each challenge of the catalogue in Docker cells with its hidden tests, and checks that the challenge does what its
folder claims.
"""

import json
import os
import re
from pathlib import Path

import pytest

from grader.content.package import find, load
from grader.contract.job import Verdict
from grader.gate.claims import check
from grader.gate.report.record import LEAST_RATE, LEAST_RATE_OVERALL
from grader.gate.trials.cache import Cache
from grader.gate.trials.run import first_failure
from grader.judging.workbench import Workbench, a_job

ROOT = Path(__file__).resolve().parents[2] / "challenges"
FOLDERS = find(ROOT)
# Whether to judge the references of challenges that the gate has already proven. Only the heavy suite `catalogue` sets this
# environment variable, because that suite runs after changes to the grader, which could affect every challenge.
JUDGE_PROVEN = "GRADUS_TEST_PROVEN" in os.environ


def require_cpu(folder: Path) -> None:
    """Skip the test unless the image for CPUs can judge the challenge."""
    if "cpu" not in load(folder).info.devices:
        pytest.skip("for GPUs only: it needs Triton, which the grader's image for CPUs does not have")


@pytest.mark.docker
@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_package_holds_what_it_claims(docker_bench: Workbench, folder: Path) -> None:
    """The challenge must do what its folder claims. A challenge that the gate has proven with the current test kit is not
    checked again: only its reference is judged, in the heavy suite `catalogue`.
    """
    if not Cache().proven(folder, "challenge"):
        require_cpu(folder)
        assert check(docker_bench, folder, all_seeds=False) == []
    elif JUDGE_PROVEN:
        require_cpu(folder)
        package = load(folder)
        judgement = docker_bench.judge(a_job(package, package.reference), package)
        assert judgement.verdict is Verdict.AC, first_failure(judgement)


@pytest.mark.docker
@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_what_a_candidate_reads_first_is_a_sample_and_says_what_is_wrong(docker_bench: Workbench, folder: Path) -> None:
    """Sample tests must come before hidden tests. Candidates see all values of a sample, and no values of a hidden test. The
    first test that the starter fails must be a sample, and its message must say what is wrong.
    """
    package = load(folder)
    samples = [test.sample for test in package.lock.tests]
    assert samples == sorted(samples, reverse=True)
    if Cache().proven(folder, "challenge") and not JUDGE_PROVEN:
        return
    require_cpu(folder)
    judgement = docker_bench.judge(a_job(package, package.starter), package)
    first = next(test for test in judgement.tests if test.verdict is not Verdict.AC)
    assert first.sample, first
    assert first.message, first


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


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_whoever_has_the_repository_knows_no_seed(folder: Path) -> None:
    assert json.loads((folder / "tests.lock").read_text()).keys() == {"tests"}


def test_catalogue_kills_enough_mutants() -> None:
    proofs = [proof for folder in FOLDERS if (proof := load(folder).proof) is not None]
    assert sum(proof.killed for proof in proofs) >= LEAST_RATE_OVERALL * sum(proof.mutants for proof in proofs) > 0


def test_no_tag_is_spelled_in_two_ways() -> None:
    info = [load(folder).info for folder in FOLDERS]
    tags = {tag for each in info for tag in (*each.topics, *each.application)}
    spellings: dict[str, set[str]] = {}
    for tag in tags:
        spellings.setdefault(re.sub(r"[\s_-]+", " ", tag).casefold(), set()).add(tag)
    assert [sorted(group) for group in spellings.values() if len(group) > 1] == []
