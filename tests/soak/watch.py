"""Watches the service during a soak: records the memory of its processes, and checks at the end that no container, process
or folder is left.
"""

import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import docker

from grader.hosts.containers import folder_prefix
from tests.soak import kernel
from tests.soak.ground import Ground
from tests.soak.stage import LABEL, wait_until

EVERY_S = 1.5
GONE_WITHIN_S = 20.0
FOLDERS = Path("/run")


@dataclass
class Memory:
    """The memory that a process holds over time, in MiB. Short peaks are left out.

    Checking a password takes 64 MiB for a fraction of a second (argon2id). So each value in `seen` is the smaller one of two
    consecutive samples.
    """

    role: str
    pid: int
    seen: list[float] = field(default_factory=list)
    _last: float | None = None

    def look(self, megabytes: float) -> None:
        """Add a sample."""
        if self._last is not None:
            self.seen.append(min(megabytes, self._last))
        self._last = megabytes

    @property
    def growth_mb(self) -> float:
        """By how much the memory has grown: the largest value in the second half of the samples minus the largest in the first
        half.
        """
        half = len(self.seen) // 2
        return max(self.seen[half:]) - max(self.seen[: half or 1])


class Watch:
    """Takes samples of memory in a thread until it is stopped."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.memory: dict[int, Memory] = {}
        self.containers: set[str] = set()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(EVERY_S):
            self.containers |= set(self._ground.container_ids())
            for role, pid in self._ground.processes():
                if megabytes := kernel.resident_mb(pid):
                    self.memory.setdefault(pid, Memory(role, pid)).look(megabytes)

    def looked_at(self) -> list[Memory]:
        """Return the memory of each process that ran long enough for two samples."""
        return [each for each in self.memory.values() if each.seen]

    def left_behind(self) -> list[str]:
        """Describe the containers, processes and folders that are left after the service has ended.

        Wait up to GONE_WITHIN_S seconds for them to disappear.
        """
        found: list[str] = []

        def none_left() -> bool:
            found[:] = [*self._containers_left(), *self._processes_left(), *self._folders_left()]
            return not found

        wait_until(none_left, GONE_WITHIN_S)
        return found

    def _containers_left(self) -> list[str]:
        found = []
        for label in self._ground.labels:
            with closing(docker.from_env()) as engine:
                found += engine.api.containers(all=True, filters={"label": f"{LABEL}={label}"})
        return [f"container {each['Id'][:12]} ({each['Status']})" for each in found]

    def _processes_left(self) -> list[str]:
        home = str(self._ground.home)
        found = []
        for pid in kernel.processes():
            groups = kernel.control_groups(pid)
            if home in kernel.command_line(pid) or any(each in groups for each in self.containers):
                found.append(f"process {pid}: {kernel.command_line(pid)[:80]}")
        return found

    def _folders_left(self) -> list[str]:
        """Return the socket folders of the nodes' containers that still exist."""
        prefixes = [folder_prefix(label) for label in self._ground.labels]
        return [f"folder {path}" for prefix in prefixes for path in FOLDERS.glob(f"{prefix}*")]
