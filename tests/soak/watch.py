"""What is seen of the service's processes and containers while it runs: memory, and what must be gone at the end."""

import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import docker

from grader.containers import folder_prefix
from tests.soak import kernel
from tests.soak.ground import Ground
from tests.soak.stage import LABEL, wait_until

EVERY_S = 1.5
GONE_WITHIN_S = 20.0
FOLDERS = Path("/run")


@dataclass
class Memory:
    """Own memory of one process over time, in MiB: what it holds, not what it takes for a moment.

    Each password that is checked takes 64 MiB for a fraction of a second (argon2id); only what two looks in a row
    have found counts.
    """

    role: str
    pid: int
    seen: list[float] = field(default_factory=list)
    _last: float | None = None

    def look(self, megabytes: float) -> None:
        """Take down one reading."""
        if self._last is not None:
            self.seen.append(min(megabytes, self._last))
        self._last = megabytes

    @property
    def growth_mb(self) -> float:
        """From the highest of the first half of its life, warm-up included, to the highest of the second."""
        half = len(self.seen) // 2
        return max(self.seen[half:]) - max(self.seen[: half or 1])


class Watch:
    """Samples until it is told to stop."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.memory: dict[int, Memory] = {}
        self.containers: set[str] = set()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(EVERY_S):
            self.containers |= set(self._ground.container_ids())
            for role, pid in self._ground.processes():
                if megabytes := kernel.resident_mb(pid):
                    self.memory.setdefault(pid, Memory(role, pid)).look(megabytes)

    def looked_at(self) -> list[Memory]:
        """The processes that lived long enough for two looks."""
        return [each for each in self.memory.values() if each.seen]

    def left_behind(self) -> list[str]:
        """What is still there although the service has ended, in words; things that end by themselves get a moment."""
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
        """Folders in which this node's zygotes were reached."""
        prefixes = [folder_prefix(label) for label in self._ground.labels]
        return [f"folder {path}" for prefix in prefixes for path in FOLDERS.glob(f"{prefix}*")]
