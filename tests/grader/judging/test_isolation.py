"""Checks how jobs are isolated on a host where cells cannot make namespaces: each judging gets a container of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.content.package import Package, load
from grader.contract.job import Kind, Verdict
from grader.hosts import containers
from grader.hosts.container_options import flags
from grader.judging.workbench import Workbench, a_job, engine

pytestmark = pytest.mark.docker

PLANT = """
import os
import pathlib

print(sorted(os.listdir("/dev/shm")))
pathlib.Path("/dev/shm/planted").touch()
"""


@pytest.fixture(scope="module")
def package() -> Package:
    return load(Path(__file__).parents[2] / "attacks" / "package" / "hostile" / "attention")


@pytest.fixture
def masked(grader_image: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A bench in whose containers the engine masks parts of /proc. The kernel then refuses a further /proc."""

    def with_masks(*arguments: Any, **more: Any) -> dict[str, Any]:
        return {**flags(*arguments, **more), "masked_paths": None, "readonly_paths": None}

    monkeypatch.setattr(containers, "flags", with_masks)
    made = Workbench(engine("docker", grader_image), slots=1)
    made.start()
    yield made
    made.close()


def test_cells_without_namespaces_serve_one_job_and_say_so(masked: Workbench, package: Package) -> None:
    seen = []
    for _ in range(2):
        job = a_job(package, PLANT + package.reference, Kind.SCRATCH, snippet="0")
        judgement = masked.judge(job, package)
        seen.append((judgement.environment["isolation"], judgement.output.splitlines()[0]))
    assert seen == [("container", "[]")] * 2
    assert masked.judge(a_job(package, package.reference), package).verdict is Verdict.AC
    assert masked.spares.problem == ""
