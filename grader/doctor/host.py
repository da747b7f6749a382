"""The machine around the containers: what makes judging slow, uneven, or less safe than it could be. Warnings only."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from grader.doctor.findings import Finding, Group, State, line
from grader.slots import JUDGE
from grader.spares import CELL

Found = tuple[bool, str]
Row = tuple[str, str, Found, str]
ROOM_GB = 5
SLOW_CLOCKS = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"}
OLDEST = (5, 10)
# The first kernels in which CVE-2022-0847 (a read-only file is written through the page cache) is mended, by series.
_DIRTY_PIPE_FROM, _DIRTY_PIPE_MENDED = (5, 8), {(5, 10): 102, (5, 15): 25, (5, 16): 11}


def host() -> list[Finding]:
    """What is not a wall of the container, but stands behind one."""
    rows: list[Row] = [
        ("kernel", "Kernel", kernel(os.uname().release), "update the kernel: cells share it, so its bugs are holes"),
        (
            "swap",
            "Swap",
            swap(),
            "swapoff -a: swapped memory makes times uneven, and needs swap accounts to be limited",
        ),
        (
            "clocksource",
            "Clock",
            clock(),
            "a time-stamp counter or a paravirtual clock is needed: deadlines are read very often",
        ),
        (
            "cores",
            "Core pattern",
            core_pattern(),
            "sysctl -w kernel.core_pattern=core: a pipe gets dumps whatever the limit says",
        ),
    ]
    return [line(Group.HOST, *row, worst=State.WARNING) for row in rows]


def speed(slots: int, docker_root: str, collapse: int | None) -> list[Finding]:
    """What makes judging slow or uneven. `collapse` is the errno of MADV_COLLAPSE inside, None when nobody could look."""
    rows: list[Row] = [
        ("cpus", "Cores", cpus(slots), "use fewer slots (GRADUS_NODE_SLOTS): a slot wants a core"),
        ("room", "Memory", room(slots), "use fewer slots, or challenges with lower limits: a slot may fill all of its cell"),
        ("smt", "Hyper-threads", smt(), "slots on one core disturb each other: echo off > /sys/devices/system/cpu/smt/control"),
        ("governor", "CPU governor", governor(), "cpupower frequency-set -g performance"),
        ("thp", "Huge pages", huge_pages(collapse), "kernel 6.1 and transparent_hugepage=madvise make a fork six times cheaper"),
        ("load", "Other load", load(), "times of others' work are in ours: give the node a machine of its own"),
        ("disk", "Disk for images", disk(docker_root), "free some space, or: docker image prune"),
        ("pids", "System limits", system_limits(), "sysctl -w kernel.pid_max=4194304 fs.inotify.max_user_instances=512"),
    ]  # fmt: skip
    return [line(Group.SPEED, *row, worst=State.WARNING) for row in rows]


def kernel(release: str) -> Found:
    """Not older than what is still mended, and not one with a known way through a read-only root."""
    numbers = [int(part) for part in release.split("-", maxsplit=1)[0].split(".")[:3] if part.isdigit()]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    series = (major, minor)
    if series < OLDEST:
        return False, f"{release}: older than any that is still mended"
    if _DIRTY_PIPE_FROM <= series < (5, 17) and patch < _DIRTY_PIPE_MENDED.get(series, 1 << 16):
        return False, f"{release}: read-only files can be written (CVE-2022-0847), unless your system mended it"
    return True, release


def swap() -> Found:
    """None is best."""
    names = [row.split()[0] for row in _text("/proc/swaps").splitlines()[1:]]
    return not names, f"on: {', '.join(names)}" if names else "off"


def clock() -> Found:
    """What the kernel reads the time from."""
    name = _text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return name not in SLOW_CLOCKS, f"read from {name or 'a source that is not told'}"


def core_pattern() -> Found:
    """Where a dump would go."""
    pattern = _text("/proc/sys/kernel/core_pattern")
    return not pattern.startswith("|"), f"a program gets them: {pattern[1:].split()[0]}" if "|" in pattern else pattern


def cpus(slots: int) -> Found:
    """Cores that this process may use."""
    count = len(os.sched_getaffinity(0))
    return count >= slots, f"{count} for {slots} slots"


def room(slots: int) -> Found:
    """Whether all slots can be full at once, beside a judge that has just begun."""
    need = slots * CELL.memory_mb + JUDGE.memory_mb // 4
    rows = dict(row.split(":", 1) for row in _text("/proc/meminfo").splitlines())
    free = int(rows.get("MemAvailable", "0 kB").split()[0]) >> 10
    return free >= need, f"{free / 1024:.1f} GB free, {need / 1024:.1f} GB when {slots} slots are full"


def smt() -> Found:
    """Whether two threads share a core."""
    active = _text("/sys/devices/system/cpu/smt/active")
    return active != "1", {"1": "on", "0": "off"}.get(active, "none to be seen")


def governor() -> Found:
    """How the CPU chooses its frequency."""
    names = {_text(str(path)) for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")}
    slow = names - {"performance"}
    return not slow, ", ".join(sorted(names)) or "the host above this machine decides"


def huge_pages(collapse: int | None) -> Found:
    """Whether the zygote's heap can be gathered before forks."""
    chosen = _text("/sys/kernel/mm/transparent_hugepage/enabled")
    mode = chosen.partition("[")[2].partition("]")[0] or "not in this kernel"
    if collapse is None:
        return True, mode
    return collapse == 0, f"{mode}; {'gathered on demand' if collapse == 0 else os.strerror(collapse)}"


def load() -> Found:
    """What runs already."""
    one, count = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return one < 0.5 * count, f"load {one:.1f} on {count} cores"


def disk(docker_root: str) -> Found:
    """Space where images are, or nothing known when the engine is elsewhere."""
    with suppress(OSError):
        free = shutil.disk_usage(docker_root).free
        return free >= ROOM_GB << 30, f"{free >> 30} GB free in {docker_root}"
    return True, "not on this machine"


def system_limits() -> Found:
    """Processes and file watches for the whole machine."""
    pids, watches = (
        int(_text(f"/proc/sys/{name}") or 0) for name in ("kernel/pid_max", "fs/inotify/max_user_instances")
    )
    return pids >= 32768 and watches >= 128, f"{pids:,} process ids, {watches:,} inotify instances"


def gpus() -> list[Finding]:
    """What NVIDIA devices are there. None is fine."""
    row = _nvidia(subprocess.check_output)
    return [Finding(Group.GPU, "gpu", "NVIDIA", State.OK if row[0] else State.WARNING, row[1], row[2])]


def _nvidia(ask: Callable[..., str]) -> tuple[bool, str, str]:
    if not Path("/proc/driver/nvidia").exists():
        return True, "none; that is fine", ""
    query = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        rows = ask(query, text=True, timeout=20, stderr=subprocess.DEVNULL).strip().splitlines()
    except (OSError, subprocess.SubprocessError) as error:
        return False, f"a driver, but nvidia-smi does not answer ({type(error).__name__})", "install the driver's tools"
    return True, "; ".join(rows), ""


def _text(path: str) -> str:
    with suppress(OSError):
        return Path(path).read_text().strip()
    return ""
