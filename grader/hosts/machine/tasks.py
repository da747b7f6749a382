"""Reads /proc for processes and threads: the CPU time they have used, and whether one of them runs or waits for a processor."""

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

KILL_S = 10.0
_TICKS = os.sysconf("SC_CLK_TCK")


def any_runs(tasks: Iterable[int]) -> bool | None:
    """Return whether any of these tasks is running or ready to run, or None if none of them could be read.

    A task that is throttled by a CPU quota counts as ready to run. A task that sleeps, is stopped or waits for a disk does not.
    """
    seen = False
    for task in tasks:
        with suppress(OSError, IndexError):
            if _stat(task)[0] == "R":
                return True
            seen = True
    return False if seen else None


@dataclass(frozen=True)
class Tree:
    """A process and its descendants."""

    root: int

    def cpu_seconds(self) -> float:
        """Return the CPU seconds used so far, including those of children that have ended. Raises OSError if the process is
        gone.
        """
        _stat(self.root)
        return sum(own + ended for _, own, ended in _below(self.root))

    def each(self) -> list[tuple[int, float]]:
        """Return the pid and CPU seconds of every process of the tree that exists now."""
        return [(pid, own) for pid, own, _ in _below(self.root)]

    def runs(self) -> bool | None:
        """Return whether a thread of these processes is running or ready to run; None if no thread could be read."""
        return any_runs(task for pid, _, _ in _below(self.root) for task in _threads(pid))

    def inside(self, pid: int) -> "Tree | None":
        """Find the descendant that has this pid in its own pid namespace, which all descendants must share."""
        found = (
            outside for outside, _, _ in _below(self.root) if outside != self.root and _pids(outside)[-1:] == [pid]
        )
        return next(map(Tree, found), None)

    def kill_below(self) -> None:
        """Kill every descendant, again and again until none is alive or KILL_S seconds have passed."""
        until = time.monotonic() + KILL_S
        while (left := self._living_below()) and time.monotonic() < until:
            for pid in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)

    def _living_below(self) -> list[int]:
        return [pid for pid, _, _ in _below(self.root) if pid != self.root and _alive(pid)]


def find(pids: Iterable[int], inside: int, zygote: int) -> Tree | None:
    """Find the process among `pids` that has the pid `inside` in the pid namespace whose processes include `zygote`. The
    process may itself be process 1 of a further namespace.
    """
    level = len(_pids(zygote)) - 1
    for pid in pids:
        names = _pids(pid)
        if len(names) > level and names[level] == inside:
            return Tree(pid)
    return None


def _pids(pid: int) -> list[int]:
    """Return the pids of a process: in this pid namespace, in the one below, and so on. Returns [] if the process is gone."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return [int(each) for each in next(line for line in lines if line.startswith("NSpid:")).split()[1:]]
    return []


def _below(root: int) -> Iterator[tuple[int, float, float]]:
    """For a process and each descendant, yield its pid, its own CPU seconds, and the CPU seconds of its ended children."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, IndexError):
            fields = _stat(pid)
            own, ended = (sum(map(int, fields[start : start + 2])) / _TICKS for start in (11, 13))
            yield pid, own, ended
            for thread in _threads(pid):
                waiting += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())


def _alive(pid: int) -> bool:
    with suppress(OSError, IndexError):
        return _stat(pid)[0] not in "ZX"
    return False


def _threads(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    return []


def _stat(task: int) -> list[str]:
    """Return the fields of /proc/<task>/stat, starting with the state. The field before the state is the process name in
    brackets, which may contain spaces and brackets itself. So the text is split only after the last bracket.
    """
    return Path(f"/proc/{task}/stat").read_text(errors="replace").rpartition(")")[2].split()
