"""Fixtures of the whole suite: the grader image and workbenches with Docker or process cells."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.workbench import Workbench, workbench

ROOT = Path(__file__).resolve().parent.parent


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
# The cells of a service under test have as much of a crowded machine as what tests it; people who type do not wait here.
os.environ.setdefault("GRADUS_NODE_CPU_SHARES", "1024")
# What deploy/programs.sh has unpacked.
os.environ["PATH"] += f"{os.pathsep}{ROOT / 'var' / 'programs'}"


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """A handler that a test leaves behind is inherited by every child of every later one."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    assert [signal.getsignal(number) for number in SIGNALS] == before


@pytest.fixture(scope="session")
def grader_image() -> str:
    """Tag of the grader image, built from the tree as it is now (the script skips what is built already)."""
    given = os.environ.get("GRADUS_TEST_IMAGE")
    if given:
        return given
    script = ROOT / "deploy" / "grader-image.sh"
    built = subprocess.run(["bash", str(script)], check=True, capture_output=True, text=True, cwd=ROOT)
    return built.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="session")
def docker_bench(grader_image: str) -> Iterator[Workbench]:
    """A workbench with one slot in Docker cells (each xdist process has its own)."""
    with workbench("docker", slots=1, image=grader_image) as bench:
        yield bench


@pytest.fixture(scope="session")
def process_bench() -> Iterator[Workbench]:
    """A workbench with one slot in process cells."""
    with workbench("process", slots=1) as bench:
        yield bench
