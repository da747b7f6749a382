"""Tests when the scaler asks for more or fewer nodes, given readings of the queue and the nodes. Also tests the command with a
real service.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from api.ops.metrics.scaling import Reading, Rules, Scaler
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in
from tests.api.test_cli import REPOSITORY, free_port

RULES = Rules(least=1, most=3, late_s=10, for_s=30, idle_s=100, pause_s=60)
LATE = Reading(queued=5, oldest_s=20, nodes=1, slots=2, judging=2)
BUSY = Reading(queued=1, oldest_s=2, nodes=1, slots=2, judging=2)
IDLE = Reading(queued=0, oldest_s=0, nodes=2, slots=4, judging=2)


def steps(scaler: Scaler, readings: list[tuple[int, Reading | None]]) -> list[tuple[int, int]]:
    """Feed these readings to the scaler, and apply each change that it asks for. Return each change as (second, wanted number
    of nodes).
    """
    taken = []
    for at_s, reading in readings:
        if (wanted := scaler.read(reading, at_s)) is not None:
            scaler.wanted = wanted
            taken.append((at_s, wanted))
    return taken


def every_ten(reading: Reading | None, since: int, until: int) -> list[tuple[int, Reading | None]]:
    """Return this reading once for every ten seconds from `since` up to but not including `until`, each as (second, reading)."""
    return [(second, reading) for second in range(since, until, 10)]


def test_more_only_after_a_while_one_at_a_time_and_never_too_many() -> None:
    assert steps(Scaler(RULES), every_ten(LATE, 0, 600)) == [(30, 2), (90, 3)]


def test_a_short_wait_wants_nothing() -> None:
    readings = [*every_ten(LATE, 0, 30), *every_ten(BUSY, 30, 40), *every_ten(LATE, 40, 70)]
    assert steps(Scaler(RULES), readings) == []


def test_fewer_only_after_long_idleness_and_never_too_few() -> None:
    assert steps(Scaler(RULES), every_ten(IDLE, 0, 600)) == [(100, 1)]
    half_busy = IDLE._replace(judging=3)
    assert steps(Scaler(RULES), every_ten(half_busy, 0, 600)) == []


def test_what_nobody_knows_is_no_reason() -> None:
    readings = [*every_ten(LATE, 0, 30), (30, None), *every_ten(LATE, 40, 70)]
    assert steps(Scaler(RULES), readings) == []
    assert steps(Scaler(RULES), every_ten(None, 0, 600)) == []


def test_nodes_that_do_not_come_are_not_asked_for_without_end() -> None:
    none_comes = LATE._replace(nodes=0, slots=0, judging=0)
    assert [wanted for _, wanted in steps(Scaler(RULES), every_ten(none_comes, 0, 5000))] == [2, 3]


def test_a_step_that_failed_is_tried_again_after_the_pause() -> None:
    scaler = Scaler(RULES)
    asked = [at_s for at_s, reading in every_ten(LATE, 0, 200) if scaler.read(reading, at_s)]
    assert asked == [30, 90, 150]


@pytest.mark.anyio
async def test_the_command_runs_when_submissions_wait(home: Path) -> None:
    write_challenge(home / "challenges")
    port = free_port()
    async with running(settings_in(home, metrics_port=port)) as service:
        await (await service.person()).send()
        command = [sys.executable, "-m", "api.ops.metrics.cli", "--up", "echo up {wanted} >> steps; test -e works"]
        command += ["--down", "echo down {wanted} >> steps", "--metrics", f"http://127.0.0.1:{port}/metrics"]
        command += ["--nodes", "1:3", "--late", "0.1", "--late-for", "0.1", "--pause", "0.2", "--every", "0.1"]
        scaling = subprocess.Popen(
            command, cwd=home, env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}, stderr=subprocess.PIPE
        )
        try:
            async with asyncio.timeout(60):
                while _steps(home).count("up 2") < 2:
                    await asyncio.sleep(0.1)
                assert "up 3" not in _steps(home), "the command failed: nothing has changed"
                (home / "works").touch()
                while "up 3" not in _steps(home):
                    await asyncio.sleep(0.1)
        finally:
            scaling.kill()
            told = scaling.communicate()[1].decode()
    assert '"event": "nodes_wanted"' in told
    assert set(_steps(home)) == {"up 2", "up 3"}


def _steps(home: Path) -> list[str]:
    path = home / "steps"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.parametrize("nodes", ["3", "3:1", "a:b", "-1:2"])
def test_bounds_that_make_no_sense_are_refused(nodes: str) -> None:
    command = [sys.executable, "-m", "api.ops.metrics.cli", "--up", "x", "--down", "x", "--nodes", nodes]
    told = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=60)
    assert (told.returncode, "MIN:MAX" in told.stderr) == (2, True)
