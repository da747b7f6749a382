"""Starts the containers that isolate jobs, through the Docker SDK. Each container runs one zygote. All containers use the same
image, which contains no challenges.
"""

import functools
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import docker
import docker.errors
import requests

from grader.contract.errors import CellLost, Unavailable
from grader.hosts import cgroup
from grader.hosts.container_options import LABEL, MOUNT, create, flags, knows_cdi
from grader.hosts.host import Isolation, Shape, await_zygote, listen
from grader.hosts.machine.tasks import Tree
from grader.hosts.uids import Uids
from grader.hosts.zygote_client import ZygoteClient

log = logging.getLogger(__name__)

END_S = 5
# To change a limit takes time, and with some engines a request. So a limit that would change by less than this stays as it is.
DRIFT_MB = 4
Number = TypeVar("Number", int, float)


class Container:
    """A running container with its zygote, accounting and limits."""

    def __init__(
        self,
        handle: Any,
        folder: Path,
        zygote: ZygoteClient,
        group: cgroup.Cgroup,
        shape: Shape,
        release: Callable[[], None],
    ) -> None:
        self._handle = handle
        self._folder = folder
        self._release = release
        self.zygote = zygote
        self.isolation: Isolation = "container" if zygote.isolation_problem() else "namespaces"
        self.pid: int = handle.attrs["State"]["Pid"]
        self._group = group
        self.workroot = "/tmp"
        self.data_bytes: int | None = None
        self._base_mb = group.memory_mb()
        self._spare_mb = shape.spare_mb
        self.device = shape.device
        self._limit_mb = 0
        self._oom_kills = 0

    def cpu_seconds(self) -> float:
        """Return the CPU time, in seconds, that all processes in the container have used so far."""
        return self._read(self._group.cpu_seconds)

    def runs(self) -> bool | None:
        """Return whether any process in the container is running or ready to run; None if the kernel does not show it."""
        return self._group.runs()

    def find(self, pid: int) -> Tree | None:
        """Find the process that has this pid in the container's own pid namespace."""
        return self._group.find(pid, self.pid)

    def oom_kills(self) -> int:
        """Return how many processes the kernel has killed so far for lack of memory. If it has killed the container's process
        1, which ends the container, that counts too.
        """
        with suppress(CellLost):
            self._oom_kills = self._read(self._group.oom_kills)
            return self._oom_kills
        return self._oom_kills + int(self._ended_by_oom())

    def read_idle_memory(self) -> None:
        """Read how much memory the idle zygote uses. Call this while no job's process exists.

        This changes: if a job needs all of its memory, the kernel gives back its caches. A job must not get less memory, or be
        said to use more, because of the jobs before it.
        """
        self._base_mb = self._read(self._group.memory_mb)

    def peak_mb(self) -> float:
        """Return the job's largest memory use since `reset_peak`, in MiB, without the memory that the idle zygote uses."""
        return max(0.0, self._read(self._group.peak_mb) - self._base_mb)

    def prepare(self, memory_mb: int) -> None:
        """Set the container's memory limit: the memory of the idle zygote, plus `memory_mb` for the job, plus `spare_mb`."""
        limit = int(self._base_mb) + memory_mb + self._spare_mb
        if abs(limit - self._limit_mb) > DRIFT_MB:
            try:
                self._group.limit_memory(limit)
            except OSError:
                self._handle.update(mem_limit=f"{limit}m", memswap_limit=f"{limit}m")
            self._limit_mb = limit

    def reset_peak(self) -> bool:
        """Reset the value that `peak_mb` returns. Returns whether the kernel can do that."""
        return self._group.reset_peak()

    def alive(self) -> bool:
        """Return whether the zygote still answers."""
        return self.zygote.answers()

    def destroy(self) -> None:
        """Remove the container and its files."""
        self.zygote.close()
        self._group.close()
        with suppress(docker.errors.APIError, docker.errors.NotFound, requests.RequestException):
            self._handle.remove(force=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._release()

    def _read(self, read: Callable[[], Number]) -> Number:
        try:
            return read()
        except OSError as error:
            raise CellLost(f"the container is gone: {error}") from error

    def _ended_by_oom(self) -> bool:
        with suppress(docker.errors.DockerException, requests.RequestException):
            self._handle.wait(timeout=END_S)
            self._handle.reload()
            return bool(self._handle.attrs["State"]["OOMKilled"])
        return False


class Engine:
    """Starts containers with Docker. If that is not possible, raises Unavailable with a message that says what to do."""

    def __init__(self, *, image: str, label: str, cpu_shares: int = cgroup.SHARES) -> None:
        self._image = image
        self._label = label
        self._shares = cpu_shares
        self._parent: str | None = None
        self._judges = False
        self._client: Any = None
        self._uids: Uids | None = None

    def connect(self) -> None:
        """Connect to the engine, check that the image exists, and remove stopped containers of nodes that were killed."""
        try:
            self._client = docker.from_env(timeout=30)
            self._client.ping()
            self._client.images.get(self._image)
        except docker.errors.ImageNotFound:
            raise Unavailable(f"the image {self._image} is missing: run `make image`") from None
        except (docker.errors.DockerException, requests.RequestException) as error:
            raise Unavailable(
                f"the Docker engine does not answer ({_short(error)}): start it, or run `make run`"
            ) from None
        self._uids = self._uids or Uids()
        self._remove(label=LABEL, status=["exited", "dead"])
        self._parent = self._group()
        self._judges = False

    def _group(self) -> str | None:
        """Return the name of the parent cgroup of this node's containers, which contains their CPU weight. Returns None if the
        containers have the default weight, or if the node is not root.
        """
        if self._shares == cgroup.SHARES or os.getuid() != 0:
            return None
        # systemd reads «a-b.slice» as slice b inside slice a, so the name contains no dash.
        driver = self._client.info().get("CgroupDriver")
        return f"gradus{self._shares}.slice" if driver == "systemd" else f"/gradus{self._shares}"

    def remove_leftovers(self) -> None:
        """Remove the containers and socket folders that an earlier node with this label left behind.

        This node's own containers have the same label. So call this only before the first start, or after all containers of
        this node have ended.
        """
        if self._client is not None:
            self._remove(label=f"{LABEL}={self._label}")
            for folder in Path(_runtime_folder() or tempfile.gettempdir()).glob(f"{folder_prefix(self._label)}*"):
                shutil.rmtree(folder, ignore_errors=True)

    def _remove(self, **which: str | list[str]) -> None:
        with suppress(docker.errors.DockerException, requests.RequestException):
            # `ignore_removed` is set because another node may remove one of its containers while this list is read.
            for old in self._client.containers.list(all=True, filters=which, ignore_removed=True):
                with suppress(docker.errors.APIError):
                    old.remove(force=True)
                    _remove_folders(old)

    def start(self, shape: Shape) -> Container:
        """Start a container and wait until its zygote is warm. Raises Unavailable."""
        assert self._uids is not None, "call connect() first"
        uid = self._uids.take()
        release = functools.partial(self._uids.give_back, uid)
        try:
            return self._start(shape, uid, release)
        except BaseException:
            release()
            raise

    def _start(self, shape: Shape, uid: int, release: Callable[[], None]) -> Container:
        # The container's processes must be able to enter the folder. Only root can give it to them; otherwise other accounts of
        # this machine can enter it too.
        folder = Path(tempfile.mkdtemp(prefix=folder_prefix(self._label), dir=_runtime_folder()))
        if os.getuid() == 0:
            os.chown(folder, uid, uid)
        else:
            folder.chmod(0o755)
        handle = None
        cdi = bool(shape.gpu) and knows_cdi(self._client.info(), shape.gpu)
        arguments = flags(shape, image=self._image, folder=folder, label=self._label, uid=uid, cdi=cdi)
        listener = None
        try:
            listener = listen(folder / "control.sock")
            handle = create(self._client, {**arguments, "cgroup_parent": self._parent})
            handle.start()
            handle.reload()
            pid = handle.attrs["State"]["Pid"]
            group = _group_of(pid, handle)
            self._weigh(pid)
            control = await_zygote(listener, lambda: _state(handle), group)
            self._judges = self._judges or shape.role == "cell"
            self._weigh(pid)
            return Container(handle, folder, ZygoteClient(control, group), group, shape, release)
        except (docker.errors.DockerException, requests.RequestException, OSError) as error:
            self._clean_up(handle, folder)
            raise Unavailable(f"a container could not be started: {_short(error)}") from error
        finally:
            if listener is not None:
                listener.close()

    def _weigh(self, pid: int) -> None:
        """Set the CPU weight of the node's containers. Until the first cell is warm, the containers keep the default weight,
        because jobs may be waiting for that cell.
        """
        if self._parent:
            _weigh(pid, self._shares if self._judges else cgroup.SHARES)

    def _clean_up(self, handle: Any, folder: Path) -> None:
        if handle is not None:
            with suppress(docker.errors.DockerException, requests.RequestException):
                handle.remove(force=True)
        shutil.rmtree(folder, ignore_errors=True)


def _group_of(pid: int, handle: Any) -> cgroup.Cgroup:
    """Return the cgroup of a container. If the container has already ended, raises OSError with the last line of its output."""
    try:
        return cgroup.of_process(pid)
    except OSError as error:
        raise OSError(_state(handle) or str(error)) from error


def _weigh(pid: int, shares: int) -> None:
    try:
        cgroup.weigh_parent(pid, shares)
    except OSError as error:  # Cells slow down other programs then, but jobs are still judged.
        log.warning("the cells cannot be given %d of %d CPU shares: %s", shares, cgroup.SHARES, error)


def folder_prefix(label: str) -> str:
    """Return the prefix of the names of a node's socket folders. If a node leaves folders behind, the next node with the same
    label finds them by this prefix.
    """
    return f"gradus-{hashlib.sha256(label.encode()).hexdigest()[:10]}-"


def _runtime_folder() -> str | None:
    return next((path for path in ("/run", os.environ.get("XDG_RUNTIME_DIR", "")) if os.access(path, os.W_OK)), None)


def _remove_folders(handle: Any) -> None:
    """Remove the socket folder of a container whose node was killed."""
    for mount in handle.attrs.get("Mounts", []):
        if mount.get("Destination") == MOUNT:
            shutil.rmtree(mount["Source"], ignore_errors=True)


def _state(handle: Any) -> str:
    """Return an empty string while the container runs, otherwise the last line of its output."""
    handle.reload()
    if handle.attrs["State"]["Running"]:
        return ""
    lines = handle.logs(tail=20).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it ended without output"


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
