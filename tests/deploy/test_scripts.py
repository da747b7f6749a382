"""Tests that bash can parse the scripts of deploy/, that they refuse invalid arguments, and that an image's tag depends on its
content."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted([*ROOT.glob("deploy/*.sh"), ROOT / ".ci/run"])


def run(script: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script with bash, without standard input, for at most two minutes."""
    return subprocess.run(
        ["bash", str(script), *arguments],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a copy of deploy/ and a grader package of one file. The grader image's tag depends only on these two."""
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy")
    (tmp_path / "grader").mkdir()
    (tmp_path / "grader/__init__.py").write_text("")
    return tmp_path


def tag(checkout: Path, **environment: str) -> str:
    """Return the tag of the grader image for this checkout, whether or not the image has been built."""
    told = run(checkout / "deploy/grader-image.sh", "--tag", **environment)
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()[-1]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_script_parses(script: Path) -> None:
    assert subprocess.run(["bash", "-n", str(script)], check=False, capture_output=True).stderr == b""


@pytest.mark.parametrize(
    "name", ["setup.sh", "venv.sh", "docker-engine.sh", "packages.sh", "wheels.sh", "as-service.sh", "nats.sh"]
)
def test_a_script_called_wrongly_tells_its_usage(checkout: Path, name: str) -> None:
    told = run(checkout / "deploy" / name)
    assert told.returncode != 0
    assert "usage: " in told.stderr


def test_a_python_that_does_not_fit_is_replaced_and_named(checkout: Path) -> None:
    (checkout / "pyproject.toml").touch()
    old = checkout / "python3.10"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    told = run(checkout / "deploy/venv.sh", "run", PYTHON=str(old), PIP_ARGS="--no-index")
    assert f"{old} is not Python 3.11 to 3.13; using " in told.stderr
    assert "pip could not install the project" in told.stderr


def test_a_package_whose_command_is_there_is_not_installed(checkout: Path) -> None:
    told = run(checkout / "deploy/packages.sh", "bash=bash")
    assert told.returncode == 0
    assert "nothing missing" in told.stderr


def test_make_alone_lists_the_targets() -> None:
    told = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, text=True, check=True, timeout=30)
    assert {"make run", "make test", "make demo"} <= {line[:14].rstrip() for line in told.stdout.splitlines()}


@pytest.mark.docker
def test_the_tag_stays_while_nothing_changes(checkout: Path) -> None:
    before = tag(checkout)
    (checkout / "grader/__pycache__").mkdir()
    (checkout / "grader/__pycache__/left.pyc").write_bytes(b"x")
    os.utime(checkout / "grader/__init__.py", (0, 0))
    assert tag(checkout) == before


@pytest.mark.docker
def test_the_tag_changes_with_a_file_its_name_or_a_requirement(checkout: Path) -> None:
    tags = [tag(checkout), tag(checkout, TORCH="torch==0")]
    (checkout / "grader/__init__.py").write_text("x = 1")
    tags.append(tag(checkout))
    (checkout / "grader/__init__.py").rename(checkout / "grader/init.py")
    tags.append(tag(checkout))
    (checkout / "deploy/grader/requirements.txt").write_text("numpy==0")
    tags.append(tag(checkout))
    assert len(set(tags)) == len(tags)


def test_an_engine_that_is_not_ours_is_not_stopped(checkout: Path) -> None:
    (checkout / "var").mkdir()
    (checkout / "var/dockerd.pid").write_text(str(os.getpid()))
    told = run(checkout / "deploy/docker-engine.sh", "stop")
    assert told.returncode == 0
    assert "no engine of ours" in told.stderr


def test_an_engine_that_cannot_be_local_is_not_started(checkout: Path) -> None:
    told = run(checkout / "deploy/docker-engine.sh", "start", DOCKER_HOST="tcp://127.0.0.1:1")
    assert told.returncode != 0
    assert "only a local one can be started" in told.stderr
