"""Reads and writes the cgroup files of containers (accounting, limits and weights of CPU and memory), in versions 1 and 2."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.hosts.machine import tasks

ROOT = Path("/sys/fs/cgroup")
# The kernel's default CPU weight of a cgroup: `cpu.shares` in version 1, `cpu.weight` in version 2.
SHARES, WEIGHT = 1024, 100


@dataclass(frozen=True)
class Cgroup:
    """The cgroup folders of one container. In version 2 of cgroups, `memory` and `cpu` are the same folder."""

    memory: Path
    cpu: Path
    version: int
    _open: dict[Path, int] = field(default_factory=dict, repr=False, compare=False)

    def close(self) -> None:
        """Close the files that are kept open for reading."""
        while self._open:
            os.close(self._open.popitem()[1])

    def cpu_seconds(self) -> float:
        """Return the CPU time, in seconds, of all processes that are or have been in the group."""
        if self.version == 1:
            return int(self._text(self.cpu / "cpuacct.usage")) / 1e9
        return _field(self._text(self.cpu / "cpu.stat"), "usage_usec") / 1e6

    def runs(self) -> bool | None:
        """Return whether any task of the group is running or ready to run; None if the kernel does not show it."""
        name = "tasks" if self.version == 1 else "cgroup.threads"
        return tasks.any_runs(self._members(name))

    def find(self, inside: int, zygote: int) -> tasks.Tree | None:
        """Find the process that has the pid `inside` in the pid namespace of the container, whose process 1 is `zygote`. Returns
        None if there is none.
        """
        return tasks.find(self._members("cgroup.procs"), inside, zygote)

    def _members(self, name: str) -> list[int]:
        with suppress(OSError):
            return [int(task) for task in (self.cpu / name).read_text().split()]
        return []

    def oom_kills(self) -> int:
        """Return how many processes the kernel has killed so far because the group ran out of memory."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return _field(self._text(self.memory / name), "oom_kill")

    def memory_mb(self) -> float:
        """Return the memory in use now, in MiB, including the page cache."""
        name = "memory.usage_in_bytes" if self.version == 1 else "memory.current"
        return int((self.memory / name).read_text()) / 2**20

    def peak_mb(self) -> float:
        """Return the largest memory use since `reset_peak`, in MiB.

        If the kernel cannot reset the peak, return the largest use since the group was created. If the kernel does not report a
        peak, return the current use.
        """
        with suppress(FileNotFoundError):
            return int(os.pread(self._peak(), 64, 0)) / 2**20
        return self.memory_mb()

    def _peak(self) -> int:
        """Open the file of the peak, for writing if that is allowed. In version 2, a reset applies only to the open file through
        which it was written, so the file stays open.
        """
        path = self.memory / ("memory.max_usage_in_bytes" if self.version == 1 else "memory.peak")
        with suppress(OSError):  # no permission, or the file system is read-only
            return self._opened(path, os.O_RDWR)
        return self._opened(path)

    def _text(self, path: Path) -> str:
        """Read an accounting file. The file stays open between calls, because it is read several times per turn of the answer,
        and opening it takes longer than reading it.
        """
        return os.pread(self._opened(path), 4096, 0).decode()

    def _opened(self, path: Path, flags: int = os.O_RDONLY) -> int:
        if path not in self._open:
            self._open[path] = os.open(path, flags)
        return self._open[path]

    def reset_peak(self) -> bool:
        """Reset the value that `peak_mb` returns. Returns False on kernels that cannot reset it: for version 2 of cgroups, those
        before Linux 6.12.
        """
        try:
            os.pwrite(self._peak(), b"0", 0)
        except OSError:
            return False
        return True

    def limit_memory(self, mb: int) -> None:
        """Limit memory to `mb` MiB and forbid swap. Raises OSError if the files cannot be written."""
        value = str(mb * 2**20)
        if self.version == 2:
            (self.memory / "memory.max").write_text(value)
            with suppress(OSError):
                (self.memory / "memory.swap.max").write_text("0")
            return
        files = [self.memory / "memory.memsw.limit_in_bytes", self.memory / "memory.limit_in_bytes"]
        files = [path for path in files if path.exists()]
        lowering = int(files[-1].read_text()) > mb * 2**20
        # The kernel refuses a limit of memory+swap that is below the limit of memory. So memory+swap is written first if the
        # limits rise, and last if they fall.
        for path in reversed(files) if lowering else files:
            path.write_text(value)


def of_process(pid: int) -> Cgroup:
    """Return the cgroup of a process. Raises FileNotFoundError if the process or the cgroup hierarchy does not exist."""
    groups = _groups(pid)
    if "memory" in groups:
        return Cgroup(ROOT / "memory" / groups["memory"], _version1("cpuacct", groups), 1)
    folder = ROOT / groups[""]
    return Cgroup(folder, folder, 2)


def weight_around(pid: int) -> Path:
    """Find the file that holds the CPU weight of the parent of a process's cgroup. Raises FileNotFoundError."""
    groups = _groups(pid)
    if "memory" in groups:
        return _version1("cpu", groups).parent / "cpu.shares"
    return (ROOT / groups[""]).parent / "cpu.weight"


def weigh_parent(pid: int, shares: int) -> None:
    """Set the CPU weight of the parent of a process's cgroup. `shares` is in units of version 1, where 1024 is the default.

    The weight only has an effect while other groups want the CPU too. Raises OSError if the file cannot be written.
    """
    file = weight_around(pid)
    file.write_text(str(shares if file.name == "cpu.shares" else max(1, WEIGHT * shares // SHARES)))


def _groups(pid: int) -> dict[str, str]:
    """Map each cgroup controller to the path of the process's cgroup. In version 2 there is a single path, under the key ""."""
    lines = [line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
    return {name: path.lstrip("/") for _, names, path in lines for name in names.split(",")}


def _version1(controller: str, groups: dict[str, str]) -> Path:
    """Return the folder of a group of version 1 for `controller`, which is cpu or cpuacct. These two controllers may be mounted
    together or separately.
    """
    names = [name for name in (controller, "cpu,cpuacct", "cpuacct,cpu") if os.path.isdir(ROOT / name)]
    if not names or controller not in groups:
        raise FileNotFoundError(f"no {controller} hierarchy is mounted")
    return ROOT / names[0] / groups[controller]


def _field(text: str, name: str) -> int:
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0
