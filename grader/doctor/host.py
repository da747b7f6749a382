"""Checks properties of the machine that make judging slow, that make measured times vary, or that weaken the isolation.

A check that fails here gives a warning and does not stop nodes from judging.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from grader.doctor.findings import Finding, Group, State, line
from grader.judging.pool.cell_starter import CELL
from grader.judging.pool.judge_supervisor import JUDGE

Found = tuple[bool, str]
Row = tuple[str, str, Found, str]
ROOM_GB = 5
SLOW_CLOCKS = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"}
OLDEST = (5, 10)
# CVE-2022-0847 («Dirty Pipe») lets programs write to read-only files. The first constant is the first kernel series with the
# bug. The second one gives, for each series that was fixed later, the first patch level with the fix.
_DIRTY_PIPE_FROM, _DIRTY_PIPE_MENDED = (5, 8), {(5, 10): 102, (5, 15): 25, (5, 16): 11}


def host() -> list[Finding]:
    """Check settings of the machine that affect the isolation and that no option of a container can change."""
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
    """Check properties that make judging slow or make measured times vary. `slots` is the number of jobs that the node judges
    at the same time. `collapse` is the errno of MADV_COLLAPSE in a container: 0 if it worked, None if unknown.
    """
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
    """Check whether the kernel still gets security fixes and has the fix for Dirty Pipe."""
    numbers = [int(part) for part in release.split("-", maxsplit=1)[0].split(".")[:3] if part.isdigit()]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    series = (major, minor)
    if series < OLDEST:
        return False, f"{release}: older than any series that still gets fixes"
    if _DIRTY_PIPE_FROM <= series < (5, 17) and patch < _DIRTY_PIPE_MENDED.get(series, 1 << 16):
        return (
            False,
            f"{release}: read-only files can be written (CVE-2022-0847), unless your distribution has fixed it",
        )
    return True, release


def swap() -> Found:
    """Check whether swap is off."""
    names = [row.split()[0] for row in _text("/proc/swaps").splitlines()[1:]]
    return not names, f"on: {', '.join(names)}" if names else "off"


def clock() -> Found:
    """Check whether the kernel's clock source is fast to read."""
    name = _text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return name not in SLOW_CLOCKS, f"read from {name or 'a source that is not told'}"


def core_pattern() -> Found:
    """Check whether the kernel would write core dumps to a file. A program that gets them would ignore the size limit."""
    pattern = _text("/proc/sys/kernel/core_pattern")
    return not pattern.startswith("|"), f"a program gets them: {pattern[1:].split()[0]}" if "|" in pattern else pattern


def cpus(slots: int) -> Found:
    """Check whether this process may use at least one core per slot."""
    count = len(os.sched_getaffinity(0))
    return count >= slots, f"{count} for {slots} slots"


def room(slots: int) -> Found:
    """Check whether the free memory is enough for a full cell in every slot and a quarter of the judge's memory limit, which is
    about what a judge needs when it has just started.
    """
    need = slots * CELL.memory_mb + JUDGE.memory_mb // 4
    rows = dict(row.split(":", 1) for row in _text("/proc/meminfo").splitlines())
    free = int(rows.get("MemAvailable", "0 kB").split()[0]) >> 10
    return free >= need, f"{free / 1024:.1f} GB free, {need / 1024:.1f} GB when {slots} slots are full"


def smt() -> Found:
    """Check whether hyper-threading is off, so that no two threads share a core."""
    active = _text("/sys/devices/system/cpu/smt/active")
    return active != "1", {"1": "on", "0": "off"}.get(active, "none to be seen")


def governor() -> Found:
    """Check whether the CPU governor is "performance" on all cores."""
    names = {_text(str(path)) for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")}
    slow = names - {"performance"}
    return not slow, ", ".join(sorted(names)) or "the host above this machine decides"


def huge_pages(collapse: int | None) -> Found:
    """Check whether the zygote's heap can be collapsed into huge pages before it forks."""
    chosen = _text("/sys/kernel/mm/transparent_hugepage/enabled")
    mode = chosen.partition("[")[2].partition("]")[0] or "not in this kernel"
    if collapse is None:
        return True, mode
    return collapse == 0, f"{mode}; {'gathered on demand' if collapse == 0 else os.strerror(collapse)}"


def load() -> Found:
    """Check whether other programs leave enough CPU time: the load average of the last minute must be below half the number of
    cores.
    """
    one, count = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return one < 0.5 * count, f"load {one:.1f} on {count} cores"


def disk(docker_root: str) -> Found:
    """Check whether the disk with Docker's images has at least ROOM_GB free. Passes if the engine is on another machine."""
    with suppress(OSError):
        free = shutil.disk_usage(docker_root).free
        return free >= ROOM_GB << 30, f"{free >> 30} GB free in {docker_root}"
    return True, "not on this machine"


def system_limits() -> Found:
    """Check whether the machine allows at least 32,768 process ids and 128 inotify instances per user."""
    pids, watches = (
        int(_text(f"/proc/sys/{name}") or 0) for name in ("kernel/pid_max", "fs/inotify/max_user_instances")
    )
    return pids >= 32768 and watches >= 128, f"{pids:,} process ids, {watches:,} inotify instances"


def gpus() -> list[Finding]:
    """List the NVIDIA GPUs of this machine. Passes if there are none."""
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
