"""Tests the isolation by running grader/doctor/probe.py in a temporary container. The container has the options of a cell (the
container that runs candidates' code), but smaller limits."""

import json
import os
import shutil
import socket
import tempfile
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import docker.errors
import requests

from grader.contract.errors import Unavailable
from grader.doctor import probe
from grader.hosts import cgroup
from grader.hosts.apparmor import has_apparmor
from grader.hosts.container_options import MOUNT, create, flags
from grader.hosts.host import Shape
from grader.hosts.uids import BASE

SHAPE = Shape("cell", memory_mb=48, pids=24, cpus=0, tmp_mb=2, shm_mb=1)
INODES = {"/tmp": 4096, "/dev/shm": 1024}
UID = BASE - 1
"""Next to the blocks that nodes hand out from, so that no job has it."""
BURN_S = 0.05
START_S = 20.0
TRY_S = 20.0


@dataclass(frozen=True)
class Measured:
    """Measurements. `inside` contains those of the probe in the container; the other fields were measured on the host.

    `version` is the version of the cgroup hierarchy. `limit_moves` says whether the memory limit of a running container could
    be changed, `apparmor` whether the engine gives containers an AppArmor profile. `clock_s` is the difference between the
    container's clock and the host's, in seconds.
    """

    inside: dict[str, Any]
    cpu_s: float
    oom_kills: int
    version: int
    limit_moves: bool
    clock_s: float
    apparmor: bool


def measure(image: str, weaker: Mapping[str, Any] | None = None, client: Any = None) -> Measured:
    """Run all tests of the probe in one fresh container. `weaker` replaces arguments of `docker create`, so that tests of this
    package can weaken the isolation.

    Raises Unavailable if the container cannot be started or the probe does not answer.
    """
    folder = Path(tempfile.mkdtemp(prefix="gradus-probe-", dir=_folder()))
    folder.chmod(0o755)  # the probe runs as an ordinary uid
    handle, own = None, None
    try:
        client = client or (own := docker.from_env(timeout=30))
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(str(folder / "probe.sock"))
            (folder / "probe.sock").chmod(0o666)
            listener.listen(1)
            handle = create(client, {**_arguments(image, folder), **(weaker or {})})
            return _listen(handle, listener, confined=has_apparmor(client.info()))
    except (docker.errors.DockerException, requests.RequestException, OSError, ValueError) as error:
        raise Unavailable(f"the probe's container did not run: {_short(error)}") from error
    finally:
        if handle is not None:
            with suppress(docker.errors.DockerException, requests.RequestException):
                handle.remove(force=True)
        if own is not None:
            own.close()
        shutil.rmtree(folder, ignore_errors=True)


def _arguments(image: str, folder: Path) -> dict[str, Any]:
    order = {
        "socket": f"{MOUNT}/probe.sock",
        "memory": SHAPE.memory_mb << 20,
        "pids": SHAPE.pids,
        "tmpfs": {"/tmp": [SHAPE.tmp_mb << 20, INODES["/tmp"]], "/dev/shm": [SHAPE.shm_mb << 20, INODES["/dev/shm"]]},
        "burn_s": BURN_S,
    }
    source = Path(probe.__file__).read_text()
    # The label is unique, because a node that starts removes all containers that have the node's label.
    label = f"doctor-{uuid.uuid4().hex[:8]}"
    hardened = flags(SHAPE, image=image, folder=folder, label=label, uid=UID)
    return {**hardened, "command": ["python3", "-I", "-S", "-c", source, json.dumps(order)]}


def _listen(handle: Any, listener: socket.socket, *, confined: bool) -> Measured:
    """Start the container and let the probe run. Reads the container's CPU time and OOM kills before and after the run.
    `confined` says whether the engine gives it an AppArmor profile.
    """
    handle.start()
    connection = _accept(handle, listener)
    with connection, connection.makefile("rb") as lines:
        connection.settimeout(TRY_S)
        lines.readline()
        handle.reload()
        group = cgroup.of_process(handle.attrs["State"]["Pid"])
        try:
            before, kills = group.cpu_seconds(), group.oom_kills()
            connection.sendall(b"\n")
            inside = json.loads(lines.readline() or b"null")
            now = time.time()
            if not isinstance(inside, dict):
                raise OSError(f"the probe ended without a result; {_last_words(handle)}")
            return Measured(
                inside=inside,
                cpu_s=group.cpu_seconds() - before,
                oom_kills=group.oom_kills() - kills,
                version=group.version,
                limit_moves=_moves(group),
                clock_s=abs(now - inside["clock"]),
                apparmor=confined,
            )
        finally:
            group.close()


def _accept(handle: Any, listener: socket.socket) -> socket.socket:
    listener.settimeout(0.5)
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        with suppress(TimeoutError):
            return listener.accept()[0]
        handle.reload()
        if not handle.attrs["State"]["Running"]:
            break
    raise OSError(f"the probe did not start; {_last_words(handle)}")


def _last_words(handle: Any) -> str:
    lines = handle.logs(tail=5).decode(errors="replace").strip().splitlines()
    return f"it printed: {lines[-1]}" if lines else "it printed nothing"


def _moves(group: cgroup.Cgroup) -> bool:
    """Return whether the memory limit of the running container can be raised and lowered. Nodes do this for each job."""
    try:
        group.limit_memory(SHAPE.memory_mb * 2)
        group.limit_memory(SHAPE.memory_mb)
    except OSError:
        return False
    return True


def _folder() -> str | None:
    return next((path for path in ("/run", os.environ.get("XDG_RUNTIME_DIR", "")) if os.access(path, os.W_OK)), None)


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
