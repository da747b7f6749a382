"""Accounts, limits and weights of containers, read and written as cgroup files; versions 1 and 2."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
# What every group weighs unless somebody says otherwise, in the units of either version.
SHARES, WEIGHT = 1024, 100


@dataclass(frozen=True)
class Cgroup:
    """Folders of one container. With version 2 `memory` and `cpu` are the same folder."""

    memory: Path
    cpu: Path
    version: int
    _open: dict[Path, int] = field(default_factory=dict, repr=False, compare=False)

    def close(self) -> None:
        """Close what is kept open for reading."""
        while self._open:
            os.close(self._open.popitem()[1])

    def cpu_seconds(self) -> float:
        """CPU time of all processes that ever were in the group."""
        if self.version == 1:
            return int(self._text(self.cpu / "cpuacct.usage")) / 1e9
        return _field(self._text(self.cpu / "cpu.stat"), "usage_usec") / 1e6

    def oom_kills(self) -> int:
        """Processes killed because the group was out of memory."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return _field(self._text(self.memory / name), "oom_kill")

    def memory_mb(self) -> float:
        """Memory in use now, in MiB, page cache of files not counted where it can be told apart."""
        name = "memory.usage_in_bytes" if self.version == 1 else "memory.current"
        return int((self.memory / name).read_text()) / 2**20

    def peak_mb(self) -> float:
        """Largest use since `reset_peak`, in MiB; since the start where the kernel cannot reset it."""
        name = "memory.max_usage_in_bytes" if self.version == 1 else "memory.peak"
        with suppress(FileNotFoundError):
            return int((self.memory / name).read_text()) / 2**20
        return self.memory_mb()

    def _text(self, path: Path) -> str:
        """What a file of accounts says now. It stays open: these are read several times a turn, and opening costs most."""
        if path not in self._open:
            self._open[path] = os.open(path, os.O_RDONLY)
        return os.pread(self._open[path], 4096, 0).decode()

    def reset_peak(self) -> None:
        """Start a new peak."""
        name = "memory.max_usage_in_bytes" if self.version == 1 else "memory.peak"
        with suppress(OSError):
            (self.memory / name).write_text("0")

    def limit_memory(self, mb: int) -> None:
        """Set the memory limit, swap included. Raises OSError where the files cannot be written."""
        value = str(mb * 2**20)
        if self.version == 2:
            (self.memory / "memory.max").write_text(value)
            with suppress(OSError):
                (self.memory / "memory.swap.max").write_text("0")
            return
        files = [self.memory / "memory.memsw.limit_in_bytes", self.memory / "memory.limit_in_bytes"]
        files = [path for path in files if path.exists()]
        lowering = int(files[-1].read_text()) > mb * 2**20
        # Swap-inclusive limit may never be the smaller one: raise it first, lower it last.
        for path in reversed(files) if lowering else files:
            path.write_text(value)


def of_process(pid: int) -> Cgroup:
    """The cgroup that a process is in. Raises FileNotFoundError when the process or the hierarchy is gone."""
    groups = _groups(pid)
    if "memory" in groups:
        return Cgroup(ROOT / "memory" / groups["memory"], _version1("cpuacct", groups), 1)
    folder = ROOT / groups[""]
    return Cgroup(folder, folder, 2)


def weight_around(pid: int) -> Path:
    """The file that says what the group around a process's own, all of it together, weighs for CPU. Raises FileNotFoundError."""
    groups = _groups(pid)
    if "memory" in groups:
        return _version1("cpu", groups).parent / "cpu.shares"
    return (ROOT / groups[""]).parent / "cpu.weight"


def weigh_parent(pid: int, shares: int) -> None:
    """Let the group around a container's, all of it together, weigh `shares` of 1024 for CPU when others want it too.

    Raises OSError where the files cannot be written.
    """
    file = weight_around(pid)
    file.write_text(str(shares if file.name == "cpu.shares" else max(1, WEIGHT * shares // SHARES)))


def _groups(pid: int) -> dict[str, str]:
    """By controller, the path of the group that a process is in; version 2 has one for all, without a name."""
    lines = [line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
    return {name: path.lstrip("/") for _, names, path in lines for name in names.split(",")}


def _version1(controller: str, groups: dict[str, str]) -> Path:
    """The folder of a group. cpu and cpuacct are mounted together or apart."""
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
