"""Finds what an attack has left behind, as seen from the host: processes of the attacked cell, files in its container, and open
file descriptors of its zygote and of the node.
"""

import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from grader.hosts import containers, processes
from grader.hosts.machine.tasks import Tree
from grader.hosts.uids import BASE, BLOCK, Uids
from grader.judging.slots.slot import Slot
from grader.judging.workbench import Workbench

SETTLE_S = 30.0
# The zygote, and of its waiting child process 1 and the candidate's process.
OWN_PROCESSES = 3
# The zygote's own folder, which importing torch creates, and which is empty.
WARMED = "torchinductor_zygote"


def settled(bench: Workbench, number: int = 0) -> Slot:
    """Wait until a slot has ended its job and forked its next child, or has discarded its cell. Return the slot."""
    slot = bench._slots[number]
    until = time.monotonic() + SETTLE_S
    while time.monotonic() < until:
        cell = slot._cell
        if slot._tasks.empty() and (cell is None or cell.waits):
            return slot
        time.sleep(0.01)
    raise AssertionError(f"the slot has not cleaned up within {SETTLE_S:.0f} s")


def uids_of(bench: Workbench) -> Uids:
    """Return the uids that the bench's node has reserved."""
    engine = bench.spares.starter._engine
    assert isinstance(engine, containers.Engine | processes.ProcessEngine)
    assert engine._uids is not None
    return engine._uids


def strangers(bench: Workbench) -> list[str]:
    """Describe the processes on this host that run under a uid of the bench's node, although the node currently uses this uid
    for no cell.
    """
    uids = uids_of(bench)
    first = BASE + uids._block * BLOCK
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            lines = (folder / "status").read_text().splitlines()
            uid = next(int(line.split()[1]) for line in lines if line.startswith("Uid:"))
        except (OSError, StopIteration):
            continue
        if first <= uid < first + BLOCK and uid not in uids._used:
            found.append(f"process {folder.name} of uid {uid}")
    return found


def left_in_cell(slot: Slot) -> list[str]:
    """Return what is in the cell besides its zygote and the child that waits for a job: processes, files in the container's
    writable folders, and sockets that the zygote holds.

    The waiting child has processes 1 and 2 of its own namespaces, and its own file systems over the container's folders.
    """
    cell = slot._cell
    if cell is None:
        return []
    running = sum(1 for _ in Tree(cell.host.pid).each())
    found = [f"{running} processes instead of {OWN_PROCESSES}"] if running != OWN_PROCESSES else []
    root = Path(f"/proc/{cell.host.pid}/root")
    found += [str(path) for top in ("tmp", "dev/shm") for path in (root / top).rglob("*") if path.name != WARMED]
    open_files = [os.readlink(path) for path in Path(f"/proc/{cell.host.pid}/fd").iterdir()]
    sockets = sum(name.startswith("socket:") for name in open_files)
    return found + ([f"the zygote holds {sockets} sockets: {open_files}"] if sockets != 1 else [])


def descriptors_within(most: int) -> bool:
    """Wait until the node has at most `most` open file descriptors. Return False if it still has more after SETTLE_S seconds.

    A spare cell that is being started needs additional descriptors for a moment.
    """
    until = time.monotonic() + SETTLE_S
    while descriptors() > most:
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def descriptors() -> int:
    """Return the number of open file descriptors of this process, in which the node's code runs during the tests."""
    return len(os.listdir("/proc/self/fd"))


def kinds_open() -> str:
    """Return the open file descriptors of this process, counted by kind, such as `socket 21, pipe 4, /dev/null 1`."""
    kinds: Counter[str] = Counter()
    for fd in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # listdir also finds its own descriptor, which is closed by now
            kinds[os.readlink(f"/proc/self/fd/{fd}").partition(":")[0]] += 1
    return ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
