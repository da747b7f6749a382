"""Defines fixtures that run probes. A probe is a small program in tests/grader/inside/probes. It runs in a real container or as
a plain process, and prints JSON.
"""

import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.hosts.seccomp_profile import profile_text

ROOT = Path(__file__).parents[3]
PROBES = Path(__file__).parent / "probes"
CELL_UID = 70001
PRIVATE_TMPFS = "size=64m,nr_inodes=4096,mode=1777,noexec,nosuid,nodev"

Probe = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def seccomp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profile") / "container.json"
    path.write_text(profile_text())
    return path


@pytest.fixture(scope="session")
def in_cell(grader_image: str, seccomp_path: Path) -> Probe:
    """A function that runs a probe in place of the zygote (process 1) of a container that is hardened like a cell."""

    def run(
        probe: str,
        *arguments: object,
        stdin: object = None,
        profile: str | None = None,
        capabilities: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        name = f"gradus-probe-{uuid.uuid4().hex}"
        command = [
            *("docker", "run", "--rm", "-i", "--name", name, "--network=none", "--read-only", "--pids-limit=512"),
            *("--memory=1g", "--memory-swap=1g", "--security-opt=no-new-privileges", "--cap-drop=ALL"),
            *(f"--user={CELL_UID}:{CELL_UID}", "--security-opt=systempaths=unconfined"),
            *(f"--cap-add={each}" for each in capabilities),
            f"--security-opt=seccomp={profile or seccomp_path}",
            *(f"--tmpfs={each}:{PRIVATE_TMPFS}" for each in ("/tmp", "/dev/shm")),
            *("-v", f"{ROOT}/grader:/opt/gradus/grader:ro", "-v", f"{PROBES}:/probes:ro"),
            *("-e", "PYTHONPATH=/opt/gradus", "-e", "PYTHONDONTWRITEBYTECODE=1", "-e", "BYSTANDER=/opt"),
            *(grader_image, "python3", f"/probes/{probe}.py", *map(str, arguments)),
        ]
        try:
            return _report(command, stdin)
        finally:
            subprocess.run(["docker", "rm", "-f", name], capture_output=True, check=False)

    return run


@pytest.fixture(scope="session")
def as_process(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    """A function that runs a probe in place of a zygote that is a plain process of this machine."""

    def run(probe: str, *arguments: object, stdin: object = None) -> dict[str, Any]:
        environment = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]}
        bystander = tmp_path_factory.mktemp("bystander")
        (bystander / "untouched").touch()
        command = [sys.executable, str(PROBES / f"{probe}.py"), *map(str, arguments)]
        return _report(command, stdin, environment | {"BYSTANDER": str(bystander)})

    return run


def _report(command: list[str], stdin: object, environment: dict[str, str] | None = None) -> dict[str, Any]:
    ended = subprocess.run(
        command, input=json.dumps(stdin), capture_output=True, text=True, timeout=180, env=environment, check=False
    )
    assert ended.returncode == 0, f"{command[-3:]} ended with {ended.returncode}: {ended.stderr[-2000:]}"
    report: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return report


@pytest.fixture(scope="session")
def denied() -> Callable[[str, str], dict[str, int]]:
    """A function. `denied(process, machine)` returns the system calls that denied.txt lists for this process, as {name:
    number}.
    """
    lines = (Path(__file__).parent / "denied.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]

    def table(who: str, machine: str) -> dict[str, int]:
        column = {"x86_64": 1, "aarch64": 2}[machine]
        return {row[0]: int(row[column]) for row in rows if row[3] == who and row[column] != "-"}

    return table


@pytest.fixture
def job_uid() -> int:
    """The uid of the child in a test. Root can choose this uid freely. Under any other account, it is the account's own uid."""
    return 70000 + os.getpid() % 10000 if os.getuid() == 0 else os.getuid()


@pytest.fixture
def job_root() -> Iterator[str]:
    """An empty directory in which a process with any uid can create its workdir. Only the account that runs the tests can write
    to pytest's tmp_path.
    """
    with tempfile.TemporaryDirectory(prefix="gradus-test-") as path:
        os.chmod(path, 0o1777)
        yield path
