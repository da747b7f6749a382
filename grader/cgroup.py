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
    lines = [line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
    by_controller = {name: path for _, names, path in lines for name in names.split(",")}
    if "memory" in by_controller:
        return Cgroup(
            ROOT / "memory" / by_controller["memory"].lstrip("/"),
            _version1_cpu(by_controller["cpuacct"].lstrip("/")),
            1,
        )
    folder = ROOT / by_controller[""].lstrip("/")
    return Cgroup(folder, folder, 2)


def weigh_parent(pid: int, shares: int) -> None:
    """Let the group around a container's, all of it together, weigh `shares` of 1024 for CPU when others want it too.

    Raises OSError where the files cannot be written.
    """
    group = of_process(pid)
    if group.version == 2:
        (group.cpu.parent / "cpu.weight").write_text(str(max(1, WEIGHT * shares // SHARES)))
        return
    # Where cpu and cpuacct are mounted apart, their folders have the same names.
    path = group.cpu.parent.relative_to(ROOT).parts[1:]
    names = [name for name in ("cpu", "cpu,cpuacct", "cpuacct,cpu") if (ROOT / name).is_dir()]
    (ROOT.joinpath(names[0], *path) / "cpu.shares").write_text(str(shares))


def _version1_cpu(path: str) -> Path:
    names = [name for name in ("cpuacct", "cpu,cpuacct", "cpuacct,cpu") if os.path.isdir(ROOT / name)]
    if not names:
        raise FileNotFoundError("no cpuacct hierarchy is mounted")
    return ROOT / names[0] / path


def _field(text: str, name: str) -> int:
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0
