"""Checks that a hidden test has the same outcome whether it calls the answer through the remote proxy or in the same process
under local pytest.

The folder package/ contains the challenges, each with a reference answer. The folder wrong/ contains wrong answers. Each of
their files has the definitions that differ from the reference, and the names of the tests that must fail. differences.py lists
every allowed difference between the outcomes.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grader.content.package import Lock, Package, load
from grader.contract.job import Verdict
from grader.gate.lock import collected
from grader.judging.workbench import Workbench, a_job
from tests.grader.conformance.differences import DIFFERENCES, UNFAILABLE, difference

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
PACKAGES = sorted(path.name for path in (HERE / "package").iterdir())
LOCAL_S = 240
Outcomes = dict[str, str | None]


def the_package(bench: Workbench, name: str) -> Package:
    package = load(HERE / "package" / name, locked=False)
    return msgspec.structs.replace(package, lock=Lock(collected(bench, package)))


def wrong_answers(name: str) -> list[Path]:
    return sorted((HERE / "wrong" / name).glob("*.py"))


def named(path: Path) -> set[str]:
    """Return the names of the tests that a wrong answer must fail. They stand in comments of its file: `# fails: …`."""
    lines = path.read_text().splitlines()
    return {line.removeprefix("# fails: ") for line in lines if line.startswith("# fails: ")}


def local_outcomes(name: str, answers: dict[str, str], folder: Path) -> dict[str, Outcomes]:
    paths = {answer: folder / f"{answer}.py" for answer in answers}
    for answer, source in answers.items():
        paths[answer].write_text(source)
    # Run the script by its path. If it were run as a module of the package `tests`, this package would hide the challenge's
    # own module `tests`.
    command = [sys.executable, str(HERE / "local_runs.py"), str(HERE / "package" / name)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, *map(str, paths.values())],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=LOCAL_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    return {answer: found[str(path)] for answer, path in paths.items()}


def remote_outcomes(bench: Workbench, package: Package, source: str) -> Outcomes:
    judgement = bench.judge(a_job(package, source, seed=0), package)
    assert judgement.compile_error is None, judgement.compile_error
    return {
        test.id: None if test.verdict is Verdict.AC else f"{test.verdict} {test.message}" for test in judgement.tests
    }


def surprises(name: str, remote: Outcomes) -> list[str]:
    """Describe each outcome of the reference through the proxy that is not expected. A test must pass unless DIFFERENCES has an
    entry for it.
    """
    found = []
    for test, failure in remote.items():
        known = difference(name, test)
        fragment = known.remote if known else None
        if (failure is None) != (fragment is None) or (fragment or "") not in (failure or ""):
            found.append(f"{test}: {fragment or 'to pass'!r} expected, {failure or 'passed'!r} found")
    return found


@pytest.mark.parametrize("name", PACKAGES)
def test_local_and_remote_outcomes_agree(process_bench: Workbench, name: str, tmp_path: Path) -> None:
    package = the_package(process_bench, name)
    wrong = {path.stem: path for path in wrong_answers(name)}
    answers = {"reference": package.reference}
    answers |= {stem: f"{package.reference}\n\n{path.read_text()}" for stem, path in wrong.items()}
    local = local_outcomes(name, answers, tmp_path)
    remote = {answer: remote_outcomes(process_bench, package, source) for answer, source in answers.items()}

    assert surprises(name, remote["reference"]) == []
    expected = {
        test: known is None or known.local for test in remote["reference"] for known in [difference(name, test)]
    }
    assert {test: failure is None for test, failure in local["reference"].items()} == expected
    for answer, path in wrong.items():
        for side in (local, remote):
            failed = {test for test, failure in side[answer].items() if failure and not difference(name, test)}
            assert failed == named(path), answer


@pytest.mark.docker
@pytest.mark.parametrize("name", PACKAGES)
def test_outcomes_in_docker_are_the_same(docker_bench: Workbench, name: str) -> None:
    package = the_package(docker_bench, name)
    assert surprises(name, remote_outcomes(docker_bench, package, package.reference)) == []


@pytest.mark.parametrize("name", PACKAGES)
def test_every_idiom_can_fail(name: str) -> None:
    tree = ast.parse((HERE / "package" / name / "tests.py").read_text())
    idioms = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    caught = {test.partition("[")[0] for path in wrong_answers(name) for test in named(path)}
    listed = {test.partition("[")[0] for test in DIFFERENCES.get(name, {})} | set(UNFAILABLE.get(name, {}))
    assert idioms - caught == listed - caught
    assert listed <= idioms


def test_there_are_enough_idioms() -> None:
    sources = [(HERE / "package" / name / "tests.py").read_text() for name in PACKAGES]
    assert sum(source.count("\ndef test_") for source in sources) >= 200
