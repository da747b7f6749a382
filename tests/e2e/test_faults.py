"""Tests failures during a judging, as the candidate sees them. Each submission must still get exactly one verdict, the
right one.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from api.judging.dispatch.connected_nodes import NOT_NOW
from tests.live import Candidate, Live, launch, service

pytestmark = pytest.mark.docker
SignUp = Callable[[Live], Candidate]
SLUG = "scaled-dot-product-attention"
SLOW = """
import time
{source}
_right = attention
def attention(q, k, v, mask=None):
    time.sleep(0.05)
    return _right(q, k, v, mask)
"""


def slow(answers: Path) -> str:
    """Return the source of a right answer that takes a few seconds to run, and sleeps most of that time."""
    return SLOW.format(source=(answers / "accepted" / "a-reference.py").read_text())


def until_judging(candidate: Candidate, identifier: str) -> None:
    for name, _ in candidate.events(identifier):
        if name == "test":
            return


@pytest.fixture
def own(grader_image: str, tmp_path: Path) -> Iterator[Live]:
    """A service that is started for each test, so that the test can kill it."""
    with service(tmp_path, node_slots="1", node_image=grader_image, lease_s="6", sweep_s="0.5") as running:
        yield running


def test_node_killed_in_the_middle_of_a_judging(own: Live, sign_up: SignUp, answers: Path) -> None:
    candidate = sign_up(own)
    identifier = candidate.submit(SLUG, slow(answers))
    until_judging(candidate, identifier)
    os.kill(own.node_pid(), signal.SIGKILL)
    found = candidate.judged(identifier)
    assert found["verdict"] == "AC"
    assert found["attempt"] == 2


def test_cell_and_judge_killed_in_the_middle_of_a_judging(own: Live, sign_up: SignUp, answers: Path) -> None:
    candidate = sign_up(own)
    for role in ("cell", "judge"):
        identifier = candidate.submit(SLUG, slow(answers) + f"# {role}\n")
        until_judging(candidate, identifier)
        assert kill_containers(own, role) > 0
        found = candidate.judged(identifier)
        assert (found["verdict"], found["attempt"]) == ("AC", 2)


def kill_containers(live: Live, role: str) -> int:
    """Send SIGKILL to process 1 of all containers with this role on the service's node. Return the number of containers."""
    killed = 0
    for container in docker.from_env().containers.list(ignore_removed=True, filters={"label": "gradus.node"}):
        arguments = container.attrs["Args"]
        if role in arguments and container.labels["gradus.node"].endswith(f"@{live.data / 'run' / 'node.sock'}"):
            os.kill(container.attrs["State"]["Pid"], signal.SIGKILL)
            killed += 1
    return killed


def test_service_killed_with_a_full_queue_loses_nothing(
    grader_image: str, tmp_path: Path, sign_up: SignUp, answers: Path
) -> None:
    settings: dict[str, Any] = {
        "node_slots": "1",
        "node_image": grader_image,
        "unfinished_per_account": "50",
        "repeat_window_s": "0",
    }
    right = (answers / "accepted" / "a-reference.py").read_text()
    first = launch(tmp_path, **settings)
    try:
        first.wait_until_ready()
        candidate = sign_up(first)
        sent = [candidate.submit(SLUG, slow(answers))]
        sent += [candidate.submit(SLUG, f"{right}\n# {number}\n", kind="run") for number in range(8)]
        until_judging(candidate, sent[0])
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        port = int(first.url.rpartition(":")[2])
    finally:
        first.stop()
    second = launch(tmp_path, port=port, **settings)
    try:
        second.wait_until_ready()
        assert {candidate.judged(identifier)["verdict"] for identifier in sent} == {"AC"}
    finally:
        second.stop()


def test_without_an_engine_submissions_wait_and_are_judged_when_it_is_back(
    grader_image: str, sign_up: SignUp, answers: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = Path("/tmp") / f"gradus-engine-{os.getpid()}"
    folder.mkdir()
    road = folder / "docker.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{road}")
    live = launch(tmp_path, node_slots="1", node_image=grader_image)
    try:
        wait_for_reason(live, "Docker engine does not answer")
        candidate = sign_up(live)
        identifier = candidate.submit(SLUG, (answers / "accepted" / "a-reference.py").read_text())
        time.sleep(1.0)
        waiting = candidate.get(identifier)
        assert waiting["status"] == "queued"
        assert waiting["queue"]["reason"] == NOT_NOW  # only administrators are told what is broken
        road.symlink_to("/var/run/docker.sock")
        assert candidate.judged(identifier)["verdict"] == "AC"
        assert candidate.get(identifier)["attempt"] == 1
    finally:
        live.stop()
        shutil.rmtree(folder)


def wait_for_reason(live: Live, words: str) -> None:
    """Wait until the service reports that it cannot judge, and the reason that it gives contains these words."""
    said = ""
    for _ in range(10):  # on a busy machine, the node takes a while to start and to look for its engine
        with pytest.raises(TimeoutError) as late:
            live.wait_until_ready(8.0)
        said = str(late.value)
        if words in said:
            return
    pytest.fail(said)


@pytest.mark.engine
def test_engine_killed_in_the_middle_of_a_judging(own: Live, sign_up: SignUp, answers: Path) -> None:
    """Runs alone, after all other tests, because it kills and restarts the Docker engine (deploy/docker-engine.sh)."""
    root = Path(__file__).resolve().parents[2]
    candidate = sign_up(own)
    identifier = candidate.submit(SLUG, slow(answers))
    until_judging(candidate, identifier)
    pid = int(subprocess.run(["pidof", "dockerd"], check=True, capture_output=True, text=True).stdout.split()[0])
    os.kill(pid, signal.SIGKILL)
    time.sleep(1.0)
    subprocess.run(["bash", str(root / "deploy" / "docker-engine.sh"), "start"], check=True, stdout=sys.stderr)
    assert candidate.judged(identifier)["verdict"] == "AC"
    again = candidate.submit(SLUG, (answers / "accepted" / "b-einsum-nan-to-num.py").read_text())
    assert candidate.judged(again)["verdict"] == "AC"
