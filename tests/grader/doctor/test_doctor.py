"""Checks `gradus doctor`. All its checks must pass on this host. If a test removes a protection of the containers, `gradus
doctor` must report that, and a node must refuse to serve.
"""

import contextlib
import dataclasses
import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import docker
import pytest
from rich.console import Console
from typer.testing import CliRunner

from grader.content.package import load
from grader.contract import transport
from grader.contract.errors import Unavailable
from grader.doctor import host
from grader.doctor.cli import app
from grader.doctor.container import SHAPE, Measured, measure
from grader.doctor.findings import Finding, Group, State, as_data, exit_code
from grader.doctor.isolation import findings
from grader.doctor.isolation_check import IsolationCheck
from grader.doctor.page import show
from grader.hosts.container_options import LABEL, flags
from grader.hosts.containers import Engine
from grader.judging.workbench import a_job
from grader.node.node import Node
from grader.node.settings import Settings
from tests.grader.node_messages import next_from_node

pytestmark = pytest.mark.docker
ROOT = Path(__file__).parents[3]
PACKAGES = ROOT / "tests/attacks/package"
WHOLE = flags(SHAPE, image="", folder=Path("/"), label="", uid=1)
NNP, PROFILE = WHOLE["security_opt"]
NO_CORE_LIMIT = docker.types.Ulimit(name="core", soft=-1, hard=-1)

# For each protection that a test removes: the key of the only finding that must then fail, and the container options that
# remove the protection.
WEAKER: dict[str, tuple[str, Mapping[str, Any]]] = {
    "no filter": ("seccomp", {"security_opt": [NNP, "seccomp=unconfined"]}),
    "the engine's own filter": ("seccomp", {"security_opt": [NNP]}),
    "privileges can be gained": ("privileges", {"security_opt": [PROFILE]}),
    "one capability more": ("capabilities", {"cap_add": ["NET_RAW"]}),
    "all that Docker gives": ("capabilities", {"cap_drop": [], "cap_add": []}),
    "writable root": ("root", {"read_only": False}),
    "the host's network": ("network", {"network_mode": "host", "hostname": None}),
    "no memory limit": ("memory", {"mem_limit": None, "memswap_limit": None}),
    "no process limit": ("processes", {"pids_limit": -1}),
    "tmpfs without a size": ("tmpfs", {"tmpfs": {**WHOLE["tmpfs"], "/tmp": "mode=1777,noexec,nr_inodes=4096"}}),
    "tmpfs without a number of files": ("tmpfs", {"tmpfs": {**WHOLE["tmpfs"], "/tmp": "mode=1777,noexec,size=2m"}}),
    "tmpfs whose files run": (
        "tmpfs",
        {"tmpfs": {**WHOLE["tmpfs"], "/dev/shm": "nr_inodes=1024,mode=1777,exec,size=1m"}},
    ),
    "core dumps": ("cores", {"ulimits": [NO_CORE_LIMIT]}),
}


def failed(found: list[Finding]) -> list[str]:
    return [each.key for each in found if each.state is not State.OK]


@pytest.fixture(scope="module")
def measured(grader_image: str) -> Measured:
    return measure(grader_image)


def test_every_wall_holds_here(measured: Measured) -> None:
    found = findings(measured)
    assert [each for each in found if each.state is not State.OK] == []
    assert {key for key, _ in WEAKER.values()} <= {each.key for each in found}
    assert len(found) == 13


@pytest.mark.parametrize("name", WEAKER)
def test_one_wall_less_is_noticed_by_its_own_line_and_nothing_is_served(name: str, grader_image: str) -> None:
    key, weaker = WEAKER[name]
    found = findings(measure(grader_image, weaker))
    assert [each.key for each in found if each.state is State.FAILED] == [key]
    (line,) = [each for each in found if each.key == key]
    assert line.state is State.FAILED
    assert line.advice
    with pytest.raises(Unavailable, match="does not isolate") as refused:
        IsolationCheck(grader_image, weaker).check()
    assert line.title.lower() in str(refused.value)
    assert "gradus doctor" in str(refused.value)


