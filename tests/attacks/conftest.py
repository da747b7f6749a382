"""Provides the challenges that are attacked, and a bench (slots with a judge and cells) that has already judged one of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.settings import Settings
from grader.content.package import Package, find, load
from grader.contract.job import Verdict
from grader.judging.workbench import Workbench, a_job, workbench

SLOTS = 2


@pytest.fixture(scope="session")
def packages() -> dict[str, Package]:
    """The challenges that are attacked, by the name of their folder."""
    return {folder.name: load(folder) for folder in find(Path(__file__).parent / "package")}


@pytest.fixture(scope="session")
def package(packages: dict[str, Package]) -> Package:
    """The challenge that most programs attack."""
    return packages["attention"]


@pytest.fixture(scope="session")
def bench(grader_image: str, package: Package) -> Iterator[Workbench]:
    """A bench with two slots, whose cells are Docker containers. It has already judged an answer in each slot, so all file
    descriptors that the node keeps open are open before the first test counts them.
    """
    weight: int = Settings.model_fields["node_cpu_shares"].default
    with workbench("docker", slots=SLOTS, image=grader_image, cpu_shares=weight) as made:
        jobs = [(a_job(package, package.reference), package) for _ in range(SLOTS)]
        ends = [end.judgement for end in made.judge_all(jobs)]
        assert [end and end.verdict for end in ends] == [Verdict.AC] * SLOTS
        yield made
