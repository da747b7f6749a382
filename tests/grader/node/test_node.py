"""Checks a node process on a real socket. The test acts as the service."""

import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import docker
import msgspec
import pytest

from grader.content.package import Package, load
from grader.contract import transport
from grader.contract.job import Verdict
from grader.hosts.container_options import LABEL
from grader.judging.workbench import a_job
from tests.grader.node_messages import next_from_node

Said = TypeVar("Said")

pytestmark = pytest.mark.docker
PACKAGES = Path(__file__).parents[2] / "attacks" / "package"
SLOW = """
import math
import time


def attention(q, k, v):
    time.sleep(0.2)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
"""


@pytest.fixture(scope="session")
def package() -> Package:
    return load(PACKAGES / "hostile" / "attention")


class Service:
    """Acts as the service for one node: starts the node's process, accepts its connection and exchanges messages with it."""

    def __init__(self, folder: Path, image: str, **environment: str) -> None:
        path = folder / f"{uuid.uuid4().hex[:8]}.sock"
        self.label = f"tested@{path.resolve()}"
        self._path, self._image, self._environment = path, image, {**os.environ, **environment}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self.start()

    def start(self) -> None:
        """Start the node and accept its connection. A second call starts the node again under the same name."""
        self.process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL, env=self._environment)
        self._listener.settimeout(20)
        self.node, _ = self._listener.accept()

    def _command(self) -> list[str]:
        command = [sys.executable, "-m", "grader", "--socket", str(self._path), "--packages", str(PACKAGES)]
        return [*command, "--name", "tested", "--slots", "1", "--spares", "1", "--image", self._image]

    def clean_up(self) -> int:
        """Remove what the node left behind, with the command that the service uses. Return the exit code of this command."""
        return subprocess.run([*self._command(), "--clean-up"], env=self._environment, check=False).returncode

    def next(self, seconds: float = 60.0) -> transport.FromNode:
        """Return the node's next message that is not a heartbeat."""
        self.node.settimeout(seconds)
        while True:
            message = next_from_node(self.node)
            if not isinstance(message, transport.Heartbeat):
                return message

    def until(self, *kinds: type[Said]) -> Said:
        while True:
            message = self.next()
            if isinstance(message, kinds):
                return message

    def say(self, message: transport.ToNode) -> None:
        self.node.sendall(transport.pack(message))

    def containers(self, **more: str) -> list[Any]:
        client = docker.from_env()
        try:
            found: list[Any] = client.containers.list(
                all=True, ignore_removed=True, filters={"label": f"{LABEL}={self.label}", **more}
            )
            return found
        finally:
            client.close()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.node.close()
        self._listener.close()
        for left in self.containers():
            # The node may have told the engine to remove it, just before it was killed.
            with suppress(docker.errors.APIError):
                left.remove(force=True)


@pytest.fixture
def service(tmp_path: Path, grader_image: str) -> Iterator[Service]:
    started = Service(tmp_path, grader_image)
    yield started
    started.close()


def test_killed_node_takes_its_containers_along_and_the_next_one_tidies_up(service: Service, package: Package) -> None:
    assert isinstance(service.next(), transport.Hello)
    ready(service)
    service.say(transport.Offer(a_job(package, SLOW), short=False))
    service.until(transport.Progress)
    service.process.kill()
    service.process.wait()
    until = time.monotonic() + 60
    while service.containers(status="running"):
        assert time.monotonic() < until, "the containers go on running without their node"
        time.sleep(0.1)
    dead = {each.id for each in service.containers()}
    service.node.close()
    service.start()
    ready(service)
    assert dead
    assert not dead & {each.id for each in service.containers()}
    judged = offer(service, package, package.reference)
    assert judged.judgement.verdict is Verdict.AC


def test_only_who_asks_for_a_trace_hears_how_long_each_stage_took(service: Service, package: Package) -> None:
    ready(service)
    offer(service, package, package.reference)
    trace = f"00-{'ab' * 16}-{'cd' * 8}-01"
    service.say(transport.Offer(a_job(package, SLOW), short=False, trace=trace))
    judged = service.until(transport.Judged).judgement
    # The first trace that arrives must be the trace of this job. The offer of the previous job did not ask for a trace.
    traced = service.until(transport.Traced)
    assert (traced.token, traced.trace) == (judged.token, trace)
    assert tuple(each.stage for each in traced.took) == transport.STAGES
    seconds = {each.stage: each.seconds for each in traced.took}
    assert judged.wall_s - 0.5 < seconds[transport.JUDGING] < judged.wall_s + 5
    assert min(seconds.values()) > 0


