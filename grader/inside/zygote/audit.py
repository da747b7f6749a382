"""Checks that a cell is as clean as before its first job. The zygote runs the check after each job. If the check finds a
difference, the cell is not used again.

The zygote checks its own descriptors, threads and shared mappings, the directories that jobs can write to, and its descendants.
If it is pid 1 of a container, it also checks all other processes and the System V objects of the container.
"""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.inside.confine.processes import all_running, descendants


@dataclass(frozen=True)
class Baseline:
    """The state of the zygote after warm-up, before its first job: which descriptors are open, how many writable mappings its
    children would share with it, and how full the directories are that jobs can write to.
    """

    descriptors: frozenset[str]
    """«fd -> what it is», one for each open descriptor."""
    shared_maps: int
    """Writable memory that children would share with the zygote."""
    used: tuple[tuple[str, int, int], ...]
    """Directory, blocks and inodes in use on its filesystem; zeros where the filesystem is not the cell's own."""


def take_baseline(directories: Sequence[str]) -> Baseline:
    """Record the current state of the cell. `directories` are those that jobs can write to."""
    return Baseline(_descriptors(), _shared_maps(), tuple(_used(each) for each in directories))


def audit(baseline: Baseline, *, expected: Collection[int] = ()) -> list[str]:
    """Return a list with one sentence for each difference from the baseline. `expected` holds the pids of children that may be
    alive.
    """
    now = take_baseline([path for path, _, _ in baseline.used])
    findings = [f"descriptor not there before: {each}" for each in sorted(now.descriptors - baseline.descriptors)]
    findings += [f"descriptor gone: {each}" for each in sorted(baseline.descriptors - now.descriptors)]
    if (tasks := len(os.listdir("/proc/self/task"))) != 1:
        findings.append(f"the zygote has {tasks} threads")
    if now.shared_maps != baseline.shared_maps:
        findings.append(f"{now.shared_maps} shared writable mappings instead of {baseline.shared_maps}")
    for before, after in zip(baseline.used, now.used, strict=True):
        findings += _in_directory(before, after)
    return findings + _processes(expected) + _system_v()


def _descriptors() -> frozenset[str]:
    found = set()
    for fd in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{fd} -> {os.readlink(f'/proc/self/fd/{fd}')}")
        except FileNotFoundError:
            continue  # os.listdir() opened this descriptor to read the list, and has closed it again
    return frozenset(found)


def _shared_maps() -> int:
    lines = Path("/proc/self/maps").read_text().splitlines()
    return sum(
        1 for line in lines if line.split(maxsplit=2)[1].startswith("rw") and line.split(maxsplit=2)[1][3] == "s"
    )


def _used(path: str) -> tuple[str, int, int]:
    if not os.path.ismount(path):
        return path, 0, 0
    found = os.statvfs(path)
    return path, found.f_blocks - found.f_bfree, found.f_files - found.f_ffree


def _in_directory(before: tuple[str, int, int], after: tuple[str, int, int]) -> list[str]:
    path = before[0]
    if names := os.listdir(path):
        return [f"{len(names)} entries left in {path}, the first is {names[0]!r}"]
    if after != before:
        return [
            f"{path} is empty but uses {after[1]} blocks and {after[2]} inodes instead of {before[1]} and {before[2]}"
        ]
    return []


def _processes(expected: Collection[int]) -> list[str]:
    others = all_running() if os.getpid() == 1 else descendants()
    return [f"process {each.pid} is alive" for each in others if each.pid not in expected]


def _system_v() -> list[str]:
    if os.getpid() != 1:
        return []
    counts = {kind: len(Path(f"/proc/sysvipc/{kind}").read_text().splitlines()) - 1 for kind in ("msg", "sem", "shm")}
    return [f"{count} System V {kind} objects" for kind, count in counts.items() if count > 0]
