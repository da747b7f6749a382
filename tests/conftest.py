"""Provides fixtures for all tests: the grader image, and workbenches (slots with a judge and cells) in Docker containers or in
processes.
"""

import gc
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.settings import Settings
from grader.judging.workbench import Workbench, workbench

ROOT = Path(__file__).resolve().parent.parent
# Objects that imports create stay in memory until the tests end. While the tests are imported, Python's garbage collector would
# check these objects again and again, which took a sixth of the CPU time of all tests. pytest_collection_finish switches the
# collector on again.
gc.disable()

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
# deploy/programs.sh unpacks programs into this folder.
os.environ["PATH"] += f"{os.pathsep}{ROOT / 'var' / 'programs'}"
# A shell starts background jobs with SIGINT ignored, and their child processes inherit this. Tests need SIGINT to interrupt
# programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Exclude everything that exists before the first test from garbage collection, then switch the collector on."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """Check that a test does not leave a signal handler behind, which all processes of later tests would inherit."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    assert [signal.getsignal(number) for number in SIGNALS] == before


@pytest.fixture(scope="session")
def grader_image() -> str:
    """The tag of the grader image. The image is built from the current files, unless it exists already."""
    given = os.environ.get("GRADUS_TEST_IMAGE")
    if given:
        return given
    script = ROOT / "deploy" / "grader-image.sh"
    built = subprocess.run(["bash", str(script)], check=True, capture_output=True, text=True, cwd=ROOT)
    return built.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="session")
def docker_bench(grader_image: str) -> Iterator[Workbench]:
    """A workbench with one slot and Docker cells. The cells have the same CPU weight as those of a service. Each process of
    pytest-xdist has its own workbench.
    """
    weight: int = Settings.model_fields["node_cpu_shares"].default
    with workbench("docker", slots=1, image=grader_image, cpu_shares=weight) as bench:
        yield bench


@pytest.fixture(scope="session")
def process_bench() -> Iterator[Workbench]:
    """A workbench with one slot, whose cell is a plain process."""
    with workbench("process", slots=1) as bench:
        yield bench
