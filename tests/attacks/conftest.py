"""The challenges that are attacked, and a bench in which one has been judged already."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.job import Verdict
from grader.package import Package, find, load
from grader.workbench import Workbench, a_job, workbench

SLOTS = 2


@pytest.fixture(scope="session")
def packages() -> dict[str, Package]:
    """The challenges that are attacked, by name."""
    return {folder.name: load(folder) for folder in find(Path(__file__).parent / "package")}


@pytest.fixture(scope="session")
def package(packages: dict[str, Package]) -> Package:
    """The challenge that most programs attack."""
    return packages["attention"]


@pytest.fixture(scope="session")
def bench(grader_image: str, package: Package) -> Iterator[Workbench]:
    """Two slots in Docker cells, the judge and the package warm: what is opened now stays open."""
    with workbench("docker", slots=SLOTS, image=grader_image) as made:
        jobs = [(a_job(package, package.reference), package) for _ in range(SLOTS)]
        ends = [end.judgement for end in made.judge_all(jobs)]
        assert [end and end.verdict for end in ends] == [Verdict.AC] * SLOTS
        yield made