def test_what_a_killed_node_left_is_removed_without_a_next_one(service: Service, package: Package) -> None:
    ready(service)
    service.process.kill()
    service.process.wait()
    assert service.containers()
    assert service.clean_up() == 0
    assert service.containers() == []


@pytest.mark.parametrize("containers", [1, 2])
def test_node_that_is_terminated_while_it_warms_leaves_no_container(service: Service, containers: int) -> None:
    until = time.monotonic() + 60
    while len(service.containers()) < containers:
        assert time.monotonic() < until
        time.sleep(0.01)
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(30) == 0
    assert service.containers() == []


def test_drain_finishes_the_job_and_leaves_no_container(service: Service, package: Package) -> None:
    ready(service)
    service.say(transport.Offer(a_job(package, SLOW), short=False))
    service.until(transport.Progress)
    service.say(transport.Drain())
    judged = service.until(transport.Judged, transport.Fault, transport.Stopped)
    assert isinstance(judged, transport.Judged)
    assert judged.judgement.verdict is Verdict.AC
    assert service.process.wait(30) == 0
    assert service.containers() == []


def test_terminated_node_lets_go_of_its_job_and_leaves_no_container(service: Service, package: Package) -> None:
    ready(service)
    service.say(transport.Offer(a_job(package, SLOW), short=False))
    service.until(transport.Progress)
    service.process.send_signal(signal.SIGTERM)
    let_go = service.until(transport.Judged, transport.Fault, transport.Stopped)
    assert isinstance(let_go, transport.Stopped)
    assert service.process.wait(30) == 0
    assert service.containers() == []


def test_offer_of_an_unknown_version_is_a_fault_that_names_it(service: Service, package: Package) -> None:
    ready(service)
    job = msgspec.structs.replace(a_job(package, package.reference), digest="0" * 64)
    service.say(transport.Offer(job, short=False))
    fault = service.until(transport.Judged, transport.Fault, transport.Refused)
    assert isinstance(fault, transport.Fault)
    assert "000000000000" in fault.reason


def test_offer_to_a_busy_node_is_refused_and_cancelling_stops(service: Service, package: Package) -> None:
    ready(service)
    first, second = a_job(package, SLOW), a_job(package, SLOW)
    service.say(transport.Offer(first, short=False))
    service.until(transport.Progress)
    service.say(transport.Offer(second, short=False))
    refused = service.until(transport.Refused, transport.Judged)
    assert isinstance(refused, transport.Refused)
    assert refused.token == second.token
    service.say(transport.Cancel(first.id, first.token))
    stopped = service.until(transport.Stopped, transport.Judged)
    assert isinstance(stopped, transport.Stopped)
    assert offer(service, package, package.reference).judgement.verdict is Verdict.AC


def test_without_an_engine_a_node_says_why_and_refuses(tmp_path: Path, package: Package) -> None:
    service = Service(tmp_path, "gradus-grader:none", DOCKER_HOST=f"unix://{tmp_path}/nobody.sock")
    try:
        told = service.until(transport.Unavailable)
        while "being warmed" in told.reason:
            told = service.until(transport.Unavailable)
        assert "the Docker engine does not answer" in told.reason
        assert "make run" in told.reason
        service.say(transport.Offer(a_job(package, package.reference), short=False))
        refused = service.until(transport.Refused, transport.Fault, transport.Judged)
        assert isinstance(refused, transport.Refused)
        assert "the Docker engine does not answer" in refused.reason
    finally:
        service.process.kill()
        service.process.wait()
        service.node.close()
        service._listener.close()


def ready(service: Service) -> None:
    while True:
        message = service.until(transport.Ready)
        if message.any + message.short > 0:
            return


def offer(service: Service, package: Package, source: str) -> transport.Judged:
    service.say(transport.Offer(a_job(package, source), short=False))
    judged = service.until(transport.Judged, transport.Fault, transport.Refused)
    assert isinstance(judged, transport.Judged), judged
    return judged
