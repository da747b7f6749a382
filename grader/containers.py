"""Hardened containers over the Docker SDK: one zygote each, from one challenge-agnostic image."""

import hashlib
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import docker
import docker.errors
import requests

from grader import cgroup
from grader.errors import CellLost, Unavailable
from grader.hardening import LABEL, MOUNT, flags, knows_cdi
from grader.hosts import Shape, await_zygote, listen
from grader.zygote_client import ZygoteClient

log = logging.getLogger(__name__)

END_S = 5
Number = TypeVar("Number", int, float)


class Container:
    """A running container with its zygote, accounts and limits."""

    def __init__(self, handle: Any, folder: Path, zygote: ZygoteClient, group: cgroup.Cgroup, shape: Shape) -> None:
        self._handle = handle
        self._folder = folder
        self.zygote = zygote
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
        """CPU time of everything in the container so far."""
        return self._read(self._group.cpu_seconds)

    def oom_kills(self) -> int:
        """Processes killed for lack of memory so far; one more than counted if the container itself ended so."""
        with suppress(CellLost):
            self._oom_kills = self._read(self._group.oom_kills)
            return self._oom_kills
        return self._oom_kills + int(self._ended_by_oom())

    def peak_mb(self) -> float:
        """Largest memory of the job so far, the zygote's own not counted."""
        return max(0.0, self._read(self._group.peak_mb) - self._base_mb)

    def prepare(self, memory_mb: int) -> None:
        """Set the job's memory limit (on top of the zygote's own)."""
        limit = int(self._base_mb) + memory_mb + self._spare_mb
        if limit != self._limit_mb:
            try:
                self._group.limit_memory(limit)
            except OSError:
                self._handle.update(mem_limit=f"{limit}m", memswap_limit=f"{limit}m")
            self._limit_mb = limit

    def reset_peak(self) -> None:
        """Start a new peak."""
        self._group.reset_peak()

    def alive(self) -> bool:
        """Whether the zygote still runs."""
        return self.zygote.answers()

    def destroy(self) -> None:
        """End it and leave nothing behind."""
        self.zygote.close()
        self._group.close()
        with suppress(docker.errors.APIError, docker.errors.NotFound, requests.RequestException):
            self._handle.remove(force=True)
        shutil.rmtree(self._folder, ignore_errors=True)

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
    """The Docker engine as the node uses it. Raises Unavailable, with what to do, when it cannot be used."""

    own_uids = True

    def __init__(self, *, image: str, label: str, cpu_shares: int = cgroup.SHARES) -> None:
        self._image = image
        self._label = label
        self._shares = cpu_shares
        self._parent: str | None = None
        self._client: Any = None
        self._floor: bool | None = None
        self._lock = threading.Lock()

    def connect(self) -> None:
        """Reach the engine, look for the image, and remove dead containers: killed nodes and engines leave them."""
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
        self._remove(label=LABEL, status=["exited", "dead"])
        self._parent = self._group()

    def _group(self) -> str | None:
        """The control group of all containers that weigh so much on this host; None where they weigh what all others do."""
        if self._shares == cgroup.SHARES or os.getuid() != 0:
            return None
        # systemd reads a dash in a slice's name as a folder.
        driver = self._client.info().get("CgroupDriver")
        return f"gradus{self._shares}.slice" if driver == "systemd" else f"/gradus{self._shares}"

    def remove_leftovers(self) -> None:
        """Remove what a node of this name left: its containers, and folders that have none (any more). Only before the
        first start, or after everything of one's own has ended.
        """
        if self._client is not None:
            self._remove(label=f"{LABEL}={self._label}")
            for folder in Path(_runtime_folder() or tempfile.gettempdir()).glob(f"{folder_prefix(self._label)}*"):
                shutil.rmtree(folder, ignore_errors=True)

    def _remove(self, **which: str | list[str]) -> None:
        with suppress(docker.errors.DockerException, requests.RequestException):
            # ignore_removed: another node's container may go while we look, and must not keep us from ours.
            for old in self._client.containers.list(all=True, filters=which, ignore_removed=True):
                with suppress(docker.errors.APIError):
                    old.remove(force=True)
                    _remove_folders(old)

    def start(self, shape: Shape) -> Container:
        """A new container whose zygote is warm. Raises Unavailable."""
        with self._lock:
            if self._floor is None:
                self._floor = self._can_grant_floor(shape)
        return self._start(shape, floor=self._floor)

    def _can_grant_floor(self, shape: Shape) -> bool:
        """Whether containers may have SYS_RESOURCE here: an engine that lacks it cannot start them."""
        try:
            self._start(shape, floor=True).destroy()
        except Unavailable as error:
            if "caps" not in str(error) and "capabilit" not in str(error):
                raise
            return False
        return True

    def _start(self, shape: Shape, *, floor: bool) -> Container:
        # Root inside has no DAC_OVERRIDE: it must be able to enter the folder of a node that is not root.
        folder = Path(tempfile.mkdtemp(prefix=folder_prefix(self._label), dir=_runtime_folder()))
        folder.chmod(0o700 if os.getuid() == 0 else 0o755)
        handle = None
        cdi = bool(shape.gpu) and knows_cdi(self._client.info(), shape.gpu)
        arguments = flags(shape, image=self._image, folder=folder, label=self._label, floor=floor, cdi=cdi)
        listener = None
        try:
            listener = listen(folder / "control.sock")
            handle = self._client.containers.create(**arguments, cgroup_parent=self._parent)
            handle.start()
            control = await_zygote(listener, lambda: _state(handle))
            handle.reload()
            pid = handle.attrs["State"]["Pid"]
            if self._parent:
                _weigh(pid, self._shares)
            return Container(handle, folder, ZygoteClient(control), cgroup.of_process(pid), shape)
        except (docker.errors.DockerException, requests.RequestException, OSError) as error:
            self._clean_up(handle, folder)
            raise Unavailable(f"a container could not be started: {_short(error)}") from error
        finally:
            if listener is not None:
                listener.close()

    def _clean_up(self, handle: Any, folder: Path) -> None:
        if handle is not None:
            with suppress(docker.errors.DockerException, requests.RequestException):
                handle.remove(force=True)
        shutil.rmtree(folder, ignore_errors=True)


def _weigh(pid: int, shares: int) -> None:
    try:
        cgroup.weigh_parent(pid, shares)
    except OSError as error:  # they judge as well as before, only not behind everybody else
        log.warning("the cells cannot be given %d of %d CPU shares: %s", shares, cgroup.SHARES, error)


def folder_prefix(label: str) -> str:
    """How the folders of a node's control sockets begin, so that the next node of the same label knows them."""
    return f"gradus-{hashlib.sha256(label.encode()).hexdigest()[:10]}-"


def _runtime_folder() -> str | None:
    return next((path for path in ("/run", os.environ.get("XDG_RUNTIME_DIR", "")) if os.access(path, os.W_OK)), None)


def _remove_folders(handle: Any) -> None:
    """The folder of a control socket outlives a node that was killed."""
    for mount in handle.attrs.get("Mounts", []):
        if mount.get("Destination") == MOUNT:
            shutil.rmtree(mount["Source"], ignore_errors=True)


def _state(handle: Any) -> str:
    """Empty while the container runs, else the last line it printed: the exception's name and text."""
    handle.reload()
    if handle.attrs["State"]["Running"]:
        return ""
    lines = handle.logs(tail=20).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it ended without a word"


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