class Creating:
    """An engine client that applies `change` to the configuration of each new container, and lists the containers in `made`."""

    def __init__(self, change: Callable[[dict[str, Any]], None] = lambda config: None) -> None:
        self.client = docker.from_env()
        self._create = self.client.api.create_container_from_config
        self._change = change
        self.made: list[tuple[str, Path]] = []
        self.client.api.create_container_from_config = self._made

    def _made(self, config: dict[str, Any], *rest: Any) -> Any:
        self._change(config)
        answer = self._create(config, *rest)
        self.made.append((answer["Id"], Path(config["HostConfig"]["Mounts"][0]["Source"])))
        return answer


def test_nothing_is_left_of_a_probe(grader_image: str) -> None:
    watched = Creating()
    with contextlib.closing(watched.client):
        measure(grader_image, client=watched.client)
        ((container, folder),) = watched.made
        assert not folder.exists()
        with pytest.raises(docker.errors.NotFound):
            watched.client.containers.get(container)


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("cpu", {"cpu_s": 0.001}),
        ("memory", {"oom_kills": 0}),
        ("memory", {"limit_moves": False}),
        ("clock", {"clock_s": 3600.0}),
    ],
)
def test_accounts_that_say_nothing_are_noticed(measured: Measured, key: str, change: dict[str, Any]) -> None:
    assert failed(findings(dataclasses.replace(measured, **change))) == [key]


@pytest.mark.parametrize(("before", "fine"), [([], True), (["setarch", os.uname().machine, "-R"], False)])
def test_the_same_addresses_at_every_start_are_noticed(before: list[str], fine: bool) -> None:
    look = "from grader.doctor.isolation import aslr; print(aslr()[0])"
    said = subprocess.run([*before, sys.executable, "-c", look], cwd=ROOT, check=True, capture_output=True, text=True)
    assert said.stdout.strip() == str(fine)


# ------------------------------------------------------------------------------------------------ the node


class Service:
    """A node in this process, and the service's end of its connection."""

    def __init__(self, image: str, gate: Callable[[], None]) -> None:
        ours, theirs = socket.socketpair()
        self.connection = ours
        settings = Settings(name="gated", packages=PACKAGES, kept=PACKAGES / "none", slots=1, spares=1, image=image)
        self._node = Node(settings, Engine(image=image, label=f"gated-{os.getpid()}"), theirs, gate)
        self._thread = threading.Thread(target=self._node.serve)
        self._thread.start()

    def said(self) -> Iterator[transport.FromNode]:
        self.connection.settimeout(60)
        while True:
            yield next_from_node(self.connection)

    def end(self) -> None:
        self.connection.close()
        self._thread.join(60)


@pytest.fixture
def service(grader_image: str) -> Iterator[Callable[[Callable[[], None]], Service]]:
    made: list[Service] = []

    def make(gate: Callable[[], None]) -> Service:
        made.append(Service(grader_image, gate))
        return made[-1]

    yield make
    for each in made:
        each.end()


def test_a_node_on_a_weak_host_says_why_and_refuses(
    service: Callable[[Callable[[], None]], Service], grader_image: str
) -> None:
    node = service(IsolationCheck(grader_image, WEAKER["no memory limit"][1]).check)
    said = node.said()
    reason = next(m.reason for m in said if isinstance(m, transport.Unavailable) and "isolate" in m.reason)
    assert "memory limit (a process took 144 MB where 48 are allowed)" in reason
    job = a_job(load(PACKAGES / "hostile" / "attention"), "def attention(q, k, v):\n    return v\n")
    node.connection.sendall(transport.pack(transport.Offer(job, short=False)))
    answers = (m for m in said if not isinstance(m, transport.Heartbeat | transport.Accepted))
    answer = next(answers)
    assert isinstance(answer, transport.Refused), answer
    assert "does not isolate" in answer.reason


def test_a_node_on_this_host_serves(service: Callable[[Callable[[], None]], Service], grader_image: str) -> None:
    said = service(IsolationCheck(grader_image).check).said()
    assert next(m for m in said if isinstance(m, transport.Ready)).any == 1


