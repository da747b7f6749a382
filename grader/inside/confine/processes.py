"""Reads from /proc which processes exist in this pid namespace."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """One process, as described in /proc/<pid>/status.

    `uids` are the real, effective, saved and filesystem uid. `capabilities` is the effective set, with one bit for each
    capability.
    """

    pid: int
    parent: int
    uids: frozenset[int]
    threads: int
    capabilities: int


def running(pid: int) -> Process:
    """Read the data of the process with this pid, which may be a zombie, from /proc. Raises FileNotFoundError or
    ProcessLookupError if there is no such process.
    """
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    uids = frozenset(int(uid) for uid in status["Uid"].split())
    return Process(pid, int(status["PPid"]), uids, int(status.get("Threads", 1)), int(status["CapEff"], 16))


def all_running() -> Iterator[Process]:
    """Yield every process of this pid namespace except the caller. Skips processes that end while they are being listed."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            yield running(int(name))
        except (FileNotFoundError, ProcessLookupError):
            continue


def tasks_of(uid: int) -> int:
    """Count the processes and threads of a uid, as the kernel does for RLIMIT_NPROC. Includes the caller if it has that uid."""
    here = running(os.getpid())
    return sum(each.threads for each in [here, *all_running()] if uid in each.uids)


def descendants(keep: Collection[int] = ()) -> list[Process]:
    """Return all descendants of the caller, except the processes in `keep` and their descendants."""
    children: dict[int, list[Process]] = {}
    for each in all_running():
        children.setdefault(each.parent, []).append(each)
    found: list[Process] = []
    open_ends = [os.getpid()]
    while open_ends:
        below = [each for each in children.get(open_ends.pop(), []) if each.pid not in keep]
        found += below
        open_ends += [each.pid for each in below]
    return found