def test_a_gate_looks_once_and_remembers(grader_image: str) -> None:
    gate = IsolationCheck(grader_image)
    gate.check()
    gate._image = "no-such-image:at-all"
    gate.check()
    with pytest.raises(Unavailable, match="did not run"):
        IsolationCheck("no-such-image:at-all").check()


# ------------------------------------------------------------------------------------------------ the page


def test_the_command_passes_this_host(grader_image: str) -> None:
    said = CliRunner().invoke(app, ["--json", "--image", grader_image])
    data = json.loads(said.stdout)
    assert [row for row in data["findings"] if row["state"] in ("failed", "unseen")] == []
    assert (said.exit_code, data["exit_code"]) == (0, 0)
    assert {row["group"] for row in data["findings"]} == {group.name.lower() for group in Group}
    with contextlib.closing(docker.from_env()) as client:
        assert client.containers.list(all=True, filters={"label": f"{LABEL}=doctor"}) == []


def test_without_an_engine_it_could_not_look() -> None:
    command = [sys.executable, "-c", "from grader.doctor.cli import app; app()", "--json"]
    nowhere = {**os.environ, "DOCKER_HOST": "unix:///nowhere/docker.sock"}
    said = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    rows = json.loads(said.stdout)["findings"]
    assert {row["key"] for row in rows if row["state"] == "unseen"} == {"engine", "isolation"}


def test_a_missing_image_and_one_without_our_code() -> None:
    assert CliRunner().invoke(app, ["--image", "no-such-image:at-all"]).exit_code == 2
    with contextlib.closing(docker.from_env()) as client:
        runtime = client.images.list("gradus-runtime")[0].tags[0]
    said = CliRunner().invoke(app, ["--json", "--image", runtime])
    rows = json.loads(said.stdout)["findings"]
    assert [row["key"] for row in rows if row["state"] == "failed"] == ["code"]
    assert "no code" in next(row["measured"] for row in rows if row["key"] == "namespaces")
    assert said.exit_code == 1


def a_page() -> list[Finding]:
    return [
        Finding(Group.ENGINE, "engine", "Docker Engine", State.OK, "28.0 (API 1.48), runtime runc, cgroup v2"),
        Finding(
            Group.ISOLATION, "memory", "Memory limit", State.FAILED, "it took " + "more " * 30, "do " + "this " * 40
        ),
        Finding(Group.SPEED, "smt", "Hyper-threads", State.WARNING, "on", "turn them off"),
        Finding(Group.GPU, "gpu", "NVIDIA", State.UNSEEN, "?"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_page_fits_eighty_columns_without_colour(encoding: str) -> None:
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding=encoding), width=80, highlight=False)
    show(console, a_page())
    console.file.flush()
    text = raw.getvalue().decode(encoding)
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    mark = "✗" if encoding == "utf-8" else "x"
    assert f"  {mark}  Memory limit        it took" in text
    assert "1 ok, 1 warning, 1 failed, 1 not checked." in text.replace("\n", " ")


@pytest.mark.parametrize(
    ("states", "code"),
    [([State.OK, State.WARNING], 0), ([State.OK, State.FAILED], 1), ([State.FAILED, State.UNSEEN], 2)],
)
def test_exit_codes(states: list[State], code: int) -> None:
    found = [Finding(Group.HOST, "key", "Title", state, "") for state in states]
    assert exit_code(found) == as_data(found)["exit_code"] == code


@pytest.mark.parametrize(
    ("release", "fine"),
    [
        ("6.18.44-cloud", True),
        ("5.10.102", True),
        ("5.10.101-13-amd64", False),
        ("5.15.25", True),
        ("5.13.0-52-generic", False),
        ("5.16.10", False),
        ("5.17.0", True),
        ("4.19.0-27-amd64", False),
        ("7.0-rc1", True),
    ],
)
def test_known_kernels(release: str, fine: bool) -> None:
    assert host.kernel(release)[0] is fine
